import { crc32 } from 'node:zlib';
import { HttpServiceError } from './http-services';
import type { AwsRequest } from './integrations/aws-service';
import type { Json, JsonObject } from './language/json';

/** The few calls of S3 that item readers and states make. */
export async function objectStorage(endpoint: string, { action, parameters, signal }: AwsRequest): Promise<JsonObject> {
  const bucket = encodeURIComponent(String(parameters.Bucket ?? ''));
  const key = String(parameters.Key ?? '')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  const get = (path: string, init: RequestInit = {}) => request(`${endpoint}/${path}`, { ...init, signal });
  switch (action) {
    case 'GetObject': {
      const response = await get(`${bucket}/${key}`);
      const body = await response.text();
      return { ...described(response, body), Body: body };
    }
    case 'PutObject': {
      const body = typeof parameters.Body === 'string' ? parameters.Body : JSON.stringify(parameters.Body ?? '');
      const { headers } = await get(`${bucket}/${key}`, { method: 'PUT', body });
      return {
        ChecksumCRC32: headers.get('x-amz-checksum-crc32') ?? checksum(body),
        ChecksumType: 'FULL_OBJECT',
        ETag: headers.get('etag'),
        ServerSideEncryption: encryption(headers),
      };
    }
    case 'ListObjects':
    case 'ListObjectsV2': {
      const prefix = typeof parameters.Prefix === 'string' ? `&prefix=${encodeURIComponent(parameters.Prefix)}` : '';
      const text = await (await get(`${bucket}?list-type=2${prefix}`)).text();
      const listed = contents(text);
      return {
        Contents: listed,
        IsTruncated: tag(text, 'IsTruncated') === 'true',
        ...(action === 'ListObjectsV2' && { KeyCount: listed.length }),
        MaxKeys: Number(tag(text, 'MaxKeys') ?? 1000),
        Name: parameters.Bucket ?? null,
        Prefix: parameters.Prefix ?? '',
      };
    }
    case 'ListBuckets': {
      const text = await (await get('')).text();
      return {
        Buckets: [...text.matchAll(/<Bucket>([\s\S]*?)<\/Bucket>/g)].map(([, part]) => ({
          Name: tag(part!, 'Name') ?? '',
        })),
      };
    }
    default:
      throw new Error(`this engine does not speak S3's ${action}`);
  }
}

/** What S3 says of an object; where another store leaves it out, what S3 says of every object. */
function described({ headers }: Response, body: string): JsonObject {
  const own = [...headers].filter(([name]) => name.startsWith('x-amz-meta-'));
  const changed = headers.get('last-modified');
  return {
    AcceptRanges: headers.get('accept-ranges') ?? 'bytes',
    ContentLength: Number(headers.get('content-length') ?? Buffer.byteLength(body)),
    ContentType: headers.get('content-type'),
    ETag: headers.get('etag'),
    LastModified: (changed === null ? new Date() : new Date(changed)).toISOString().replace(/\.\d+/, ''),
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

const tag = (text: string, name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];

function contents(text: string): Json[] {
  return [...text.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)].map(([, part]) => ({
    ETag: (tag(part!, 'ETag') ?? '').replaceAll('&quot;', '"'),
    Key: tag(part!, 'Key') ?? '',
    LastModified: (tag(part!, 'LastModified') ?? '').replace(/\.\d+/, ''),
    Size: Number(tag(part!, 'Size') ?? 0),
    StorageClass: tag(part!, 'StorageClass') ?? 'STANDARD',
  }));
}

async function request(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, {
    ...init,
    headers: {
      authorization:
        'AWS4-HMAC-SHA256 Credential=local/20200101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=none',
    },
  });
  if (response.ok) return response;
  const text = await response.text();
  throw new HttpServiceError(
    tag(text, 'Code') ?? `Http${response.status}`,
    tag(text, 'Message') ?? text,
    response.status,
  );
}
