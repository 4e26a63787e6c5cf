import { configOf } from './session';
import { departureOf, nameIn, serverOf, signInUrl } from './sign-in';

const config = {
  ...{ mode: 'cognito', issuer: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_abc', clientId: 'client' },
  ...{ domain: 'https://vigil.auth.eu-west-1.amazoncognito.com', apiUrl: 'https://api.example.com' },
};

test('the stack’s configuration is accepted; a missing field is named', () => {
  expect(configOf({ mode: 'local' })).toEqual({ mode: 'local' });
  expect(configOf(config)).toEqual(config);
  for (const field of ['issuer', 'clientId', 'domain', 'apiUrl'])
    expect(() => configOf({ ...config, [field]: undefined })).toThrow(field);
  expect(() => configOf({})).toThrow('mode');
});

test('the hosted page gets the challenge, never the verifier', () => {
  const url = new URL(signInUrl(config, { challenge: 'c-h', state: 's t', redirectUri: 'https://vigil.example.com/' }));
  expect(url.origin + url.pathname).toBe(`${config.domain}/oauth2/authorize`);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    ...{ response_type: 'code', client_id: 'client', scope: 'openid email vigil/api', state: 's t' },
    ...{ redirect_uri: 'https://vigil.example.com/', code_challenge: 'c-h', code_challenge_method: 'S256' },
  });
});

test('tokens come from the domain and are the issuer’s', () => {
  expect(serverOf(config)).toMatchObject({
    issuer: config.issuer,
    token_endpoint: `${config.domain}/oauth2/token`,
    revocation_endpoint: `${config.domain}/oauth2/revoke`,
  });
});

test('the place in the page is restored after signing in; invalid ones are ignored', () => {
  const kept = { verifier: 'v', state: 's', hash: '#/c/1' };
  expect(departureOf(JSON.stringify(kept))).toEqual(kept);
  expect(departureOf(JSON.stringify({ ...kept, hash: '//evil.example' }))?.hash).toBe('');
  expect(departureOf('{')).toBeUndefined();
  expect(departureOf(null)).toBeUndefined();
});

test('a user’s name is the token’s e-mail address', () => {
  const claims = Buffer.from(JSON.stringify({ email: 'ada@example.com' })).toString('base64url');
  expect(nameIn(`x.${claims}.y`)).toBe('ada@example.com');
  expect(nameIn('broken')).toBe('you');
});
