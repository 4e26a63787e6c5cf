import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '../client';
import { RequestFailed } from '../problem';

// Uploads against a server with the API's and the store's addresses. It checks what a store checks: the address, the type and the digest.

let server: Server;
let url: string;
/** What was asked for, in order, with the bodies of the API's requests. */
let requests: string[];
/** Called instead of the store, for each upload of bytes. */
let faults: ((request: IncomingMessage, response: ServerResponse) => void)[];
let stored: Map<string, Buffer>;
let addresses: number;
let signedType: string;

beforeAll((done) => {
  server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1', () => {
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    done();
  });
});
afterAll((done) => {
  server.closeAllConnections();
  server.close(done);
});
beforeEach(() => {
  requests = [];
  faults = [];
  stored = new Map();
  addresses = 0;
  // Pauses between attempts are half a pause and a random part of one: here none.
  jest.spyOn(Math, 'random').mockReturnValue(-0.5);
});
afterEach(() => jest.restoreAllMocks());

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64');
const idOf = (sha256: string) => `f_${sha256.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')}`;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url: path = '', headers } = request;
  const say = (status: number, body?: object) => response.writeHead(status).end(body && JSON.stringify(body));
  if (method === 'PUT') {
    requests.push(`PUT ${path}`);
    const fault = faults.shift();
    if (fault) return fault(request, response);
    const bytes = await bytesOf(request);
    const sha256 = headers['x-amz-checksum-sha256'];
    const isSigned = path === `/store/${addresses}` && headers['content-type'] === signedType;
    if (!isSigned || sha256 !== digestOf(bytes)) return void say(403);
    stored.set(idOf(sha256), bytes);
    return void say(200);
  }
  const body = String(await bytesOf(request));
  requests.push(`${method} ${path}${body && ` ${body}`}`);
  if (path === '/files') {
    const { size, mediaType, sha256 } = JSON.parse(body) as { size: number; mediaType: string; sha256: string };
    const id = idOf(sha256);
    if (size > 1_000_000) return void say(400, { errors: [{ path: 'size', message: 'send a smaller one' }] });
    const row = { id, mediaType, size, stored: stored.has(id) };
    if (row.stored) return void say(200, row);
    addresses += 1;
    signedType = mediaType;
    const signed = { 'content-type': mediaType, 'x-amz-checksum-sha256': sha256 };
    return void say(200, { ...row, upload: { method: 'PUT', url: `${url}/store/${addresses}`, headers: signed } });
  }
  const [, id] = path.match(/^\/files\/(f_[\w-]{43})\/complete$/) ?? [];
  if (id)
    return void (stored.has(id)
      ? say(200, { id, mediaType: isPdf(id) ? 'application/pdf' : 'text/plain', size: 5, stored: true })
      : say(409, { detail: 'not arrived' }));
  return void say(201, { id: 'c', seq: 1, messages: [], calls: [], callbacks: [], timers: [] });
}

const isPdf = (id: string): boolean => String(stored.get(id)).startsWith('%PDF');

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const client = () => createClient({ url, token: () => 't' });
const notes = (text = 'hello') => new File([text], 'notes.txt', { type: 'text/plain;charset=utf-8' });
const id = idOf(digestOf(Buffer.from('hello')));
const made = (start: string) => requests.filter((line) => line.startsWith(start));

test('a file is announced, sent and completed, and its name goes with the message (R215)', async () => {
  const progress: number[][] = [];
  const file = await client().upload(notes(), { onProgress: (...part) => progress.push(part) });
  expect(file).toEqual({ type: 'file', id, mediaType: 'text/plain', size: 5, filename: 'notes.txt' });
  expect(String(stored.get(id))).toBe('hello');
  expect(progress).toEqual([[5, 5]]);
  // What is stored is not sent again.
  await client().upload(notes());
  expect(made('PUT')).toHaveLength(1);
});

test('a file without a type is announced by its name, and is what the API has found it to be (R211)', async () => {
  const untyped = (text: string, name: string) => client().upload(new File([text], name));
  expect(await untyped('# Hi', 'README.md')).toMatchObject({ filename: 'README.md' });
  expect(await untyped('%PDF-1.7', 'scan')).toMatchObject({ mediaType: 'application/pdf' });
  const announced = requests.filter((line) => line.startsWith('POST /files {'));
  expect(announced.map((line) => /"mediaType":"([^"]+)"/.exec(line)?.[1])).toEqual([
    'text/markdown',
    'application/octet-stream',
  ]);
});

test('an empty file is uploaded (R215)', async () => {
  const empty = idOf(digestOf(Buffer.alloc(0)));
  expect(await client().upload(notes(''))).toMatchObject({ id: empty, size: 0 });
  expect(stored.get(empty)).toHaveLength(0);
});

test('bytes that are lost on the way are sent again, to another address when the first has expired (R215)', async () => {
  faults = [
    (request) => request.socket.destroy(),
    (request, response) => {
      request.resume();
      response.writeHead(403).end();
    },
    (request, response) => {
      request.resume();
      response.writeHead(503).end();
    },
  ];
  expect(await client().upload(notes())).toMatchObject({ id });
  expect(made('PUT')).toEqual([1, 2, 3, 4].map((nth) => `PUT /store/${nth}`));
});

test('bytes that never arrive are given up, with the reason (R215)', async () => {
  faults = Array.from({ length: 9 }, () => (request: IncomingMessage) => void request.socket.destroy());
  const error = await client()
    .upload(notes())
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RequestFailed);
  expect((error as Error).message).toBe('The file’s bytes did not arrive.');
  expect(made('PUT')).toHaveLength(5);
});

test('a file that the API refuses is not sent (R215)', async () => {
  const large = client().upload(notes('x'.repeat(1_000_001)));
  await expect(large).rejects.toThrow('size: send a smaller one');
  expect(made('PUT')).toEqual([]);
});

test('an abort ends an upload in the middle, with the signal’s reason (R215)', async () => {
  const control = new AbortController();
  const reason = new Error('The user has removed it.');
  faults = [() => control.abort(reason)];
  await expect(client().upload(notes(), { signal: control.signal })).rejects.toBe(reason);
  expect([made('PUT').length, made('POST /files/').length, stored.size]).toEqual([1, 0, 0]);
});

test('a conversation starts when its files are uploaded, and its text is sent once (R215)', async () => {
  const parts: number[][] = [];
  const files = [notes(), new Blob(['more'], { type: 'text/plain' }), { type: 'file' as const, id }];
  const onProgress = (...part: number[]) => parts.push(part);
  await client().start({ agent: 'guide', text: 'Read these', files, onProgress });
  const [request = ''] = made('POST /conversations ');
  const body = JSON.parse(request.slice('POST /conversations '.length)) as Record<string, unknown>;
  expect(Object.keys(body).sort()).toEqual(['agent', 'clientMessageId', 'id', 'parts']);
  expect(body.parts).toEqual([
    { type: 'text', text: 'Read these' },
    { type: 'file', id, filename: 'notes.txt' },
    { type: 'file', id: idOf(digestOf(Buffer.from('more'))) },
    { type: 'file', id },
  ]);
  expect(parts.at(-1)).toEqual([9, 9]);
  expect(requests.at(-1)).toBe(request);
});

test('if one file of a message is refused, the others end and nothing is sent (R215)', async () => {
  const held = new Promise<void>((resolve) => {
    faults = [(request) => request.on('close', resolve)];
  });
  const files = [notes(), notes('x'.repeat(1_000_001))];
  await expect(client().conversation('c').send({ text: 'Both', files })).rejects.toThrow('send a smaller one');
  if (made('PUT').length > 0) await held;
  expect([made('POST /conversations'), stored.size]).toEqual([[], 0]);
});

test('a message with files alone has no text (R215)', async () => {
  await client()
    .conversation('c')
    .send({ files: [notes()] });
  const [request = ''] = made('POST /conversations/c/messages');
  expect(JSON.parse(request.slice(request.indexOf('{')))).toEqual({
    clientMessageId: expect.any(String),
    parts: [{ type: 'file', id, filename: 'notes.txt' }],
  });
});
