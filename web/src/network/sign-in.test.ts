import { configOf } from './session';
import { departureOf, nameIn, serverOf, signInUrl, signOutUrl } from './sign-in';

const config = {
  mode: 'cognito',
  issuer: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_abc',
  clientId: 'client',
  domain: 'https://vigil.auth.eu-west-1.amazoncognito.com',
  apiUrl: 'https://api.example.com',
};

test('the stack’s configuration is accepted; a missing field is named', () => {
  expect(configOf({ mode: 'local' })).toEqual({ mode: 'local' });
  expect(configOf(config)).toEqual(config);
  for (const field of ['issuer', 'clientId', 'domain', 'apiUrl'])
    expect(() => configOf({ ...config, [field]: undefined })).toThrow(field);
  const { domain, ...more } = config;
  expect(() => configOf({ ...more, mode: 'oidc' })).toThrow('scope is missing');
  expect(configOf({ ...more, mode: 'oidc', scope: 'openid' })).toEqual({ ...more, mode: 'oidc', scope: 'openid' });
  expect(() => configOf({})).toThrow('mode');
});

test('the hosted page gets the challenge, never the verifier', () => {
  const departure = { challenge: 'c-h', state: 's t', nonce: 'n', redirectUri: 'https://vigil.example.com/' };
  const url = new URL(signInUrl(serverOf(config), config, departure));
  expect(url.origin + url.pathname).toBe(`${config.domain}/oauth2/authorize`);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'client',
    scope: 'openid email vigil/api',
    state: 's t',
    nonce: 'n',
    redirect_uri: 'https://vigil.example.com/',
    code_challenge: 'c-h',
    code_challenge_method: 'S256',
  });
});

test('another issuer gets the scopes and parameters of the deployment, which replace none of the sign-in’s own (R181)', () => {
  const other = { issuer: 'https://id.example', authorization_endpoint: 'https://id.example/authorize?tenant=7' };
  const asked = { clientId: 'page', scope: 'openid vigil', parameters: { audience: 'vigil', state: 'forged' } };
  const { searchParams } = new URL(
    signInUrl(other, asked, { challenge: 'c-h', state: 's', nonce: 'n', redirectUri: 'https://vigil.example.com/' }),
  );
  expect(Object.fromEntries(searchParams)).toMatchObject({
    tenant: '7',
    audience: 'vigil',
    scope: 'openid vigil',
    client_id: 'page',
    state: 's',
    nonce: 'n',
  });
});

test('signing out leads to the issuer and back, or only back if the issuer ends no sessions (R181)', () => {
  const back = 'https://vigil.example.com/';
  const own = new URL(signOutUrl(serverOf(config), { clientId: 'client', redirectUri: back }));
  expect(own.href.split('?')[0]).toBe(`${config.domain}/logout`);
  expect(Object.fromEntries(own.searchParams)).toEqual({
    client_id: 'client',
    logout_uri: back,
    post_logout_redirect_uri: back,
  });
  expect(signOutUrl({ issuer: 'https://id.example' }, { clientId: 'page', redirectUri: back })).toBe(back);
});

test('tokens come from the domain and are the issuer’s', () => {
  expect(serverOf(config)).toMatchObject({
    issuer: config.issuer,
    token_endpoint: `${config.domain}/oauth2/token`,
    revocation_endpoint: `${config.domain}/oauth2/revoke`,
  });
});

test('the place in the page is restored after signing in; invalid ones are ignored', () => {
  const kept = { verifier: 'v', state: 's', nonce: 'n', hash: '#/c/1' };
  expect(departureOf(JSON.stringify(kept))).toEqual(kept);
  expect(departureOf(JSON.stringify({ ...kept, hash: '//evil.example' }))?.hash).toBe('');
  expect(departureOf(JSON.stringify({ ...kept, nonce: undefined }))).toBeUndefined();
  expect(departureOf('{')).toBeUndefined();
  expect(departureOf(null)).toBeUndefined();
});

test('a user’s name is the token’s e-mail address', () => {
  const claims = Buffer.from(JSON.stringify({ email: 'ada@example.com' })).toString('base64url');
  expect(nameIn(`x.${claims}.y`)).toBe('ada@example.com');
  const other = Buffer.from(JSON.stringify({ preferred_username: 'ada', name: 'Ada' })).toString('base64url');
  expect(nameIn(`x.${other}.y`)).toBe('ada');
  expect(nameIn('broken')).toBe('you');
});
