import { pushKeysOf } from './push-keys';

test('the keys derive from the secret alone: the same each time, others for another secret (R154)', () => {
  const keys = pushKeysOf('a secret of the stack');
  expect(pushKeysOf('a secret of the stack')).toEqual(keys);
  expect(pushKeysOf('another secret').publicKey).not.toBe(keys.publicKey);
  expect(Buffer.from(keys.privateKey, 'base64url')).toHaveLength(32);
});
