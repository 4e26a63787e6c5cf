import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import JSZip from 'jszip';
import { noUsage } from '../../../../core/base/state/schemas';
import { call, message, summary } from '../../../../test/support/page/rows';
import type { Client } from '../client';
import { RequestFailed } from '../problem';
import { type ZipProgress, zipConversation } from './zip';

type Handle = (request: IncomingMessage, response: ServerResponse, bytes: Buffer) => void;

/** Sends a range, as S3 does. */
const asStored: Handle = ({ headers }, response, bytes) => {
  const from = /^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1];
  response.writeHead(from ? 206 : 200, { 'content-length': bytes.length - Number(from ?? 0) });
  response.end(bytes.subarray(Number(from ?? 0)));
};

const part = (filename: string, bytes: Buffer, mediaType = 'text/plain') => {
  const id = `f_${createHash('sha256').update(bytes).digest('base64url')}`;
  return { type: 'file' as const, id, filename, mediaType, size: bytes.length };
};

describe('a zip of a conversation', () => {
  let server: Server;
  let requests: { range?: string }[];
  const stored = new Map<string, { bytes: Buffer; handle: Handle }>();

  beforeEach(async () => {
    requests = [];
    stored.clear();
    server = createServer((request, response) => {
      requests.push({ range: request.headers.range });
      const found = stored.get(request.url!.slice(1));
      if (!found) return response.writeHead(404).end();
      found.handle(request, response, found.bytes);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  function store(filename: string, content: string | Buffer, handle: Handle = asStored) {
    const bytes = Buffer.from(content);
    const file = part(filename, bytes);
    stored.set(file.id, { bytes, handle });
    return file;
  }

  /** A client whose addresses lead to the server. */
  function clientOf(
    files: ReturnType<typeof part>[],
    made: ReturnType<typeof part>[] = [],
  ): Pick<Client, 'withSignal'> {
    const conversation = {
      ...summary('a', { title: 'Trip' }),
      usage: noUsage,
      more: false,
      callbacks: [],
      timers: [],
      calls: [],
      messages: [message(1, { role: 'user', text: 'Look', parts: files })],
    };
    const calls = [call('c', { result: { charts: made } })];
    const { port } = server.address() as AddressInfo;
    const api = {
      read: async () => conversation,
      wholeCalls: async () => ({ calls, more: false }),
      async file(_: string, fileId: string) {
        if (!stored.has(fileId)) throw new RequestFailed(404, 'There is no such file.');
        return { url: `http://127.0.0.1:${port}/${fileId}`, expiresAt: '' };
      },
    };
    return { withSignal: () => api as unknown as ReturnType<Client['withSignal']> };
  }

  const bytesOf = async (stream: ReadableStream<Uint8Array>) => Buffer.from(await new Response(stream).arrayBuffer());

  test('has the files under safe names and Markdown that links to them, as another program reads it (R216)', async () => {
    const one = store('notes.txt', 'one');
    const files = [
      one,
      store('../notes.txt', 'two'),
      store('NOTES.txt', 'three'),
      store('CON.txt', 'four'),
      store('東京 🙂.txt', 'five'),
      store('empty.txt', ''),
      // The same bytes are the same file.
      { ...one, filename: 'again.txt' },
    ];
    const told: ZipProgress[] = [];
    const zip = await zipConversation(clientOf(files, [store('chart.csv', 'a,b')]), 'a', {
      onProgress: (progress) => told.push(progress),
    });
    expect([zip.filename, zip.files.length]).toEqual([expect.stringMatching(/^vigil-trip-.*\.zip$/), 7]);
    const bytes = await bytesOf(zip.stream);
    const read = await JSZip.loadAsync(bytes, { checkCRC32: true });
    const contents = await Promise.all(
      Object.values(read.files).map(async (file) => [file.name, await file.async('string')] as const),
    );
    const { 'conversation.md': text, ...others } = Object.fromEntries(contents);
    expect(others).toEqual({
      'files/notes.txt': 'one',
      'files/_notes.txt': 'two',
      'files/NOTES (2).txt': 'three',
      'files/_CON.txt': 'four',
      'files/東京 🙂.txt': 'five',
      'files/empty.txt': '',
      'files/chart.csv': 'a,b',
    });
    const links = [...text!.matchAll(/\]\((files\/[^)]*)\)/g)].map(([, link]) => decodeURIComponent(link!));
    expect(new Set(links)).toEqual(new Set(Object.keys(others)));
    expect(text).toContain('[again\\.txt](files/notes.txt)');
    expect(told[0]).toEqual({ files: 0, totalFiles: 7, bytes: 0, totalBytes: 22 });
    expect(told.at(-1)).toEqual({ files: 7, totalFiles: 7, bytes: 22, totalBytes: 22 });

    // `unzip` is on most machines, and checks each sum.
    const folder = mkdtempSync(join(tmpdir(), 'vigil-zip-'));
    writeFileSync(join(folder, 'it.zip'), bytes);
    const { status, stdout, error } = spawnSync('unzip', ['-t', join(folder, 'it.zip')], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    if (!error) expect([status, stdout]).toEqual([0, expect.stringContaining('No errors detected')]);
  });

  test('names what is deleted or unreadable as missing, and has the rest (R216)', async () => {
    const gone = part('gone.txt', Buffer.from('gone'));
    const refused = store('refused.txt', 'refused', (_, response) => response.writeHead(400).end());
    const { stream } = await zipConversation(clientOf([gone, refused, store('kept.txt', 'kept')]), 'a');
    const read = await JSZip.loadAsync(await bytesOf(stream), { checkCRC32: true });
    expect(Object.keys(read.files).sort()).toEqual(['conversation.md', 'files/kept.txt']);
    const text = await read.file('conversation.md')!.async('string');
    expect(text).toContain('- gone\\.txt · text\\/plain · 4 bytes · **missing**: There is no such file\\.');
    expect(text).toContain(
      '- refused\\.txt · text\\/plain · 7 bytes · **missing**: The file was not read\\: status 400\\.',
    );
  });

  test('continues a file where the connection broke, with another address when one has expired (R216)', async () => {
    const whole = Buffer.alloc(300_000, 'abc');
    let asked = 0;
    const file = store('large.bin', whole, (request, response, bytes) => {
      asked += 1;
      if (asked === 1) {
        response.writeHead(200, { 'content-length': bytes.length });
        response.write(bytes.subarray(0, 100_000), () => setTimeout(() => response.destroy(), 50));
      } else if (asked === 2) response.writeHead(403).end();
      else asStored(request, response, bytes);
    });
    const { stream } = await zipConversation(clientOf([file]), 'a');
    const read = await JSZip.loadAsync(await bytesOf(stream), { checkCRC32: true });
    expect(await read.file('files/large.bin')!.async('nodebuffer')).toEqual(whole);
    expect(requests.map(({ range }) => range)).toEqual([undefined, 'bytes=100000-', 'bytes=100000-']);
    expect(await read.file('conversation.md')!.async('string')).not.toMatch(/missing|incomplete/);
  });

  test('says of a file whose end cannot be read that it is incomplete (R216)', async () => {
    let asked = 0;
    const file = store('half.bin', Buffer.alloc(2_000, 1), (_, response, bytes) => {
      asked += 1;
      if (asked > 1) return response.writeHead(410).end();
      response.writeHead(200, { 'content-length': bytes.length });
      response.write(bytes.subarray(0, 1_000), () => setTimeout(() => response.destroy(), 50));
    });
    const { stream } = await zipConversation(clientOf([file]), 'a');
    const read = await JSZip.loadAsync(await bytesOf(stream), { checkCRC32: true });
    expect((await read.file('files/half.bin')!.async('nodebuffer')).length).toBe(1_000);
    expect(await read.file('conversation.md')!.async('string')).toContain(
      '**incomplete**: The file was not read\\: status 410\\.',
    );
  });

  test('reads no more of a file than its reader takes, and ends every request when it is cancelled or aborted (R216)', async () => {
    for (const how of ['cancel', 'abort'] as const) {
      const size = 64 * 1_048_576;
      let sent = 0;
      let isClosed = false;
      const file = store(`${how}.bin`, Buffer.from(how), (_, response) => {
        response.on('close', () => {
          isClosed = true;
        });
        const send = () => {
          while (sent < size && !response.destroyed) {
            sent += 65_536;
            if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', send);
          }
        };
        send();
      });
      const control = new AbortController();
      const { stream } = await zipConversation(clientOf([{ ...file, size }]), 'a', { signal: control.signal });
      const reader = stream.getReader();
      for (let piece = 0; piece < 6; piece++) await reader.read();
      await new Promise((resolve) => setTimeout(resolve, 200));
      // What is on its way is in buffers of the system.
      expect(sent).toBeLessThan(size / 2);
      if (how === 'cancel') await reader.cancel();
      else {
        control.abort(new Error('enough'));
        await expect(
          (async () => {
            for (;;) if ((await reader.read()).done) return;
          })(),
        ).rejects.toThrow('enough');
      }
      while (!isClosed) await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });

  test('is not begun after an abort, or without its conversation (R216)', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(zipConversation(clientOf([]), 'a', { signal })).rejects.toThrow('enough');
    const gone = { wholeCalls: () => Promise.reject(new RequestFailed(404, 'There is no such conversation.')) };
    const client = { withSignal: () => gone as unknown as ReturnType<Client['withSignal']> };
    await expect(zipConversation(client, 'a')).rejects.toThrow('There is no such conversation.');
  });
});
