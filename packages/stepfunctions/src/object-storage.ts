import { crc32, gunzipSync } from 'node:zlib';
import { HttpServiceError } from './http-services';
import type { AwsRequest } from './integrations/aws-service';
import { isObject, type JsonObject, jsonText } from './language/json';
import { childrenOf, parseXml, textOf, type XmlElement } from './xml';

/** Asks for a path behind the endpoint. Throws what S3 refuses. */
type Ask = (path: string, init?: { method?: string; body?: string }) => Promise<Response>;

/** The calls of S3 that item readers and states make. */
export async function objectStorage(endpoint: string, { action, parameters, signal }: AwsRequest): Promise<JsonObject> {
  const run = actions[action];
  if (run === undefined) throw new Error(`this engine does not speak S3's ${action}`);
  const headers = headersOf(parameters);
  return await run(parameters, async (path, init) => {
    const response = await fetch(`${endpoint}/${path}`, { ...init, headers, signal });
    if (response.ok) return response;
    throw refusal(action, response, await response.text());
  });
}

const actions: Record<string, (parameters: JsonObject, ask: Ask) => Promise<JsonObject>> = {
  async GetObject(parameters, ask) {
    const response = await ask(objectPath(parameters));
    const bytes = Buffer.from(await response.arrayBuffer());
    // The files of an inventory are compressed.
    const body = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString();
    return { ...described(response, body), Body: body };
  },
  async HeadObject(parameters, ask) {
    return described(await ask(objectPath(parameters), { method: 'HEAD' }), '');
  },
  async PutObject(parameters, ask) {
    const body = typeof parameters.Body === 'string' ? parameters.Body : jsonText(parameters.Body ?? '');
    const { headers } = await ask(objectPath(parameters), { method: 'PUT', body });
    return {
      ChecksumCRC32: headers.get('x-amz-checksum-crc32') ?? checksum(body),
      ChecksumType: 'FULL_OBJECT',
      ETag: headers.get('etag'),
      ServerSideEncryption: encryption(headers),
    };
  },
  async CopyObject(parameters, ask) {
    const response = await ask(objectPath(parameters), { method: 'PUT' });
    const answer = parseXml(await response.text());
    return {
      CopyObjectResult: {
        ETag: textOf(answer, 'ETag') ?? null,
        LastModified: withoutFraction(textOf(answer, 'LastModified')),
      },
      ServerSideEncryption: encryption(response.headers),
    };
  },
  async DeleteObject(parameters, ask) {
    await ask(objectPath(parameters), { method: 'DELETE' });
    return {};
  },
  ListObjects: (parameters, ask) => list({ ...parameters, StartAfter: parameters.Marker ?? null }, ask),
  async ListObjectsV2(parameters, ask) {
    const listed = await list(parameters, ask);
    const count = (listed.Contents as unknown[]).length + ((listed.CommonPrefixes ?? []) as unknown[]).length;
    return { ...listed, KeyCount: count };
  },
  async ListBuckets(_parameters, ask) {
    const answer = parseXml(await (await ask('')).text());
    const buckets = childrenOf(answer, 'Buckets').flatMap((each) => childrenOf(each, 'Bucket'));
    return { Buckets: buckets.map((bucket) => ({ Name: textOf(bucket, 'Name') ?? '' })) };
  },
};

const bucketPath = ({ Bucket }: JsonObject): string => encodeURIComponent(String(Bucket ?? ''));

function objectPath(parameters: JsonObject): string {
  const key = String(parameters.Key ?? '')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  const version = parameters.VersionId;
  return `${bucketPath(parameters)}/${key}${typeof version === 'string' ? `?versionId=${encodeURIComponent(version)}` : ''}`;
}

/** The parameters that are headers on the wire. */
const headerNames: Record<string, string> = {
  ACL: 'x-amz-acl',
  CacheControl: 'cache-control',
  ContentDisposition: 'content-disposition',
  ContentEncoding: 'content-encoding',
  ContentLanguage: 'content-language',
  ContentType: 'content-type',
  CopySource: 'x-amz-copy-source',
  IfMatch: 'if-match',
  IfNoneMatch: 'if-none-match',
  MetadataDirective: 'x-amz-metadata-directive',
  Range: 'range',
  SSEKMSKeyId: 'x-amz-server-side-encryption-aws-kms-key-id',
  ServerSideEncryption: 'x-amz-server-side-encryption',
  StorageClass: 'x-amz-storage-class',
  Tagging: 'x-amz-tagging',
};

function headersOf(parameters: JsonObject): Record<string, string> {
  const headers: Record<string, string> = {
    authorization:
      'AWS4-HMAC-SHA256 Credential=local/20200101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=none',
  };
  for (const [parameter, header] of Object.entries(headerNames)) {
    const value = parameters[parameter] ?? null;
    if (value !== null) headers[header] = String(value);
  }
  const metadata = isObject(parameters.Metadata) ? parameters.Metadata : {};
  for (const [name, value] of Object.entries(metadata)) headers[`x-amz-meta-${name}`] = String(value);
  return headers;
}

/** The parameters of a list that stand in the query. */
const queryNames: Record<string, string> = {
  ContinuationToken: 'continuation-token',
  Delimiter: 'delimiter',
  MaxKeys: 'max-keys',
  Prefix: 'prefix',
  StartAfter: 'start-after',
};

async function list(parameters: JsonObject, ask: Ask): Promise<JsonObject> {
  let query = 'list-type=2';
  for (const [parameter, name] of Object.entries(queryNames)) {
    const value = parameters[parameter] ?? null;
    if (value !== null) query += `&${name}=${encodeURIComponent(String(value))}`;
  }
  const answer = parseXml(await (await ask(`${bucketPath(parameters)}?${query}`)).text());
  const given = (name: string) => childrenOf(answer, name)[0]?.text;
  const prefixes = childrenOf(answer, 'CommonPrefixes').map((each) => ({ Prefix: textOf(each, 'Prefix') ?? '' }));
  const next = given('NextContinuationToken');
  return {
    ...(prefixes.length > 0 && { CommonPrefixes: prefixes }),
    Contents: childrenOf(answer, 'Contents').map(listedObject),
    IsTruncated: given('IsTruncated') === 'true',
    MaxKeys: Number(given('MaxKeys') ?? 1000),
    Name: parameters.Bucket ?? null,
    ...(next !== undefined && { NextContinuationToken: next }),
    Prefix: parameters.Prefix ?? '',
  };
}

const listedObject = (element: XmlElement): JsonObject => ({
  ETag: textOf(element, 'ETag') ?? '',
  Key: textOf(element, 'Key') ?? '',
  LastModified: withoutFraction(textOf(element, 'LastModified')),
  Size: Number(textOf(element, 'Size') ?? 0),
  StorageClass: textOf(element, 'StorageClass') ?? 'STANDARD',
});

const withoutFraction = (time = '') => time.replace(/\.\d+/, '');

/** Returns S3's description of an object; a field that another store leaves out is as S3 gives it for every object. */
function described({ headers }: Response, body: string): JsonObject {
  const own = [...headers].filter(([name]) => name.startsWith('x-amz-meta-'));
  const changed = headers.get('last-modified');
  return {
    AcceptRanges: headers.get('accept-ranges') ?? 'bytes',
    ContentLength: Number(headers.get('content-length') ?? Buffer.byteLength(body)),
    ContentType: headers.get('content-type'),
    ETag: headers.get('etag'),
    LastModified: withoutFraction((changed === null ? new Date() : new Date(changed)).toISOString()),
    Metadata: Object.fromEntries(own.map(([name, value]) => [name.slice('x-amz-meta-'.length), value])),
    ServerSideEncryption: encryption(headers),
  };
}

/** "Amazon S3 now applies server-side encryption … as the base level of encryption" */
const encryption = (headers: Headers): string => headers.get('x-amz-server-side-encryption') ?? 'AES256';

/** The checksum that AWS's SDKs send with every object. */
function checksum(body: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(body));
  return bytes.toString('base64');
}

function refusal(action: string, { status, headers }: Response, text: string): HttpServiceError {
  const said = parseXml(text);
  // The answer to a HEAD has no body that could name the error.
  const name = textOf(said, 'Code') ?? (action === 'HeadObject' && status === 404 ? 'NoSuchKey' : `Http${status}`);
  const requestId = headers.get('x-amz-request-id') ?? undefined;
  return new HttpServiceError(name, textOf(said, 'Message') ?? text, status, requestId);
}
