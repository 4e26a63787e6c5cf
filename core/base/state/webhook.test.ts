import { signWebhook, verifyWebhook } from './webhook';

const key = 'k'.repeat(64);
const token = signWebhook(key, 'c_1', 'r_1.00001.00.webhook');
const [claims, signature] = token.split('.') as [string, string];

describe("the token in a webhook's address", () => {
  test('tells which callback it was signed for, and fits into an address as it is (R47)', () => {
    expect(verifyWebhook(key, token)).toEqual({ conversationId: 'c_1', callbackId: 'r_1.00001.00.webhook' });
    expect(token).toMatch(/^[\w-]+\.[\w-]+$/);
    expect(signWebhook(key, 'c_1', 'r_1.00001.00.webhook')).toBe(token);
  });

  const other = signWebhook(key, 'c_2', 'r_1.00001.00.webhook').split('.') as [string, string];
  test.each([
    ['nothing', ''],
    ['no signature', claims],
    ['an empty signature', `${claims}.`],
    ['no claims', `.${signature}`],
    ['the signature of another', `${claims}.${other[1]}`],
    ['the claims of another', `${other[0]}.${signature}`],
    ['a shorter signature', `${claims}.${signature.slice(0, -1)}`],
    ['a longer signature', `${claims}.${signature}A`],
    ['more behind it', `${token}.${signature}`],
    ['letters of more than a byte', `${claims}.${'é'.repeat(signature.length)}`],
    ['another key', signWebhook('another', 'c_1', 'r_1.00001.00.webhook')],
  ])('with %s is invalid (R124)', (_what, altered) => {
    expect(verifyWebhook(key, altered)).toBeUndefined();
  });
});
