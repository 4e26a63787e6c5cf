import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceHandler } from '../aws/aws-endpoint';
import { AwsError } from '../aws/aws-error';
import { isPreflight } from '../http-api/cors';
import type { Resource } from '../template/template';
import { type CorsRule, corsHeaders, preflightHeaders } from './cors-rules';
import { listObjects } from './list-objects';
import { type Objects, openObjects, type StoredObject } from './objects';
import { putObject } from './put-object';
import {
  accessDenied,
  noSuchKey,
  notImplemented,
  preconditionFailed,
  requestId,
  S3Error,
  sendS3Error,
} from './s3-error';
import { type Address, addressOf, isPresigned, type SignatureOptions, verifyAddress, verifyHeader } from './signature';

/**
 * S3 for the template's buckets, with the bucket in the path. Programs sign the header; whoever has an address that a
 * function signed, browsers too, may do what it says.
 */
export interface S3Options extends SignatureOptions {
  buckets: () => readonly Resource[];
  stateDirectory: string;
  /** Origins of the pages of this machine, which are in no template. */
  pages: readonly string[];
  /** Throws if the caller may not perform `action` on this bucket or object. */
  authorize: (accessKeyId: string, action: string, arn: string) => void;
}

export interface S3 {
  serve: ServiceHandler;
  /** Resolves with false for a request that neither has a signature in its address nor is a browser's question about one. */
  serveBrowser(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

/** One request for an object or a bucket. */
export interface S3Request {
  request: IncomingMessage;
  response: ServerResponse;
  query: Address['query'];
  bucket: string;
  key: string;
  objects: Objects;
  now: number;
  /** CORS, and the id of the request. */
  headers: Readonly<Record<string, string>>;
  may: (action: string) => boolean;
}

type Operation = (request: S3Request) => Promise<void>;

const onObjects: Readonly<Record<string, [action: string, operation: Operation]>> = {
  PUT: ['PutObject', putObject],
  GET: ['GetObject', getObject],
  HEAD: ['GetObject', getObject],
  DELETE: ['DeleteObject', deleteObject],
};
const onBuckets: Readonly<Record<string, [action: string, operation: Operation]>> = {
  GET: ['ListBucket', listObjects],
  HEAD: ['ListBucket', async ({ response, headers }) => void response.writeHead(200, headers).end()],
};

/** Parameters that ask for no other operation. */
const plain = new Set([
  'list-type',
  'prefix',
  'delimiter',
  'max-keys',
  'continuation-token',
  'start-after',
  'encoding-type',
  'fetch-owner',
  'x-id',
]);

export async function openS3(options: S3Options): Promise<S3> {
  const objects = await openObjects(options.stateDirectory);

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    sign: (address: Address) => string,
  ): Promise<void> {
    let headers: Record<string, string> = {};
    try {
      const address = addressOf(request);
      const [, name = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(address.path) ?? [];
      const bucket = options.buckets().find(({ ref }) => ref === name);
      const rules = bucket ? rulesOf(bucket, options.pages) : [];
      if (isPreflight(request)) return void response.writeHead(200, preflightHeaders(rules, request)).end();
      headers = corsHeaders(rules, request);
      const accessKeyId = sign(address);
      if (!bucket) throw new S3Error('NoSuchBucket', 'The specified bucket does not exist', 404);
      const { method = 'GET' } = request;
      const other = [...address.query.keys()].find((one) => !plain.has(one) && !/^(x-amz-|response-)/i.test(one));
      const operations = key ? onObjects : onBuckets;
      const found = other === undefined && Object.hasOwn(operations, method) ? operations[method] : undefined;
      if (!found) throw notImplemented(`${method} of ${other ?? (key ? 'an object' : 'a bucket')}`);
      const arn = String(bucket.attributes.Arn);
      const [action, operation] = found;
      options.authorize(accessKeyId, `s3:${action}`, key ? `${arn}/${key}` : arn);
      await operation({
        request,
        response,
        query: address.query,
        bucket: name,
        key,
        objects,
        now: options.now(),
        headers: { ...headers, 'x-amz-request-id': requestId() },
        may: (asked) => isAllowed(() => options.authorize(accessKeyId, `s3:${asked}`, arn)),
      });
    } catch (error) {
      if (!(error instanceof AwsError) || response.headersSent) throw error;
      sendS3Error(response, error, headers);
    }
  }

  return {
    serve: (request, response, { accessKeyId }) =>
      answer(request, response, (address) => {
        verifyHeader(request, address, options);
        return accessKeyId;
      }),
    async serveBrowser(request, response) {
      if (!isPresigned(request) && !(isPreflight(request) && !request.headers.authorization)) return false;
      await answer(request, response, (address) => verifyAddress(request, address, options));
      return true;
    },
  };
}

/** The template's rules, then one for the pages of this machine, which stand for the hosted page. */
function rulesOf({ properties }: Resource, pages: readonly string[]): CorsRule[] {
  const { CorsRules = [] } = (properties.CorsConfiguration ?? {}) as { CorsRules?: CorsRule[] };
  const local: CorsRule = {
    AllowedOrigins: [...pages],
    AllowedMethods: ['GET', 'PUT'],
    MaxAge: 3_600,
    AllowedHeaders: ['content-type', 'x-amz-checksum-sha256', 'range'],
    ExposedHeaders: ['accept-ranges', 'content-range', 'etag'],
  };
  return [...CorsRules, local];
}

function isAllowed(authorize: () => void): boolean {
  try {
    authorize();
    return true;
  } catch {
    return false;
  }
}

/** `response-content-type` replaces the header of the upload. */
const replaceable = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
];

async function getObject({ request, response, query, bucket, key, objects, headers, may }: S3Request): Promise<void> {
  const found = await objects.find(bucket, key);
  // Who may not list is not told what there is.
  if (!found) throw may('ListBucket') ? noSuchKey() : accessDenied();
  try {
    const { info } = found;
    const shown = {
      ...headers,
      ...info.headers,
      ...replacedHeaders(query),
      etag: info.etag,
      'accept-ranges': 'bytes',
      'last-modified': new Date(info.modified).toUTCString(),
    };
    const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
    if (match !== undefined && !matches(match, info.etag)) throw preconditionFailed();
    if (noneMatch !== undefined && matches(noneMatch, info.etag)) return void response.writeHead(304, shown).end();
    const range = rangeOf(request.headers.range, info.size);
    const checksums = !range && request.headers['x-amz-checksum-mode'] === 'ENABLED' ? info.checksums : {};
    response.writeHead(range ? 206 : 200, {
      ...shown,
      ...checksums,
      ...(Object.keys(checksums).length > 0 && { 'x-amz-checksum-type': 'FULL_OBJECT' }),
      ...(range && { 'content-range': `bytes ${range.from}-${range.to}/${info.size}` }),
      'content-length': range ? range.to - range.from + 1 : info.size,
    });
    if (request.method === 'GET') await sendBytes(response, found, range ?? { from: 0, to: info.size - 1 });
    response.end();
  } finally {
    await found.close();
  }
}

async function sendBytes(response: ServerResponse, stored: StoredObject, { from, to }: Range): Promise<void> {
  if (to < from) return;
  for await (const chunk of stored.read(from, to)) {
    if (response.destroyed) return;
    if (!response.write(chunk)) await new Promise<void>((resolve) => onFirst(response, ['drain', 'close'], resolve));
  }
}

function onFirst(response: ServerResponse, events: string[], call: () => void): void {
  const first = () => {
    for (const event of events) response.off(event, first);
    call();
  };
  for (const event of events) response.on(event, first);
}

async function deleteObject({ response, bucket, key, objects, headers }: S3Request): Promise<void> {
  await objects.remove(bucket, key);
  response.writeHead(204, headers).end();
}

const replacedHeaders = (query: Address['query']): Record<string, string> =>
  Object.fromEntries(
    replaceable
      .map((name) => [name, query.get(`response-${name}`)] as const)
      .filter((pair): pair is [string, string] => pair[1] !== undefined)
      // S3 writes no header of two lines.
      .map(([name, value]) => [name, Buffer.from(value.replace(/[\r\n]/g, ' ')).toString('latin1')]),
  );

interface Range {
  from: number;
  to: number;
}

/** Like S3, takes one range, and ignores what is none. @throws InvalidRange for one behind the end. */
function rangeOf(header: string | undefined, size: number): Range | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < from) return undefined;
  if (from < size && to >= from) return { from, to };
  throw new S3Error('InvalidRange', 'The requested range is not satisfiable', 416, {
    'content-range': `bytes */${size}`,
  });
}

const matches = (header: string, etag: string): boolean =>
  header
    .split(',')
    .map((one) => one.trim())
    .some((one) => one === '*' || one === etag || `"${one}"` === etag);
