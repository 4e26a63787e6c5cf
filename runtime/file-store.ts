import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import { ConfigurationError, NotFound, Throttled } from '../core/base/text/errors';
import type { FileStore } from '../core/conversations/files/file-store';
import { contentDisposition } from './content-disposition';
import { optionalVariable, variable } from './environment';

export interface S3FileStoreOptions {
  bucket: string;
  region: string;
  /** Serves S3 under `<endpoint>/<bucket>`. Default: S3's own address of the bucket. */
  endpoint?: string;
  /** Are read for each request, because they change. */
  credentials: () => { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
}

/** The headers of a request to S3 that concern the object. */
type Headers = Record<string, string>;

interface Answer {
  headers: Headers;
  body: Uint8Array;
}

/** For the connection, and for a silence of the server. A large object may take longer. */
const timeouts = { connectionTimeout: 3_000, socketTimeout: 20_000 };

/** S3's own words for what may pass. Each status from 500, and 429, may pass as well. */
const passing = new Set([
  'RequestTimeout',
  'SlowDown',
  'OperationAborted',
  'ConditionalRequestConflict',
  'KMS.ThrottlingException',
]);

const checksumHeader = 'x-amz-checksum-sha256';
const lengthHeader = 'content-length';

/**
 * Returns the store of files' bytes in an S3 bucket.
 *
 * It signs with the signer of the AWS SDK, which every bundle has anyway. `@aws-sdk/client-s3` would add 170 KB to each
 * function that uses files, for five requests.
 *
 * Retries are the callers': each passing error is `Throttled`.
 */
export function s3FileStore({ bucket, region, endpoint, credentials }: S3FileStoreOptions): FileStore {
  const { protocol, hostname, port, host, base } = addressOf(bucket, region, endpoint);
  const http = new NodeHttpHandler(timeouts);
  const signer = new SignatureV4({
    service: 's3',
    region,
    uriEscapePath: false,
    applyChecksum: true,
    credentials: async () => credentials(),
    sha256: Sha256,
  });
  const requestOf = (method: string, key: string, headers: Headers, query: Record<string, string> = {}) => ({
    method,
    protocol,
    hostname,
    port,
    path: `${base}/${pathOf(key)}`,
    query,
    headers: { host, ...headers },
  });

  async function signedAddress(
    request: ReturnType<typeof requestOf>,
    expiresIn: number,
    inHeaders: string[] = [],
  ): Promise<string> {
    const headers = { ...request.headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
    const { path, query = {} } = await signer.presign(
      { ...request, headers },
      // The signer would move headers of Amazon into the address, where S3 ignores a checksum.
      { expiresIn, unhoistableHeaders: new Set(inHeaders) },
    );
    return `${protocol}//${host}${path}?${queryText(query as Record<string, string>)}`;
  }

  async function send(
    method: string,
    key: string,
    headers: Headers = {},
    body?: Uint8Array,
  ): Promise<Answer | undefined> {
    const signed = await signer.sign({ ...requestOf(method, key, headers), body });
    const { statusCode, ...answer } = await answered(http, signed as Sent).catch((cause: Error) => {
      throw new Throttled(`The file store did not answer (${method}).`, { cause });
    });
    if (statusCode < 300) return answer;
    const code = /<Code>([\w.]+)<\/Code>/.exec(Buffer.from(answer.body).toString())?.[1] ?? `status ${statusCode}`;
    if (statusCode === 404 && code !== 'NoSuchBucket') return undefined;
    if (statusCode >= 500 || statusCode === 429 || passing.has(code))
      throw new Throttled(`The file store did not answer (${method}: ${code}).`);
    if (code === 'InvalidRange') return { headers: {}, body: new Uint8Array() };
    throw new ConfigurationError(
      `The bucket ${bucket} refuses ${method} with ${code}: check FILES_BUCKET, the function's rights and the bucket's key.`,
    );
  }

  return {
    uploadAddress: async ({ key, mediaType, size, sha256 }, expiresInSeconds) => {
      const headers = { 'content-type': mediaType, [checksumHeader]: sha256 };
      const request = requestOf('PUT', key, { ...headers, [lengthHeader]: String(size) });
      return { url: await signedAddress(request, expiresInSeconds, [checksumHeader]), headers };
    },
    downloadAddress: ({ key, mediaType, filename }, { inline, expiresInSeconds }) => {
      const overrides = {
        'response-content-type': mediaType,
        'response-content-disposition': contentDisposition(inline, filename),
        // An uploader may have named an encoding, which is not signed.
        'response-content-encoding': 'identity',
      };
      return signedAddress(requestOf('GET', key, {}, overrides), expiresInSeconds);
    },
    async find(key) {
      const found = await send('HEAD', key, { 'x-amz-checksum-mode': 'ENABLED' });
      return found && { size: Number(found.headers[lengthHeader]), sha256: found.headers[checksumHeader] ?? '' };
    },
    async read(key, firstBytes) {
      const range: Headers = firstBytes === undefined ? {} : { range: `bytes=0-${Math.max(0, firstBytes - 1)}` };
      const found = await send('GET', key, range);
      if (!found) throw new NotFound('The file is not in the store.');
      return firstBytes === undefined ? found.body : found.body.subarray(0, firstBytes);
    },
    async write({ key, mediaType, size, sha256 }, bytes) {
      const headers = { 'content-type': mediaType, [lengthHeader]: String(size), [checksumHeader]: sha256 };
      if (!(await send('PUT', key, headers, bytes)))
        throw new ConfigurationError(`The bucket ${bucket} took no file: check FILES_BUCKET.`);
    },
    async delete(key) {
      await send('DELETE', key);
    },
  };
}

/** Opens the file store of this deployment. Call it once per process, because it keeps its connections. */
export const filesOfDeployment = (): FileStore =>
  s3FileStore({
    bucket: variable('FILES_BUCKET'),
    region: variable('AWS_REGION'),
    endpoint: optionalVariable('AWS_ENDPOINT_URL_S3') ?? optionalVariable('AWS_ENDPOINT_URL'),
    credentials: () => ({
      accessKeyId: variable('AWS_ACCESS_KEY_ID'),
      secretAccessKey: variable('AWS_SECRET_ACCESS_KEY'),
      sessionToken: optionalVariable('AWS_SESSION_TOKEN'),
    }),
  });

/** The bucket's own address, or a path of another server. */
function addressOf(bucket: string, region: string, endpoint?: string) {
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const { protocol, hostname, port, host, pathname } = new URL(
    endpoint === undefined ? `https://${bucket}.s3.${region}.${suffix}` : `${endpoint.replace(/\/$/, '')}/${bucket}`,
  );
  return { protocol, hostname, port: port ? Number(port) : undefined, host, base: pathname.replace(/\/$/, '') };
}

const pathOf = (key: string): string => key.split('/').map(encoded).join('/');

const queryText = (query: Record<string, string>): string =>
  Object.entries(query)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join('&');

/** As signatures want it: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** The signer's type lacks a method of the class that it returns. */
type Sent = Parameters<NodeHttpHandler['handle']>[0];

async function answered(http: NodeHttpHandler, request: Sent): Promise<Answer & { statusCode: number }> {
  const { response } = await http.handle(request);
  const chunks: Buffer[] = [];
  for await (const chunk of response.body as IncomingMessage) chunks.push(chunk as Buffer);
  return { statusCode: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

/** The digest that the signer of the SDK asks for: SHA-256, keyed if there is a secret. */
class Sha256 {
  private hash: Hash | Hmac;
  constructor(private readonly secret?: string | ArrayBuffer | ArrayBufferView) {
    this.hash = this.begun();
  }
  update(data: string | Uint8Array): void {
    this.hash.update(data);
  }
  async digest(): Promise<Uint8Array> {
    return this.hash.digest();
  }
  reset(): void {
    this.hash = this.begun();
  }
  private begun(): Hash | Hmac {
    const { secret } = this;
    if (secret === undefined) return createHash('sha256');
    return createHmac('sha256', typeof secret === 'string' ? secret : bytesOf(secret));
  }
}

const bytesOf = (data: ArrayBuffer | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
