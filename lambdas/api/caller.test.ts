import { signInTokenIn, verifiedAddressIn } from './caller';

// Claims as API Gateway passes them: every one is a text.

test.each([
  [
    'Cognito',
    { origin_jti: 'o', jti: 'j', auth_time: '100', iat: '200', exp: '1100' },
    { signIn: 'o', signedInAt: 100 },
  ],
  [
    'OpenID Connect',
    { sid: 's', jti: 'j', auth_time: '100', iat: '200', exp: '1100' },
    { signIn: 's', signedInAt: 100 },
  ],
  [
    'an issuer with the time alone',
    { jti: 'j', auth_time: '100', iat: '200', exp: '1100' },
    { signIn: '100', signedInAt: 100 },
  ],
] as const)('a token of %s names its sign-in (R195)', (_issuer, claims, expected) => {
  expect(signInTokenIn({ sub: 'ada', ...claims })).toEqual({ id: 'j', issuedAt: 200, until: 1_100, ...expected });
});

test('a token that names no sign-in and no time is still another one than the next (R195)', () => {
  const [one, next] = ['100000', '100900'].map((exp) => signInTokenIn({ sub: 'ada', exp }));
  expect(one).toEqual({ id: 'ada 100000', signIn: undefined, issuedAt: 100_000 - 86_400, until: 100_000 });
  expect(next!.id).not.toBe(one!.id);
  // What is no number of seconds is no time.
  for (const odd of ['', 'now', '-1', '1e9', 'NaN', ' 5'])
    expect(signInTokenIn({ sub: 'ada', exp: '100000', iat: odd, auth_time: odd })).toMatchObject({ issuedAt: 13_600 });
});

test('only an address that the issuer says is verified gets e-mail (R195)', () => {
  const address = { email: 'ada@example.com' };
  for (const verified of [true, 'true'])
    expect(verifiedAddressIn({ ...address, email_verified: verified })).toBe('ada@example.com');
  for (const verified of [undefined, null, false, 'false', '', 'True', 'TRUE', ' true', '1', 1, 'yes', [true], {}])
    expect(verifiedAddressIn({ ...address, email_verified: verified })).toBeUndefined();
  for (const email of [undefined, '', 5, ['ada@example.com']])
    expect(verifiedAddressIn({ email, email_verified: true })).toBeUndefined();
});
