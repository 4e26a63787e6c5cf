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
      return {
        Body: await response.text(),
        ContentType: response.headers.get('content-type'),
        ETag: response.headers.get('etag'),
      };
    }
    case 'PutObject': {
      const body = parameters.Body;
      const response = await get(`${bucket}/${key}`, {
        method: 'PUT',
        body: typeof body === 'string' ? body : JSON.stringify(body ?? ''),
      });
      return { ETag: response.headers.get('etag') };
    }
    case 'ListObjects':
    case 'ListObjectsV2': {
      const prefix = typeof parameters.Prefix === 'string' ? `&prefix=${encodeURIComponent(parameters.Prefix)}` : '';
      return {
        Contents: contents(await (await get(`${bucket}?list-type=2${prefix}`)).text()),
        Name: parameters.Bucket ?? null,
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

const tag = (text: string, name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];

function contents(text: string): Json[] {
  return [...text.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)].map(([, part]) => ({
    Etag: (tag(part!, 'ETag') ?? '').replaceAll('&quot;', '"'),
    Key: tag(part!, 'Key') ?? '',
    LastModified: Date.parse(tag(part!, 'LastModified') ?? '') / 1000,
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
