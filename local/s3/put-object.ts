import type { IncomingMessage } from 'node:http';
import type { Digests, Received } from './objects';
import type { S3Request } from './s3';
import { notImplemented, S3Error } from './s3-error';

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html */
const mostBytes = 5 * 1_024 ** 3;
const mostKeyBytes = 1_024;

/** The headers that S3 keeps with the object. */
const kept =
  /^(cache-control|content-disposition|content-encoding|content-language|content-type|expires|x-amz-meta-.+)$/;

/** Headers that would change what is stored, or who may read it. */
const unsupported =
  /^x-amz-(acl|copy-source.*|grant-.*|object-lock-.*|storage-class|tagging|website-.*|trailer|write-offset-bytes)$/;

/** The checksums that are verified, and their lengths. */
const checksums = { crc32: 4, sha1: 20, sha256: 32 } as const;
type Checksum = keyof typeof checksums;

/** Stores an object when all of its bytes are on disk and are those that were announced. */
export async function putObject(asked: S3Request): Promise<void> {
  const { request, response, bucket, key, now, headers } = asked;
  const length = lengthOf(request);
  if (Buffer.byteLength(key) > mostKeyBytes) throw new S3Error('KeyTooLongError', 'Your key is too long');
  const other = Object.keys(request.headers).find((name) => unsupported.test(name));
  if (other) throw notImplemented(`the header ${other}`);
  const given = checksumOf(request);
  const { 'if-none-match': noneMatch, 'if-match': match } = request.headers;
  if (match !== undefined || (noneMatch !== undefined && noneMatch !== '*'))
    throw notImplemented('conditions other than If-None-Match: *');

  const received = await receivedFrom(asked, length);
  try {
    const { digests } = received;
    assertSame(request, digests, given);
    const etag = `"${digests.md5.toString('hex')}"`;
    const stored = Object.entries(request.headers).filter(([name]) => kept.test(name));
    const info = {
      key,
      size: digests.size,
      etag,
      modified: now,
      headers: { 'content-type': 'binary/octet-stream', ...(Object.fromEntries(stored) as Record<string, string>) },
      checksums: given ? { [given.header]: given.value } : {},
    };
    await received.store(bucket, info, noneMatch === '*');
    response.writeHead(200, { ...headers, ...info.checksums, etag, 'content-length': 0 }).end();
  } catch (error) {
    await received.discard();
    throw error;
  }
}

function lengthOf(request: IncomingMessage): number {
  const { 'content-length': length, 'x-amz-content-sha256': payload = '' } = request.headers;
  if (String(payload).startsWith('STREAMING-'))
    throw notImplemented('bodies in signed chunks: send a body whose length is known');
  if (length === undefined)
    throw new S3Error('MissingContentLength', 'You must provide the Content-Length HTTP header.', 411);
  if (Number(length) > mostBytes)
    throw new S3Error('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');
  return Number(length);
}

async function receivedFrom({ request, objects }: S3Request, length: number): Promise<Received> {
  const incomplete = () =>
    new S3Error(
      'IncompleteBody',
      'You did not provide the number of bytes specified by the Content-Length HTTP header',
    );
  const received = await objects.receive(request).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ECONNRESET' ? incomplete() : error;
  });
  if (received.digests.size === length) return received;
  await received.discard();
  throw incomplete();
}

interface Given {
  header: string;
  algorithm: Checksum;
  value: string;
}

/** Only headers count. S3 ignores a checksum in a signed address. */
function checksumOf({ headers }: IncomingMessage): Given | undefined {
  const found = Object.keys(headers).filter((name) => /^x-amz-checksum-(?!mode|type|algorithm)/.test(name));
  const [header, second] = found;
  if (second)
    throw new S3Error(
      'InvalidRequest',
      'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.',
    );
  if (!header) {
    if (headers['x-amz-sdk-checksum-algorithm'] === undefined) return undefined;
    throw new S3Error(
      'InvalidRequest',
      'x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found.',
    );
  }
  const algorithm = header.replace('x-amz-checksum-', '');
  if (!Object.hasOwn(checksums, algorithm)) throw notImplemented(`the checksum ${algorithm}`);
  const value = String(headers[header]);
  if (isDigest(value, checksums[algorithm as Checksum])) return { header, algorithm: algorithm as Checksum, value };
  throw new S3Error('InvalidRequest', `Value for ${header} header is invalid.`);
}

function assertSame({ headers }: IncomingMessage, digests: Digests, given: Given | undefined): void {
  const { 'content-md5': md5, 'x-amz-content-sha256': payload } = headers;
  if (md5 !== undefined && !isDigest(String(md5), 16))
    throw new S3Error('InvalidDigest', 'The Content-MD5 you specified was invalid.');
  if (md5 !== undefined && digests.md5.toString('base64') !== md5)
    throw new S3Error('BadDigest', 'The Content-MD5 you specified did not match what we received.');
  if (payload !== undefined && payload !== 'UNSIGNED-PAYLOAD' && digests.sha256.toString('hex') !== payload)
    throw new S3Error(
      'XAmzContentSHA256Mismatch',
      "The provided 'x-amz-content-sha256' header does not match what was computed.",
    );
  if (given && digests[given.algorithm].toString('base64') !== given.value)
    throw new S3Error(
      'BadDigest',
      `The ${given.algorithm.toUpperCase()} you specified did not match the calculated checksum.`,
    );
}

const isDigest = (value: string, bytes: number): boolean => {
  const decoded = Buffer.from(value, 'base64');
  return decoded.length === bytes && decoded.toString('base64') === value;
};
