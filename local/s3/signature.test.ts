import type { IncomingMessage } from 'node:http';
import { addressOf, verifyAddress } from './signature';

// The example of https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
const url =
  '/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404';

function verify(changed: Partial<IncomingMessage> = {}, at = '2013-05-24T12:00:00Z'): string {
  const request = { method: 'GET', url, headers: { host: 'examplebucket.s3.amazonaws.com' }, ...changed };
  const secretOf = (key: string) =>
    key === 'AKIAIOSFODNN7EXAMPLE' ? 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' : undefined;
  return verifyAddress(request as IncomingMessage, addressOf(request as IncomingMessage), {
    secretOf,
    now: () => Date.parse(at),
  });
}

test('the address of AWS’s documentation is valid, for its day (R211)', () => {
  expect(verify()).toBe('AKIAIOSFODNN7EXAMPLE');
  expect(verify({}, '2013-05-24T23:59:59Z')).toBe('AKIAIOSFODNN7EXAMPLE');
  expect(() => verify({}, '2013-05-25T00:00:00Z')).toThrow('Request has expired');
  expect(() => verify({}, '2013-05-23T23:00:00Z')).toThrow('Request is not valid yet');
});

const mismatch = 'The request signature we calculated does not match';

test.each<[string, Partial<IncomingMessage>, string]>([
  ['another method', { method: 'PUT' }, mismatch],
  ['another key', { url: url.replace('test', 'other') }, mismatch],
  ['a longer life', { url: url.replace('86400', '604800') }, mismatch],
  ['a later time', { url: url.replace('20130524T000000Z', '20130524T110000Z') }, mismatch],
  ['another type', { url: `${url}&response-content-type=text/html` }, mismatch],
  ['another host', { headers: { host: 'other' } }, mismatch],
  ['another service', { url: url.replace('%2Fs3%2F', '%2Fsns%2F') }, mismatch],
  ['a signature of a wrong length', { url: url.slice(0, -2) }, mismatch],
  ['no signature', { url: url.replace(/X-Amz-Signature=.*/, 'X-Amz-Signature=') }, 'requires the X-Amz-Algorithm'],
  ['no limit', { url: url.replace('86400', '604801') }, 'must be between 1 and 604800'],
  ['a key of nobody', { url: url.replace('AKIAIOSFODNN7EXAMPLE', 'AKIAOTHER') }, 'does not exist in our records'],
  [
    'a header that is not signed',
    { headers: { host: 'examplebucket.s3.amazonaws.com', 'x-amz-acl': 'public-read' } },
    'There were headers present in the request which were not signed: x-amz-acl',
  ],
  ['a path that is none', { url: url.replace('/test', '/%zz') }, "Couldn't parse the specified URI."],
])('with %s it is refused (R211)', (_, changed, message) => {
  expect(() => verify(changed)).toThrow(message);
});
