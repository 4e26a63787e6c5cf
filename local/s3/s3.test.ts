import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { crc32 } from 'node:zlib';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
} from '@aws-sdk/client-s3';
import { type Handwritten, handwritten } from '../../test/support/handwritten/assembly';
import { bucketName as Bucket, bucketFunctions, bucketResources, keysOf } from '../../test/support/handwritten/bucket';
import { type LocalCloud, startLocalCloud } from '../cloud';

// The SDK's own client against the local S3, which checks what it gets as AWS does.

let made: Handwritten;
let cloud: LocalCloud;
const clients: S3Client[] = [];

beforeAll(async () => {
  made = handwritten(bucketResources(), bucketFunctions);
  cloud = await startLocalCloud({ assembly: made.assembly, stateDirectory: made.stateDirectory });
});
afterAll(async () => {
  for (const client of clients) client.destroy();
  await cloud.stop();
  made.remove();
});

function clientOf(id?: string, secretAccessKey?: string): S3Client {
  const own = id ? keysOf(id, made.stateDirectory) : { accessKeyId: 'test', secretAccessKey: 'test' };
  const credentials = { ...own, ...(secretAccessKey && { secretAccessKey }) };
  const client = new S3Client({ region: 'us-east-1', endpoint: cloud.awsUrl, credentials, maxAttempts: 1 });
  clients.push(client);
  return client;
}
let kept: S3Client;
const keeper = () => (kept ??= clientOf('Keeper'));

const put = (Key: string, Body: string | Uint8Array, more: Partial<PutObjectCommandInput> = {}, client = keeper()) =>
  client.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const get = async (Key: string, more: object = {}, client = keeper()) => {
  const { Body, ...rest } = await client.send(new GetObjectCommand({ Bucket, Key, ...more }));
  return { ...rest, text: await Body!.transformToString() };
};
const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('base64');
const md5 = (text: string) => createHash('md5').update(text).digest('base64');
/** Returns the error's code and status. */
const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: { name: string; $metadata: { httpStatusCode?: number } }) => [error.name, error.$metadata.httpStatusCode],
  );

test('an object is stored, found, read in parts and deleted', async () => {
  const stored = await put('files/a', 'Hello, bucket', {
    ContentType: 'text/plain',
    ChecksumSHA256: sha256('Hello, bucket'),
    Metadata: { author: 'ann' },
  });
  expect(stored).toMatchObject({
    ETag: `"${createHash('md5').update('Hello, bucket').digest('hex')}"`,
    ChecksumSHA256: sha256('Hello, bucket'),
  });
  const about = { ContentLength: 13, ContentType: 'text/plain', ETag: stored.ETag, Metadata: { author: 'ann' } };
  expect(await get('files/a')).toMatchObject({ ...about, text: 'Hello, bucket' });
  expect(await get('files/a', { Range: 'bytes=7-' })).toMatchObject({ text: 'bucket', ContentRange: 'bytes 7-12/13' });
  expect(await get('files/a', { Range: 'bytes=-3' })).toMatchObject({ text: 'ket', ContentLength: 3 });
  expect(await get('files/a', { Range: 'bytes=0-4' })).toMatchObject({ text: 'Hello' });
  expect(await refused(get('files/a', { Range: 'bytes=13-' }))).toEqual(['InvalidRange', 416]);
  const head = (more: object) => keeper().send(new HeadObjectCommand({ Bucket, Key: 'files/a', ...more }));
  expect(await head({ ChecksumMode: 'ENABLED' })).toMatchObject({ ...about, ChecksumSHA256: sha256('Hello, bucket') });
  expect((await head({})).ChecksumSHA256).toBeUndefined();
  expect(await refused(get('files/a', { IfNoneMatch: stored.ETag }))).toEqual([expect.anything(), 304]);
  await keeper().send(new DeleteObjectCommand({ Bucket, Key: 'files/a' }));
  await keeper().send(new DeleteObjectCommand({ Bucket, Key: 'files/a' }));
  expect(await refused(get('files/a'))).toEqual(['NoSuchKey', 404]);
  expect(await refused(head({}))).toEqual(['NotFound', 404]);
});

test.each<[string, Partial<PutObjectCommandInput>, [string, number]]>([
  ['SHA-256', { ChecksumSHA256: sha256('other') }, ['BadDigest', 400]],
  ['CRC32', { ChecksumCRC32: 'AAAAAA==' }, ['BadDigest', 400]],
  ['MD5', { ContentMD5: md5('other') }, ['BadDigest', 400]],
  ['no MD5', { ContentMD5: 'nonsense' }, ['InvalidDigest', 400]],
  ['no SHA-256', { ChecksumSHA256: 'AAAA' }, ['InvalidRequest', 400]],
])('bytes with another %s are refused, and nothing is stored (R211)', async (_, more, code) => {
  expect(await refused(put('files/wrong', 'bytes', more))).toEqual(code);
  expect(await refused(get('files/wrong'))).toEqual(['NoSuchKey', 404]);
});

test('checksums that fit are kept: MD5, CRC32, SHA-256', async () => {
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32('bytes'));
  await put('files/right', 'bytes', { ContentMD5: md5('bytes'), ChecksumCRC32: crc.toString('base64') });
  // The SDK adds a CRC32 by itself, and verifies the one that it reads.
  expect((await get('files/right')).ChecksumCRC32).toBe(crc.toString('base64'));
});

test('a write that must be new leaves what is there', async () => {
  await put('files/once', 'first', { IfNoneMatch: '*' });
  expect(await refused(put('files/once', 'second', { IfNoneMatch: '*' }))).toEqual(['PreconditionFailed', 412]);
  expect((await get('files/once')).text).toBe('first');
  await put('files/once', 'third');
  expect((await get('files/once')).text).toBe('third');
});

test.each([
  'files/../../../etc/passwd',
  'files/a b+c%2F?&#',
  'files/Äpfel/🍐',
  'files//',
  "files/(it's)*!",
  'files/.',
  `files/${'k'.repeat(1_018)}`,
])('a key is a name and no path: %s (R211)', async (key) => {
  await put(key, key, { ChecksumSHA256: sha256(key) });
  expect((await get(key)).text).toBe(key);
  const listed = await keeper().send(new ListObjectsV2Command({ Bucket, Prefix: key }));
  expect(listed.Contents?.map(({ Key, Size }) => [Key, Size])).toEqual([[key, Buffer.byteLength(key)]]);
  await keeper().send(new DeleteObjectCommand({ Bucket, Key: key }));
});

test('a key of more than 1,024 bytes is refused', async () => {
  expect(await refused(put(`files/${'k'.repeat(1_019)}`, ''))).toEqual(['KeyTooLongError', 400]);
});

test('0 bytes are an object', async () => {
  await put('files/nothing', '', { ChecksumSHA256: sha256('') });
  expect(await get('files/nothing')).toMatchObject({ text: '', ContentLength: 0 });
  expect(await refused(get('files/nothing', { Range: 'bytes=0-0' }))).toEqual(['InvalidRange', 416]);
});

test('a list has the keys in order, in pages', async () => {
  for (const key of ['b', 'a/1', 'a/2', 'a/10', 'ä']) await put(`files/list/${key}`, key);
  const page = (more: object) => keeper().send(new ListObjectsV2Command({ Bucket, Prefix: 'files/list/', ...more }));
  const keys = ({ Contents = [] }: Awaited<ReturnType<typeof page>>) => Contents.map(({ Key }) => Key!.slice(11));
  const first = await page({ MaxKeys: 2 });
  expect([keys(first), first.IsTruncated]).toEqual([['a/1', 'a/10'], true]);
  const rest = await page({ ContinuationToken: first.NextContinuationToken });
  expect([keys(rest), rest.IsTruncated]).toEqual([['a/2', 'b', 'ä'], false]);
});

test('a role does what its policies say, in the bucket’s files (R211)', async () => {
  await put('files/role', 'text');
  const reader = clientOf('Reader');
  expect((await get('files/role', {}, reader)).text).toBe('text');
  expect(await refused(put('files/role', 'other', {}, reader))).toEqual(['AccessDenied', 403]);
  expect(await refused(reader.send(new DeleteObjectCommand({ Bucket, Key: 'files/role' })))).toEqual([
    'AccessDenied',
    403,
  ]);
  // Without the right to list, S3 does not tell what is missing.
  expect(await refused(get('files/missing', {}, reader))).toEqual(['AccessDenied', 403]);
  expect(await refused(reader.send(new ListObjectsV2Command({ Bucket })))).toEqual(['AccessDenied', 403]);
  expect(await refused(get('files/role', {}, clientOf('Stranger')))).toEqual(['AccessDenied', 403]);
  expect(await refused(put('other/key', 'text'))).toEqual(['AccessDenied', 403]);
});

test('a function’s key with another secret is refused; a developer’s key may do anything (R211)', async () => {
  expect(await refused(get('files/role', {}, clientOf('Keeper', 'guessed')))).toEqual(['SignatureDoesNotMatch', 403]);
  await put('anywhere', 'text', {}, clientOf());
  const elsewhere = clientOf().send(new GetObjectCommand({ Bucket: 'elsewhere', Key: 'k' }));
  expect(await refused(elsewhere)).toEqual(['NoSuchBucket', 404]);
});

test('what is not served is refused by name', async () => {
  const tagged = put('files/tagged', '', { Tagging: 'a=b' });
  await expect(tagged).rejects.toThrow('The local S3 does not serve the header x-amz-tagging.');
  expect(await refused(tagged)).toEqual(['NotImplemented', 501]);
});

test('a connection that ends within the body leaves nothing (R211)', async () => {
  const authorization = 'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request';
  await new Promise<void>((resolve) => {
    const sent = request(`${cloud.awsUrl}/${Bucket}/files/cut`, {
      method: 'PUT',
      headers: { authorization, 'content-length': '100' },
    });
    sent.on('error', () => resolve());
    sent.write('the first ');
    setTimeout(() => sent.destroy(), 50);
  });
  expect(await refused(get('files/cut'))).toEqual(['NoSuchKey', 404]);
});

const preflight = (origin: string, method = 'PUT', headers = 'content-type,x-amz-checksum-sha256') =>
  fetch(`${cloud.awsUrl}/${Bucket}/files/a?X-Amz-Signature=0`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': headers },
  });

test('pages of the template’s rules and of this machine may send what is signed, and no others (R211)', async () => {
  const allowed = await preflight('https://shop.example.com');
  expect([allowed.status, Object.fromEntries(allowed.headers)]).toEqual([
    200,
    expect.objectContaining({
      'access-control-allow-origin': 'https://shop.example.com',
      'access-control-allow-methods': 'PUT',
      'access-control-allow-headers': 'content-type, x-amz-checksum-sha256',
      'access-control-max-age': '60',
    }),
  ]);
  expect((await preflight('http://localhost:3000')).status).toBe(200);
  for (const [origin, method, headers] of [
    ['https://evil.example.org'],
    ['http://localhost.evil.example'],
    ['https://shop.example.com', 'GET'],
    ['https://shop.example.com', 'PUT', 'authorization'],
    ['http://localhost:3000', 'DELETE'],
  ] as const) {
    const answer = await preflight(origin, method, headers);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    expect(await answer.text()).toContain('<Code>AccessForbidden</Code>');
  }
});
