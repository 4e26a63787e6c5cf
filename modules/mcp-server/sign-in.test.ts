import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { discovery } from './discovery';

// One local server stands for Cognito and for the internet, where clients have their documents.
const address = 'https://client.example/mcp/client.json';
const redirect = 'https://elsewhere.test/back';
let server: Server;
let answer: RequestListener;
let requests: { path?: string; host?: string; body: string }[];
let resolved = '93.184.216.34';

beforeAll(async () => {
  server = createServer(async (request, response) => {
    requests.push({ path: request.url, host: request.headers.host, body: await text(request) });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
const document = { client_id: address, client_name: 'A client', redirect_uris: [redirect, 'https://evil.test/back'] };
const says =
  (body: unknown, status = 200, headers = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
beforeEach(() => {
  [requests, resolved, answer] = [[], '93.184.216.34', says(document)];
});

const port = () => (server.address() as AddressInfo).port;
const app = () =>
  discovery({
    url: 'https://api.test',
    issuer: 'https://issuer.test/pool',
    scopes: ['vigil/mcp'],
    client: {
      id: 'public-client',
      signInUrl: `http://127.0.0.1:${port()}`,
      callbackUrls: ['http://localhost:8976/callback', redirect],
    },
    network: {
      resolve: async () => [{ address: resolved, family: 4 }],
      connect: () => connect(port(), '127.0.0.1'),
    },
  });
const authorize = (query: Record<string, string> | string) =>
  app().request(`https://api.test/mcp/authorize?${new URLSearchParams(query)}`);
const challenge = { code_challenge: 'abc', code_challenge_method: 'S256' };
const asked = {
  client_id: address,
  redirect_uri: redirect,
  response_type: 'code',
  ...challenge,
  state: 's&1',
};
const error = async (response: Response) => [response.status, ((await response.json()) as { error: string }).error];

describe('the sign-in of MCP clients (R222)', () => {
  test('a client with a document is sent on as the one that Cognito knows; all else stays as it is', async () => {
    const sent = await authorize(asked);
    expect(sent.status).toBe(302);
    const to = new URL(sent.headers.get('location')!);
    expect(to.origin + to.pathname).toBe(`http://127.0.0.1:${port()}/oauth2/authorize`);
    expect(Object.fromEntries(to.searchParams)).toEqual({ ...asked, client_id: 'public-client' });
    expect(requests).toMatchObject([{ path: '/mcp/client.json', host: 'client.example' }]);
  });

  test('the registered client needs no document', async () => {
    expect((await authorize({ ...asked, client_id: 'public-client' })).status).toBe(302);
    expect(requests).toEqual([]);
  });

  test.each([
    ['of another client', { ...document, client_id: `${address}?x` }],
    ['without addresses', { client_id: address }],
    ['with a secret', { ...document, client_secret: 'x' }],
    ['of a client with a key', { ...document, token_endpoint_auth_method: 'private_key_jwt' }],
    ['that is no JSON', '<html>'],
    ['that is too long', { ...document, client_name: 'x'.repeat(20_000) }],
  ])('a document %s is refused', async (_, body) => {
    answer = says(body);
    expect(await error(await authorize(asked))).toEqual([400, 'invalid_client']);
  });

  test.each([
    ['is not there', 404],
    ['is elsewhere', 302],
  ])('a document that %s is refused, and nothing else is fetched', async (_, status) => {
    answer = says(document, status, { location: 'https://client.example/other' });
    expect(await error(await authorize(asked))).toEqual([400, 'invalid_client']);
    expect(requests).toHaveLength(1);
  });

  test.each([
    'http://client.example/client.json',
    'https://client.example/',
    'https://client.example/a/../client.json',
    'https://client.example/client.json#x',
    'https://client.example/client.json#',
    'https://user@client.example/client.json',
    'https://CLIENT.example/client.json',
    'https://169.254.169.254/client.json',
    'https://localhost/client.json',
    `https://client.example/${'x'.repeat(1_000)}`,
    'somebody',
  ])('%s is no address of a document, and nothing is fetched', async (client_id) => {
    expect(await error(await authorize({ ...asked, client_id }))).toEqual([400, 'invalid_client']);
    expect(requests).toEqual([]);
  });

  test('a name of a private network is not connected to', async () => {
    resolved = '10.0.0.7';
    expect(await error(await authorize(asked))).toEqual([400, 'invalid_client']);
    expect(requests).toEqual([]);
  });

  test('users return only to addresses that the document and the deployment name', async () => {
    for (const redirect_uri of ['https://evil.test/back', 'http://localhost:8976/callback', `${redirect}/`, ''])
      expect(await error(await authorize({ ...asked, redirect_uri }))).toEqual([400, 'invalid_request']);
    const twice = `${new URLSearchParams(asked)}&redirect_uri=https://evil.test/back`;
    expect(await error(await authorize(twice))).toEqual([400, 'invalid_request']);
  });

  test('a client without PKCE is refused', async () => {
    const { code_challenge: _, ...without } = asked;
    for (const query of [without, { ...asked, code_challenge_method: 'plain' }, { ...asked, code_challenge: '' }])
      expect(await error(await authorize(query))).toEqual([400, 'invalid_request']);
  });

  test('a document whose host answers with another protocol is given up', async () => {
    answer = (_request, response) =>
      void response.socket!.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    expect(await error(await authorize(asked))).toEqual([400, 'invalid_client']);
  });

  test.each(['token', 'revoke'])('/mcp/%s passes the form on as the client that Cognito knows', async (endpoint) => {
    answer = says({ access_token: 'a-token' }, 200, { 'content-type': 'application/json' });
    const form = { grant_type: 'authorization_code', code: 'c', code_verifier: 'v', client_id: address };
    const got = await app().request(`https://api.test/mcp/${endpoint}`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    expect([got.status, got.headers.get('cache-control'), await got.json()]).toEqual([
      200,
      'no-store',
      { access_token: 'a-token' },
    ]);
    expect(requests).toEqual([{ path: `/oauth2/${endpoint}`, host: `127.0.0.1:${port()}`, body: expect.any(String) }]);
    expect(Object.fromEntries(new URLSearchParams(requests[0]!.body))).toEqual({ ...form, client_id: 'public-client' });
  });

  test('what Cognito refuses is passed back; what it does not answer is not a refusal', async () => {
    const post = (form: object, headers = {}) =>
      app().request('https://api.test/mcp/token', {
        method: 'POST',
        headers,
        body: new URLSearchParams({ ...form }),
      });
    answer = says({ error: 'invalid_grant' }, 400);
    expect(await error(await post({ client_id: 'public-client' }))).toEqual([400, 'invalid_grant']);
    answer = (_request, response) => void response.destroy();
    expect(await error(await post({ client_id: address }))).toEqual([503, 'temporarily_unavailable']);
    requests.length = 0;
    for (const [form, headers] of [
      [{ client_id: 'somebody' }, {}],
      [{}, {}],
      [{ client_id: address }, { authorization: 'Basic eDp5' }],
    ])
      expect(await error(await post(form!, headers))).toEqual([401, 'invalid_client']);
    expect(await error(await post({ client_id: address, code: 'x'.repeat(20_000) }))).toEqual([413, 'invalid_request']);
    expect(requests).toEqual([]);
  });
});
