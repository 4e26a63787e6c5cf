import { chosenConversationId } from '../../../core/base/text/ids';
import { claimsIn, conversationIds } from './session';

const tokenOf = (claims: object) => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`;

test('the page chooses ids that the API leaves as they are, for this user only (R25)', async () => {
  const sub = '8d9f3c1e-7b2a-4f60-9d11-5a0c2e4b6f78';
  const newId = await conversationIds(tokenOf({ sub }));
  const [one, other] = [newId(), newId()];
  expect(one).not.toBe(other);
  expect(one.length).toBeLessThanOrEqual(64);
  expect(chosenConversationId(sub, one)).toBe(one);
  expect(chosenConversationId('another', one)).toMatch(new RegExp(`^u[0-9a-f]{16}_${one}$`));
});

test('a token that cannot be read has no claims', () => {
  for (const token of [undefined, '', 'x', 'x.%.y']) expect(claimsIn(token)).toEqual({});
});
