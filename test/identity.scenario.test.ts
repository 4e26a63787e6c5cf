import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { decodeJwt, type JWTPayload, SignJWT } from 'jose';
import { identityKey } from './support/clouds/compile-cloud';
import { startVigil, type Vigil } from './support/clouds/vigil';

// Which tokens the API takes, in every route. The tokens are signed with the key of the user pool: what is wrong with
// them is in their claims.

describe('a token', () => {
  let vigil: Vigil;
  let genuine: JWTPayload;
  beforeAll(async () => {
    vigil = await startVigil({ script: () => ({ text: 'Hello.' }) });
    const init = { method: 'POST', body: JSON.stringify({ user: 'ada' }) };
    const { token } = (await (await fetch(`${vigil.url}/_local/token`, init)).json()) as { token: string };
    genuine = decodeJwt(token);
  });
  afterAll(() => vigil?.stop());

  const crafted = (claims: JWTPayload): Promise<string> =>
    new SignJWT({ ...genuine, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'local' })
      .sign(createPrivateKey(readFileSync(identityKey)));
  const routes = [
    ['GET', '/agents'],
    ['GET', '/conversations'],
    ['GET', '/memories'],
    ['POST', '/live/tickets'],
    ['DELETE', '/conversations/nowhere'],
  ] as const;
  const answers = async (claims: JWTPayload) => {
    const headers = { authorization: `Bearer ${await crafted(claims)}` };
    return Promise.all(
      routes.map(async ([method, path]) => (await fetch(vigil.url + path, { method, headers })).status),
    );
  };
  const everywhere = (status: number) => routes.map(() => status);
  const seconds = () => genuine.iat!;

  test('is taken with the scope of an API client, and with that of the page (R124)', async () => {
    const taken = [200, 200, 200, 201, 404];
    expect(await answers({})).toEqual(taken);
    expect(genuine).toMatchObject({ token_use: 'access', scope: 'aws.cognito.signin.user.admin' });
    expect(await answers({ scope: 'openid email vigil/api' })).toEqual(taken);
    expect(await answers({ iat: seconds() + 2 })).toEqual(taken);
  });

  test('has the claims that a local person is given, but no other user or client by them (R124)', async () => {
    const claims = {
      department: 'treasury',
      sub: 'someone',
      client_id: 'another',
      token_use: 'id',
      username: 'someone',
    };
    const init = { method: 'POST', body: JSON.stringify({ user: 'ada', groups: ['finance'], claims }) };
    const { token } = (await (await fetch(`${vigil.url}/_local/token`, init)).json()) as { token: string };
    const { sub, client_id, token_use, username } = genuine;
    const own = { sub, client_id, token_use, username, department: 'treasury', 'cognito:groups': ['finance'] };
    expect(decodeJwt(token)).toMatchObject(own);
  });

  test.each<[string, () => JWTPayload, number]>([
    ['without a scope', () => ({ scope: undefined }), 403],
    ['with scopes of other things', () => ({ scope: 'openid email' }), 403],
    ['with a scope whose name begins like ours', () => ({ scope: 'vigil/api2 vigil' }), 403],
    [
      'that is an ID token, as Cognito issues it',
      () => ({ token_use: 'id', aud: genuine.client_id as string, client_id: undefined, scope: undefined }),
      403,
    ],
    ['that is an ID token with the scope', () => ({ token_use: 'id', aud: genuine.client_id as string }), 401],
    ['of another use', () => ({ token_use: 'refresh' }), 401],
    ['of no use', () => ({ token_use: undefined }), 401],
    ['of two uses', () => ({ token_use: ['access', 'id'] }), 401],
    ['that is issued in the future', () => ({ iat: seconds() + 60, exp: seconds() + 120 }), 401],
    ['that is valid later', () => ({ nbf: seconds() + 60 }), 401],
    ['that has expired', () => ({ iat: seconds() - 120, exp: seconds() - 60 }), 401],
    ['that never expires', () => ({ exp: undefined }), 401],
    ['of another client', () => ({ client_id: 'another' }), 401],
    ['of another pool', () => ({ iss: `${genuine.iss}x` }), 401],
    ['of nobody', () => ({ sub: undefined }), 401],
  ])('%s is refused in every route, tickets included (R124)', async (_what, claims, status) => {
    expect(await answers(claims())).toEqual(everywhere(status));
  });

  test('lives for fifteen minutes (R124)', async () => {
    expect(genuine.exp! - genuine.iat!).toBe(900);
  });

  test('or none: whatever the function answers, a browser does not guess its type (R124)', async () => {
    const ada = { authorization: `Bearer ${await crafted({})}` };
    const asked: [string, RequestInit, number][] = [
      ['/agents', { headers: ada }, 200],
      ['/openapi.json', {}, 200],
      ['/conversations/nowhere', { headers: ada }, 404],
      ['/nowhere', { headers: ada }, 404],
      ['/conversations', { method: 'POST', headers: { ...ada, 'content-type': 'application/json' }, body: '{' }, 400],
      ['/agents', { headers: { authorization: `Bearer ${await crafted({ token_use: 'id' })}` } }, 401],
      ['/webhooks/forged', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }, 404],
    ];
    for (const [path, init, status] of asked) {
      const answer = await fetch(vigil.url + path, init);
      expect([path, answer.status, answer.headers.get('x-content-type-options')]).toEqual([path, status, 'nosniff']);
    }
  });
});
