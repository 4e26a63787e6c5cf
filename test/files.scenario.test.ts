import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { digestOf } from './support/memory-file-store';
import { png as picture } from './support/sample-files';
import { type ModelServer, startModelServer } from './support/servers/model-server';
import { wordsOf } from './support/stories/transcript';

// Files by the real parts: the client uploads to the cloud's S3, by addresses that the API has signed, and a model's provider makes some
// for a reply.

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const blob = (bytes: Buffer | string, type: string, name: string) => new File([Buffer.from(bytes)], name, { type });

describe('files of a conversation', () => {
  let vigil: Vigil;
  let near: ModelServer;
  beforeAll(async () => {
    near = await startModelServer();
    vigil = await startVigil({
      script: () => ({ text: 'A dot. THE END' }),
      variables: { NEAR_SERVER_BASE_URL: near.url },
    });
  });
  afterAll(async () => {
    await vigil?.stop();
    await near?.stop();
  });

  const bytesAt = async (url: string) => {
    const answer = await fetch(url);
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  };

  test('a picture is uploaded, sent, shown and downloaded, told to the model, and opens to nobody else (R210, R211, R216, R217)', async () => {
    const ada = await vigil.user('ada');
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

  test('that a model’s provider makes are stored before the reply, are shown to the model again, and open to nobody else (R210, R212)', async () => {
    const cat = picture(4, 4, 77);
    const drawing = {
      type: 'image_generation_call',
      id: 'ig_1',
      status: 'completed',
      output_format: 'png',
      result: cat.toString('base64'),
      revised_prompt: 'A cat',
    };
    const program = { type: 'code_interpreter_call', code: 'sum()', container_id: 'cntr_1', outputs: null };
    const cited = { container_id: 'cntr_1', file_id: 'cfile_1', filename: 'sum.csv', start_index: 4, end_index: 11 };
    near.begin({
      script: [
        { thought: 'I draw.', hosted: [drawing], text: 'Here is a cat.' },
        {
          hosted: [program],
          text: 'See sum.csv.',
          annotations: [{ type: 'container_file_citation', ...cited }],
        },
        { text: 'Yes, it is grey.' },
      ],
    });
    near.containers.set('cntr_1/cfile_1', { bytes: Buffer.from('a,1\n'), statuses: [500] });
    const ada = await vigil.user('ada');
    const { id } = await ada.start('online', 'Draw a cat.');
    const repliesOnce = async (count: number) => {
      const isReply = ({ role }: { role: string }) => role === 'assistant';
      const { messages } = await ada.until(
        id,
        (now) => now.status === 'done' && now.messages.filter(isReply).length === count,
      );
      return messages.filter(isReply);
    };
    await repliesOnce(1);
    await ada.say(id, 'And the sum?');
    await repliesOnce(2);
    await ada.say(id, 'Is the cat grey?');
    const replies = await repliesOnce(3);
    expect(replies).toMatchObject([
      {
        hosted: [{ tool: 'image_generation', input: 'A cat', status: 'completed' }],
        parts: [
          { type: 'text', text: 'Here is a cat.' },
          { type: 'file', mediaType: 'image/png', size: cat.length },
        ],
      },
      { parts: [{ type: 'text' }, { type: 'file', mediaType: 'text/csv', filename: 'sum.csv', size: 4 }] },
      { text: 'Yes, it is grey.' },
    ]);
    const [drawn, sum] = replies.flatMap(({ parts = [] }) =>
      parts.flatMap((part) => (part.type === 'file' ? part : [])),
    );
    expect(Buffer.from(await ada.bytesOf(id, drawn!.id))).toEqual(cat);
    expect(Buffer.from(await ada.bytesOf(id, sum!.id)).toString()).toBe('a,1\n');
    const last = JSON.stringify(near.requests.at(-1)!.input);
    expect(last).toContain(`data:image/png;base64,${cat.toString('base64')}`);
    expect(last).toMatch(/Your reply before this has these files/);
    expect(last).not.toContain('image_generation_call');
    const eve = await vigil.user('eve');
    await expect(eve.client.api.file(id, drawn!.id)).rejects.toMatchObject({ status: 404 });
    expect(vigil.logs()).not.toContain(cat.toString('base64').slice(0, 40));
  });

  test('the samples of docs/files.md upload, send and read a file (R216)', async () => {
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

  test('that a story sends in one line are told to the model, and go a day after their last conversation, as an upload that nobody sends (R216, R217)', async () => {
    const ada = await vigil.user('ada');
    const unsent = await ada.client.upload(blob('never sent', 'text/plain', 'a.txt'));
    const { id } = await ada.start('reminder');
    await ada.sendFiles(id, '', blob('kept for now', 'text/plain', 'b.txt'));
    const { messages } = await ada.finished(id);
    const [{ id: fileId }] = messages[0]!.parts as unknown as [{ id: string }];
    expect(JSON.stringify(vigil.model.requests.at(-1)!.messages)).toContain('b.txt');
    expect(Buffer.from(await ada.bytesOf(id, fileId)).toString()).toBe('kept for now');
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
