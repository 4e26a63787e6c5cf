import { send } from '../app/http-server';
import type { S3Request } from './s3';
import { notImplemented, S3Error, xml } from './s3-error';

const mostKeys = 1_000;
const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
export async function listObjects({ response, query, bucket, objects, headers }: S3Request): Promise<void> {
  if (query.get('list-type') !== '2') throw notImplemented('ListObjects: use ListObjectsV2');
  if (query.get('delimiter')) throw notImplemented('lists with a delimiter');
  const prefix = query.get('prefix') ?? '';
  const most = Number(query.get('max-keys') ?? mostKeys);
  if (!Number.isInteger(most) || most < 0)
    throw new S3Error('InvalidArgument', 'Provided max-keys not an integer or within integer range');
  const token = query.get('continuation-token');
  const after = Buffer.from(token === undefined ? (query.get('start-after') ?? '') : Buffer.from(token, 'base64url'));
  const all = (await objects.list(bucket)).filter(
    ({ key }) => key.startsWith(prefix) && Buffer.compare(Buffer.from(key), after) > 0,
  );
  const shown = all.slice(0, Math.min(most, mostKeys));
  const isTruncated = most > 0 && all.length > shown.length;
  const isEncoded = query.get('encoding-type') === 'url';
  const nameOf = (key: string) => (isEncoded ? encodeURIComponent(key).replaceAll('%2F', '/') : key);
  const body = xml(
    'ListBucketResult',
    {
      Name: bucket,
      Prefix: nameOf(prefix),
      KeyCount: shown.length,
      MaxKeys: Math.min(most, mostKeys),
      EncodingType: isEncoded ? 'url' : undefined,
      IsTruncated: isTruncated,
      NextContinuationToken: isTruncated ? Buffer.from(shown.at(-1)!.key).toString('base64url') : undefined,
      Contents: shown.map(({ key, size, etag, modified }) => ({
        Key: nameOf(key),
        LastModified: new Date(modified).toISOString(),
        ETag: etag,
        Size: size,
        StorageClass: 'STANDARD',
      })),
    },
    namespace,
  );
  send(response, 200, body, { 'content-type': 'application/xml', ...headers });
}
