import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { FileStore, StoredFile } from '../core/conversations/files/file-store';
import { type LocalCloud, startLocalCloud } from '../local/cloud';
import { listen } from '../local/model-server/listen';
import { type Handwritten, handwritten } from '../test/support/handwritten/assembly';
import { bucketFunctions, bucketName, bucketResources, keysOf } from '../test/support/handwritten/bucket';
import { filesOfDeployment, s3FileStore } from './file-store';

let made: Handwritten;
let cloud: LocalCloud;
let store: FileStore;
const storeOf = (id: string, bucket = bucketName) => {
  // A function's time is that of the moved clock, and here nothing else replaces it.
  const credentials = () => keysOf(id, made.stateDirectory);
  return s3FileStore({ bucket, region: 'us-east-1', endpoint: cloud.awsUrl, credentials });
};
beforeAll(async () => {
  made = handwritten(bucketResources(), bucketFunctions);
  cloud = await startLocalCloud({ assembly: made.assembly, stateDirectory: made.stateDirectory });
  store = storeOf('Keeper');
});
afterAll(async () => {
  await cloud.stop();
  made.remove();
});

const bytes = Buffer.from('%PDF-1.7 of a receipt');
const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest('base64');
const file = (key: string, more: Partial<StoredFile> = {}): StoredFile => ({
  key: `files/${key}`,
  mediaType: 'application/pdf',
  size: bytes.length,
  sha256: sha256(bytes),
  ...more,
});
const download = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, { headers });
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
};
/** Sends an upload as a browser does, which sets the length itself. Returns its status and the error's code. */
async function upload(
  { url, headers }: { url: string; headers: Record<string, string> },
  body: Uint8Array = bytes,
  origin = 'http://localhost:3000',
) {
  const answer = await fetch(url, { method: 'PUT', headers: { ...headers, origin }, body: Buffer.from(body) });
  const code = /<Code>(.*)<\/Code>/.exec(await answer.text())?.[1];
  return [answer.status, code].filter((one) => one !== undefined);
}

test('what is written is found, read whole or in part, and deleted', async () => {
  await store.write(file('a'), bytes);
  expect(await store.find('files/a')).toEqual({ size: bytes.length, sha256: sha256(bytes) });
  expect(Buffer.from(await store.read('files/a'))).toEqual(bytes);
  expect(Buffer.from(await store.read('files/a', 4)).toString()).toBe('%PDF');
  expect((await store.read('files/a', 0)).length).toBe(0);
  expect(Buffer.from(await store.read('files/a', 4_096))).toEqual(bytes);
  await store.delete('files/a');
  await store.delete('files/a');
  expect(await store.find('files/a')).toBeUndefined();
  await expect(store.read('files/a')).rejects.toMatchObject({ name: 'NotFound' });
});

test('nothing is stored under a digest that is not its own (R211)', async () => {
  const wrong = store.write(file('wrong', { sha256: sha256(Buffer.from('other')) }), bytes);
  await expect(wrong).rejects.toThrow(
    "The bucket small-files refuses PUT with BadDigest: check FILES_BUCKET, the function's rights and the bucket's key.",
  );
  expect(await store.find('files/wrong')).toBeUndefined();
});

test('0 bytes are a file, whose beginning is empty', async () => {
  const none = new Uint8Array();
  await store.write(file('none', { size: 0, sha256: sha256(none) }), none);
  expect(await store.find('files/none')).toEqual({ size: 0, sha256: sha256(none) });
  expect((await store.read('files/none', 16)).length).toBe(0);
  const address = await store.uploadAddress(file('none2', { size: 0, sha256: sha256(none) }), 60);
  expect(await upload(address, none)).toEqual([200]);
});

test.each(["files/it's (1)*!/ä 🍐.pdf", 'files/a%2Fb+c?d&e=f#g'])(
  'any key is signed as it is sent: %s',
  async (key) => {
    await store.write({ ...file('x'), key }, bytes);
    const url = await store.downloadAddress(
      { key, mediaType: 'application/pdf' },
      { inline: false, expiresInSeconds: 60 },
    );
    expect((await download(url)).status).toBe(200);
    await store.delete(key);
  },
);

test('an upload takes exactly the bytes, the length and the type that were announced (R211)', async () => {
  const address = await store.uploadAddress(file('upload'), 300);
  expect(address.headers).toEqual({ 'content-type': 'application/pdf', 'x-amz-checksum-sha256': sha256(bytes) });
  expect(new URL(address.url).searchParams.get('X-Amz-SignedHeaders')).toBe(
    'content-length;content-type;host;x-amz-checksum-sha256',
  );
  const other = Buffer.from(bytes.toString().replace('receipt', 'invoice'));
  const { 'x-amz-checksum-sha256': digest, ...withoutDigest } = address.headers;
  const typed = { ...address.headers, 'content-type': 'text/html' };
  const mismatch = [403, 'SignatureDoesNotMatch'];
  expect(other.length).toBe(bytes.length);
  expect(await upload(address, other)).toEqual([400, 'BadDigest']);
  expect(
    await upload({ ...address, headers: { ...address.headers, 'x-amz-checksum-sha256': sha256(other) } }, other),
  ).toEqual(mismatch);
  expect(await upload({ ...address, headers: withoutDigest as Record<string, string> })).toEqual(mismatch);
  expect(await upload(address, Buffer.concat([bytes, bytes]))).toEqual(mismatch);
  expect(await upload({ ...address, headers: typed })).toEqual(mismatch);
  expect(await upload({ ...address, url: address.url.replace('files/upload', 'files/other') })).toEqual(mismatch);
  expect(await upload({ ...address, url: address.url.replace('Expires=300', 'Expires=3000') })).toEqual(mismatch);
  expect(await upload({ ...address, headers: { ...address.headers, 'x-amz-acl': 'public-read' } })).toEqual([
    403,
    'AccessDenied',
  ]);
  expect(digest).toBe(sha256(bytes));
  expect(await store.find('files/upload')).toBeUndefined();

  expect(await upload(address)).toEqual([200]);
  // A second time changes nothing: they can only be the same bytes.
  expect(await upload(address)).toEqual([200]);
  expect(await store.find('files/upload')).toEqual({ size: bytes.length, sha256: sha256(bytes) });
});

test('an address does what its signer may, to what it names (R211)', async () => {
  await store.write(file('mine'), bytes);
  const reading = { inline: true, expiresInSeconds: 60 };
  expect(await upload(await storeOf('Reader').uploadAddress(file('mine'), 60))).toEqual([403, 'AccessDenied']);
  const read = async (id: string, key: string) =>
    (await download(await storeOf(id).downloadAddress({ ...file('x'), key }, reading))).status;
  expect(await read('Reader', 'files/mine')).toBe(200);
  expect(await read('Stranger', 'files/mine')).toBe(403);
  expect(await read('Keeper', 'secrets/mine')).toBe(403);
  const url = await store.downloadAddress(file('mine'), reading);
  expect(await upload({ url, headers: {} })).toEqual([403, 'SignatureDoesNotMatch']);
});

test('a download has the type and the name that the address says, whatever the upload said (R211)', async () => {
  const address = await store.uploadAddress(file('named', { mediaType: 'text/html' }), 60);
  const odd = { ...address.headers, 'content-encoding': 'gzip', 'content-disposition': 'inline' };
  expect(await upload({ ...address, headers: odd })).toEqual([200]);
  // Its bytes are read as they are, whatever they are said to be.
  expect(Buffer.from(await store.read('files/named'))).toEqual(bytes);
  const named = { key: 'files/named', mediaType: 'application/pdf', filename: 'Reçu\r\nx: y.pdf' };
  const saved = await download(await store.downloadAddress(named, { inline: false, expiresInSeconds: 60 }));
  expect(saved).toMatchObject({
    text: bytes.toString(),
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="Re_ux_ y.pdf"; filename*=UTF-8''Re%C3%A7ux_%20y.pdf`,
      'content-encoding': 'identity',
    },
  });
  const url = await store.downloadAddress(named, { inline: true, expiresInSeconds: 60 });
  expect((await download(url)).headers['content-disposition']).toMatch(/^inline; /);
  expect((await download(url.replace('inline', 'attachment'))).status).toBe(403);
  expect((await download(url, { range: 'bytes=0-3' })).text).toBe('%PDF');
});

test('a page reads the answer if its origin may (R211)', async () => {
  const url = await store.downloadAddress(file('mine'), { inline: true, expiresInSeconds: 60 });
  const seen = async (origin: string) => (await download(url, { origin })).headers['access-control-allow-origin'];
  expect(await seen('http://localhost:3000')).toBe('http://localhost:3000');
  expect(await seen('https://evil.example')).toBeUndefined();
});

test('an address expires by the cloud’s clock (R211)', async () => {
  const up = await store.uploadAddress(file('late'), 60);
  const down = await store.downloadAddress(file('mine'), { inline: true, expiresInSeconds: 3_600 });
  cloud.clock.advance(61_000);
  expect(await upload(up)).toEqual([403, 'AccessDenied']);
  expect((await download(down)).status).toBe(200);
  cloud.clock.advance(3_600_000);
  expect(await download(down)).toMatchObject({ status: 403, text: expect.stringContaining('Request has expired') });
  expect(await store.find('files/late')).toBeUndefined();
});

describe('a store that does not work', () => {
  async function against(answer: RequestListener, run: (broken: FileStore) => Promise<void>) {
    const { url: endpoint, stop } = await listen(answer);
    const credentials = () => ({ accessKeyId: 'a', secretAccessKey: 'b' });
    await run(s3FileStore({ bucket: 'b', region: 'us-east-1', endpoint, credentials })).finally(stop);
  }

  test.each<[number, string]>([
    [503, 'SlowDown'],
    [500, 'InternalError'],
    [400, 'RequestTimeout'],
    [429, 'TooManyRequests'],
  ])('%i %s is Throttled, so the call is made again', async (status, code) => {
    await against(
      (_, response) => response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`),
      async (broken) => {
        await expect(broken.read('files/a')).rejects.toMatchObject({ name: 'Throttled' });
        await expect(broken.write(file('a'), bytes)).rejects.toMatchObject({ name: 'Throttled' });
        await expect(broken.delete('files/a')).rejects.toMatchObject({ name: 'Throttled' });
      },
    );
  });

  test('no answer is Throttled, a part of one too', async () => {
    await against(
      (_, response) => response.socket!.destroy(),
      (broken) => expect(broken.find('files/a')).rejects.toMatchObject({ name: 'Throttled' }),
    );
    await against(
      (_, response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('half');
        setTimeout(() => response.socket!.destroy(), 20);
      },
      (broken) => expect(broken.read('files/a')).rejects.toMatchObject({ name: 'Throttled' }),
    );
  });

  test('a missing bucket and a missing right are mistakes of the deployment', async () => {
    await expect(storeOf('Keeper', 'elsewhere').read('files/a')).rejects.toMatchObject({ name: 'ConfigurationError' });
    await expect(storeOf('Stranger').find('files/a')).rejects.toMatchObject({ name: 'ConfigurationError' });
  });
});

describe('on AWS', () => {
  const before = { ...process.env };
  afterEach(() => {
    process.env = { ...before };
  });

  test.each([
    ['eu-central-1', 'https://ours.s3.eu-central-1.amazonaws.com/files/a?'],
    ['cn-north-1', 'https://ours.s3.cn-north-1.amazonaws.com.cn/files/a?'],
  ])('addresses in %s are the bucket’s own, and have the token of the role', async (region, start) => {
    Object.assign(process.env, {
      FILES_BUCKET: 'ours',
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
      AWS_SESSION_TOKEN: 'token',
    });
    const { url } = await filesOfDeployment().uploadAddress(file('a'), 60);
    expect(url.startsWith(start)).toBe(true);
    expect(new URL(url).searchParams.get('X-Amz-Security-Token')).toBe('token');
  });
});
