import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { getCanonicalHeaders, getCanonicalQuery } from '@smithy/signature-v4';
import { accessDenied, S3Error } from './s3-error';

/**
 * Signatures of version 4, in a header or in an address:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */
export interface SignatureOptions {
  /** Returns undefined for a key that nobody has. */
  secretOf: (accessKeyId: string) => string | undefined;
  /** In milliseconds since 1970. */
  now: () => number;
}

/** The path and the query of a request, decoded. */
export interface Address {
  path: string;
  query: ReadonlyMap<string, string>;
}

const inQuery = ['Algorithm', 'Credential', 'Signature', 'Date', 'SignedHeaders', 'Expires'].map(
  (one) => `X-Amz-${one}`,
);
const week = 604_800;
/** The clocks of two computers may differ as much. */
const skewMs = 15 * 60_000;

export function addressOf({ url = '/' }: IncomingMessage): Address {
  const [path = '/', ...query] = url.split('?');
  try {
    return { path: decodeURIComponent(path), query: new Map(new URLSearchParams(query.join('?'))) };
  } catch {
    throw new S3Error('InvalidURI', "Couldn't parse the specified URI.");
  }
}

/** Whether a request has a signature for S3 in its address. */
export const isPresigned = ({ url = '' }: IncomingMessage): boolean => /[?&]X-Amz-Signature=/.test(url);

/**
 * Verifies the signature in an address, and that it has not expired.
 *
 * @returns the access key.
 * @throws S3Error for anything that S3 refuses. A header of Amazon that is not signed could change what is stored.
 */
export function verifyAddress(request: IncomingMessage, address: Address, options: SignatureOptions): string {
  const { query } = address;
  const missing = inQuery.some((name) => !query.get(name));
  if (missing || query.get('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256')
    throw new S3Error(
      'AuthorizationQueryParametersError',
      `Query-string authentication version 4 requires the ${inQuery.join(', ')} parameters.`,
    );
  const signed = {
    credential: query.get('X-Amz-Credential')!,
    date: query.get('X-Amz-Date')!,
    headers: query.get('X-Amz-SignedHeaders')!.split(';'),
    signature: query.get('X-Amz-Signature')!,
    payload: query.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD',
  };
  const seconds = Number(query.get('X-Amz-Expires'));
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > week)
    throw new S3Error(
      'AuthorizationQueryParametersError',
      'X-Amz-Expires must be between 1 and 604800, the seconds of a week.',
    );
  const accessKeyId = verify(request, address, signed, options);
  const since = timeOf(signed.date);
  if (since > options.now() + skewMs) throw accessDenied('Request is not valid yet');
  if (options.now() >= since + seconds * 1_000) throw accessDenied('Request has expired');
  const unsigned = Object.keys(request.headers).find(
    (name) => name.startsWith('x-amz-') && !signed.headers.includes(name),
  );
  if (unsigned) throw accessDenied(`There were headers present in the request which were not signed: ${unsigned}`);
  return accessKeyId;
}

/**
 * Verifies the signature in the header `Authorization`. Keys that no function has are the administrator's, whose secret
 * nobody knows here. The time is not compared: the clock may be moved while a request is on its way.
 */
export function verifyHeader(request: IncomingMessage, address: Address, options: SignatureOptions): void {
  const { authorization = '' } = request.headers;
  const part = (name: string) => new RegExp(`${name}=([^,\\s]+)`).exec(authorization)?.[1] ?? '';
  const credential = part('Credential');
  if (options.secretOf(credential.split('/')[0]!) === undefined) return;
  const signed = {
    credential,
    date: String(request.headers['x-amz-date'] ?? ''),
    headers: part('SignedHeaders').split(';'),
    signature: part('Signature'),
    payload: String(request.headers['x-amz-content-sha256'] ?? ''),
  };
  verify(request, address, signed, options);
}

interface Signed {
  credential: string;
  date: string;
  headers: string[];
  signature: string;
  payload: string;
}

function verify(request: IncomingMessage, address: Address, signed: Signed, { secretOf }: SignatureOptions): string {
  const [accessKeyId = '', day = '', region = '', service, end] = signed.credential.split('/');
  const secret = secretOf(accessKeyId);
  if (secret === undefined)
    throw new S3Error('InvalidAccessKeyId', 'The AWS Access Key Id you provided does not exist in our records.', 403);
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  const scope = [day, region, 's3', 'aws4_request'].join('/');
  const text = ['AWS4-HMAC-SHA256', signed.date, scope, sha256(canonical(request, address, signed))].join('\n');
  const expected = hmac(key, text);
  const given = Buffer.from(signed.signature, 'hex');
  const isOurs = service === 's3' && end === 'aws4_request' && signed.date.startsWith(day);
  if (isOurs && signed.headers.includes('host') && given.length === expected.length && timingSafeEqual(given, expected))
    return accessKeyId;
  throw new S3Error(
    'SignatureDoesNotMatch',
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
    403,
  );
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
function canonical({ method, headers }: IncomingMessage, { path, query }: Address, signed: Signed): string {
  // A header that is signed and missing counts as empty, so the signature differs.
  const chosen = Object.fromEntries(signed.headers.map((name) => [name, String(headers[name] ?? '')]));
  const sent = getCanonicalHeaders({ headers: chosen } as never, new Set(), new Set(signed.headers));
  const names = Object.keys(sent).sort();
  return [
    method,
    path.split('/').map(encoded).join('/'),
    getCanonicalQuery({ query: Object.fromEntries(query) } as never),
    ...names.map((name) => `${name}:${sent[name]}`),
    '',
    names.join(';'),
    signed.payload,
  ].join('\n');
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** `20130524T000000Z` */
function timeOf(date: string): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(time))
    throw new S3Error(
      'AuthorizationQueryParametersError',
      "X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"",
    );
  return time;
}
