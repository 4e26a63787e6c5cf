import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { longTest } from './support/long';
import { digestOf } from './support/memory-file-store';
import { wordsOf } from './support/stories/transcript';

// Files by the real parts: the client uploads to the cloud's S3, by addresses that the API has signed.

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const blob = (bytes: Buffer | string, type: string, name: string) => new File([Buffer.from(bytes)], name, { type });

describe('files of a conversation', () => {
  let vigil: Vigil;
  beforeAll(async () => {
    vigil = await startVigil({ script: () => ({ text: 'A dot. THE END' }) });
  });
  afterAll(() => vigil?.stop());

  const bytesAt = async (url: string) => {
    const answer = await fetch(url);
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  };

  test('a picture is uploaded, sent, shown and downloaded, survives kill -9, and opens to nobody else (R210, R211, R217)', async () => {
    let ada = await vigil.user('ada');
    const progress: number[] = [];
    const { id } = await ada.client.start({
      agent: 'reminder',
      text: 'What is it?',
      files: [blob(png, 'image/png', 'dot "1".png')],
      onProgress: (sent) => progress.push(sent),
    });
    expect(progress.at(-1)).toBe(png.length);
    const done = await ada.finished(id);
    expect(wordsOf(done)).toEqual([
      ['user', 'What is it?'],
      ['reminder', 'A dot. THE END'],
    ]);
    const [, file] = done.messages[0]!.parts!;
    expect(file).toMatchObject({ type: 'file', mediaType: 'image/png', filename: 'dot "1".png', size: png.length });
    const fileId = (file as { id: string }).id;

    await vigil.kill();
    await vigil.restart();
    // It has another address.
    ada = await vigil.user('ada');
    const eve = await vigil.user('eve');
    const shown = await bytesAt((await ada.client.api.file(id, fileId, 'inline')).url);
    expect(shown.bytes.equals(png)).toBe(true);
    expect(shown.headers.get('content-disposition')).toBe('inline');
    expect(shown.headers.get('content-type')).toBe('image/png');
    const saved = await bytesAt((await ada.client.api.file(id, fileId, 'attachment', 'dot "1".png')).url);
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment; filename="[^"]*"/);
    await expect(eve.client.api.file(id, fileId)).rejects.toMatchObject({ status: 404 });
    const sent = eve.client.start({ agent: 'reminder', parts: [{ type: 'file', id: fileId }] });
    await expect(sent).rejects.toMatchObject({ status: 400 });
  });

  test('an address takes the bytes that were announced, and no others (R211)', async () => {
    const ada = await vigil.user('ada');
    const bytes = Buffer.from('two lines\nof text');
    const announced = { size: bytes.length, mediaType: 'text/plain', sha256: digestOf(bytes) };
    const { id, upload } = await ada.client.api.beginUpload(announced);
    const put = async (body: string | Buffer, headers = upload!.headers, url = upload!.url) =>
      (await fetch(url, { method: 'PUT', headers, body: body as never })).status;
    await expect(ada.client.api.completeUpload(id)).rejects.toMatchObject({ status: 409 });
    for (const status of [
      await put('two lines\nof TEXT'),
      await put('longer than what was announced, by far'),
      await put(bytes, { ...upload!.headers, 'content-type': 'text/html' }),
      await put(bytes, { ...upload!.headers, 'x-amz-checksum-sha256': digestOf(Buffer.from('other')) }),
      await put(bytes, {}),
      await put(bytes, upload!.headers, upload!.url.replace(/\/f_[\w-]{4}/, '/f_AAAA')),
    ]) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
    await expect(ada.client.api.completeUpload(id)).rejects.toMatchObject({ status: 409 });
    expect(await put(bytes)).toBe(200);
    expect(await ada.client.api.completeUpload(id)).toMatchObject({ id, stored: true });
  });

  test('a story sends files in one line, sees what the model is told of them, and reads them (R216)', async () => {
    const ada = await vigil.user('ada');
    const { id } = await ada.start('reminder');
    await ada.sendFiles(id, '', blob('T-1', 'text/plain', 'ticket.txt'));
    const { messages } = await ada.finished(id);
    const [file] = messages[0]!.parts as unknown as [{ id: string }];
    expect(JSON.stringify(vigil.model.requests.at(-1)!.messages)).toContain('ticket.txt');
    expect(Buffer.from(await ada.bytesOf(id, file.id)).toString()).toBe('T-1');
  });

  longTest('the samples of docs/files.md upload, send and read a file (R216)', async () => {
    const page = readFileSync(join(__dirname, '../docs/files.md'), 'utf8');
    const sample = (language: string) => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(page)![1]!;
    const body = JSON.stringify({ user: vigil.idOf('ada') });
    const { token } = (await (await fetch(`${vigil.url}/_local/token`, { method: 'POST', body })).json()) as {
      token: string;
    };
    const cwd = mkdtempSync(join(tmpdir(), 'vigil-files-'));
    const env = { ...process.env, VIGIL_URL: vigil.url, VIGIL_TOKEN: token };
    const run = async (command: string, ...args: string[]) =>
      (await promisify(execFile)(command, args, { cwd, env })).stdout;
    const trip = 'museum,12\ntaxi,30\n';
    try {
      writeFileSync(join(cwd, 'trip.csv'), trip);
      for (const _ of ['not stored', 'stored'])
        expect(await run('bash', '-euo', 'pipefail', '-c', sample('sh'))).toBe(trip);
      const client = join(__dirname, '../packages/client/src/index.ts');
      const text = sample('ts').replace("'vigil/client'", JSON.stringify(client)).replace("'guide'", "'reminder'");
      writeFileSync(join(cwd, 'sample.ts'), text);
      buildSync({
        entryPoints: [join(cwd, 'sample.ts')],
        outfile: join(cwd, 'sample.mjs'),
        bundle: true,
        format: 'esm',
        platform: 'node',
        logLevel: 'error',
      });
      expect(await run(process.execPath, 'sample.mjs')).toBe(`${trip}\n`);
    } finally {
      rmSync(cwd, { recursive: true });
    }
  });

  test('goes with its last conversation, a day later, and an upload that nobody sends with it (R217)', async () => {
    const ada = await vigil.user('ada');
    const unsent = await ada.client.upload(blob('never sent', 'text/plain', 'a.txt'));
    const { id } = await ada.client.start({
      agent: 'reminder',
      text: 'Keep this',
      files: [blob('kept for now', 'text/plain', 'b.txt')],
    });
    const { messages } = await ada.finished(id);
    const fileId = (messages[0]!.parts![1] as { id: string }).id;
    const { url } = await ada.client.api.file(id, fileId);
    await ada.client.api.remove(id);
    await vigil.advance('P2D', { jump: true });
    const reconciled = (await vigil.invoke('ReconcileFunctionName', {})) as { actions: { id: string; does: string }[] };
    const deleted = reconciled.actions.filter(({ does }) => does === 'delete').map((action) => action.id);
    expect(deleted).toEqual(expect.arrayContaining([unsent.id, fileId]));
    // The object, not only the address: a new one of the same bytes is another object.
    expect((await bytesAt(url)).status).toBeGreaterThanOrEqual(403);
    const again = await ada.client.api.beginUpload({
      size: 12,
      mediaType: 'text/plain',
      sha256: digestOf(Buffer.from('kept for now')),
    });
    expect(again).toMatchObject({ id: fileId, stored: false });
  });
});
