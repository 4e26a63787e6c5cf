import fc from 'fast-check';
import { type Grant, granted, isGranted, longestSignInSeconds, renewedWithinSeconds, type SignInToken } from './grant';

const signedInAt = 1_700_000_000;
const at = (second: number) => new Date((signedInAt + second) * 1_000);
const token = (second: number, more: Partial<SignInToken> = {}): SignInToken => {
  const issuedAt = signedInAt + second;
  return { id: `t${second}`, signIn: 's', signedInAt, issuedAt, until: issuedAt + 900, ...more };
};
const day = 86_400;
/** Registers with one token after another, each when it is issued. */
const after = (...tokens: SignInToken[]): Grant =>
  tokens.reduce<Grant | undefined>((grant, one) => granted(grant, one, new Date(one.issuedAt * 1_000)), undefined)!;

test('a token grants until it ends, however often it is used (R195)', () => {
  const once = granted(undefined, token(0), at(0));
  expect(once).toEqual({ token: 't0', signIn: 's', until: signedInAt + 900 });
  expect(granted(once, token(0), at(800))).toEqual(once);
  expect([isGranted(once, at(899)), isGranted(once, at(900))]).toEqual([true, false]);
});

test('the next token of the sign-in confirms it, each later one renews it, and it ends with the sign-in (R195)', () => {
  expect(after(token(0), token(5))).toMatchObject({ confirmed: true, until: signedInAt + 5 + renewedWithinSeconds });
  expect(after(token(0), token(5), token(10 * day)).until).toBe(signedInAt + 10 * day + renewedWithinSeconds);
  const late = after(token(0), token(5), token(13 * day), token(26 * day));
  expect(late.until).toBe(signedInAt + longestSignInSeconds);
});

test('another sign-in does not confirm what a token has granted, and neither does one that comes too late (R195)', () => {
  expect(after(token(0), token(5, { signIn: 'other' }))).not.toHaveProperty('confirmed');
  expect(after(token(0), token(901))).not.toHaveProperty('confirmed');
  // Nor does an earlier token, which somebody may have copied with the first one.
  expect(granted(granted(undefined, token(5), at(5)), token(0), at(9))).not.toHaveProperty('confirmed');
  // What was confirmed, the user's next sign-in renews: only their browser knows it.
  expect(after(token(0), token(5), token(9, { signIn: 'next' }))).toMatchObject({ confirmed: true, signIn: 'next' });
});

test('an issuer that names no sign-in and no time of it is served, too (R195)', () => {
  const plain = { signIn: undefined, signedInAt: undefined };
  expect(after(token(0, plain), token(5, plain)).until).toBe(signedInAt + 5 + renewedWithinSeconds);
});

test('whatever the order, with one token nothing outlives it, and nothing outlives two weeks without a token (R195)', () => {
  const uses = fc.array(fc.record({ second: fc.nat(40 * day), same: fc.boolean() }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(uses, (list) => {
      const tokens = list
        .sort((one, other) => one.second - other.second)
        .map(({ second, same }) => (same ? token(list[0]!.second) : token(second)));
      let grant: Grant | undefined;
      for (const [index, one] of tokens.entries()) grant = granted(grant, one, at(list[index]!.second));
      const last = signedInAt + list.at(-1)!.second;
      const used = new Set(tokens.map(({ id }) => id));
      if (used.size === 1) expect(grant!.until).toBe(tokens[0]!.until);
      expect(grant!.until).toBeLessThanOrEqual(Math.max(last + renewedWithinSeconds, tokens.at(-1)!.until));
    }),
  );
});
