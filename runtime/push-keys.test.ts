import { createPrivateKey, sign, verify } from 'node:crypto';
import { pushKeysOf } from './push-keys';

test('the keys derive from the secret alone: the same each time, others for another secret (R154)', () => {
  const keys = pushKeysOf('a secret of the stack');
  expect(pushKeysOf('a secret of the stack')).toEqual(keys);
  expect(pushKeysOf('another secret').publicKey).not.toBe(keys.publicKey);
  expect(Buffer.from(keys.privateKey, 'base64url')).toHaveLength(32);
});

test('what the private key signs, the public key verifies (R154)', () => {
  const { publicKey, privateKey } = pushKeysOf('a secret of the stack');
  const point = Buffer.from(publicKey, 'base64url');
  expect([point.length, point[0]]).toEqual([65, 4]);
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', x, y };
  const key = createPrivateKey({ key: { ...jwk, d: privateKey }, format: 'jwk' });
  const signature = sign('sha256', Buffer.from('said'), key);
  expect(verify('sha256', Buffer.from('said'), { key: jwk, format: 'jwk' } as never, signature)).toBe(true);
});
