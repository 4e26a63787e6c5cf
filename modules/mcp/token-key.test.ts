import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { listen } from '../../local/model-server/listen';
import { output } from '../../runtime/log';
import { wrongReadings } from '../../test/support/odd-answers';
import { type AuthorizationServer, startAuthorizationServer } from '../../test/support/servers/authorization-server';
import type { McpClient } from './auth';
import { type Key, keyFor } from './key';
import { pull } from './pull';
import { serveMcp } from './serve-mcp';
import { mcp } from './server';
import { tokenKey } from './token-key';

/** An MCP server that takes tokens for itself only. */
const guarded = {
  url: '',
  /** What it says about itself; undefined: nothing. */
  metadata: undefined as object | string | undefined,
  calls: 0,
  refused: 0,
  /** Whether the tokens end in the middle of the next session. */
  revokesAtCall: false,
};
let http: Awaited<ReturnType<typeof listen>>;
let giver: AuthorizationServer;
const logged: string[] = [];

beforeAll(async () => {
  giver = await startAuthorizationServer();
  http = await listen(async (request, response) => {
    if (request.url === '/.well-known/oauth-protected-resource/mcp' && guarded.metadata)
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(typeof guarded.metadata === 'string' ? guarded.metadata : JSON.stringify(guarded.metadata));
    if (request.url !== '/mcp') return void response.writeHead(404).end();
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = text ? JSON.parse(text) : {};
    if (body.method === 'tools/call' && guarded.revokesAtCall) {
      guarded.revokesAtCall = false;
      giver.revoke();
    }
    if (!(await giver.accepts(request, guarded.url))) {
      guarded.refused++;
      return void response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end();
    }
    const server = new McpServer({ name: 'guarded', version: '1' });
    server.registerTool('count', { description: 'Counts.' }, async () => ({
      content: [{ type: 'text', text: `${++guarded.calls}` }],
    }));
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await server.connect(transport);
    await transport.handleRequest(request, response, body);
  });
  guarded.url = `${http.url}/mcp`;
});
afterAll(async () => {
  await http.stop();
  await giver.stop();
});
beforeEach(() => {
  Object.assign(giver, { requests: [], lifeSeconds: 3_600, intercept: () => false });
  Object.assign(guarded, { metadata: undefined, calls: 0, refused: 0, revokesAtCall: false });
  logged.length = 0;
  jest.spyOn(output, 'write').mockImplementation((line) => void logged.push(line));
});
afterEach(() => jest.restoreAllMocks());

const declared = (client: Partial<McpClient> = {}, isPinned = true) =>
  mcp('guarded', {
    url: guarded.url,
    auth: { oauth: { clientId: 'vigil', secret: 'GUARDED_SECRET', issuer: giver.issuer, scope: 'tools', ...client } },
    pin: { tools: isPinned ? [{ name: 'count', description: 'Counts.', inputSchema }] : [] },
    allow: { '*': {} },
  });
const inputSchema = { type: 'object', properties: {} };
const stored = (value = 'the-secret'): Key & { forget: jest.Mock } => ({ get: async () => value, forget: jest.fn() });
type Answer = { output?: unknown; failure?: { name: string; message: string } };
function serving(client?: Partial<McpClient>, secret: Key = stored()) {
  const server = declared(client);
  const serve = serveMcp(
    server,
    keyFor(server, () => secret),
  );
  const event = { tool: 'guarded__count', input: {}, callId: 'call-1', attempt: 1, now: new Date().toISOString() };
  return async () => (await serve(event)) as Answer;
}

describe('a server that takes tokens of an authorization server (R175)', () => {
  test('gets one for its own address and the scope, which is kept until shortly before its end', async () => {
    const call = serving();
    expect([await call(), await call()]).toEqual([{ output: '1' }, { output: '2' }]);
    expect(giver.requests).toEqual([{ grant_type: 'client_credentials', scope: 'tools', resource: guarded.url }]);
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + 3_545_000);
    expect(await call()).toEqual({ output: '3' });
    expect([giver.requests.length, guarded.refused]).toEqual([2, 0]);
    expect(logged.join()).not.toMatch(/the-secret|eyJ/);
  });

  test('a token that it no longer takes is replaced once, and the request is sent again', async () => {
    const call = serving();
    await call();
    giver.revoke();
    expect(await call()).toEqual({ output: '2' });
    // In the middle of a session, too: the tool has not run.
    guarded.revokesAtCall = true;
    expect(await call()).toEqual({ output: '3' });
    expect([giver.requests.length, guarded.refused]).toEqual([3, 2]);
  });

  test('a new token that it does not take either is a mistake of the deployment, after one new try', async () => {
    const call = serving({ resource: 'https://elsewhere.example.org/' });
    expect(await call()).toEqual({
      failure: expect.objectContaining({
        name: 'ConfigurationError',
        message: 'The MCP server guarded refuses the token (401): check "scope" and "resource" of "auth.oauth".',
      }),
    });
    expect([giver.requests.length, guarded.refused, guarded.calls]).toEqual([2, 2, 0]);
  });

  test('its tools are pulled with a token, too, which may be of an address without metadata', async () => {
    const server = declared({ issuer: undefined, tokenUrl: `${giver.issuer}/token` }, false);
    const key = keyFor(server, () => stored());
    expect(await pull(server, key)).toEqual({ tools: [expect.objectContaining({ name: 'count' })] });
  });

  test('it may say what its tokens are for, but not who gets the client’s secret', async () => {
    guarded.metadata = { resource: guarded.url, authorization_servers: [`${giver.issuer}/`] };
    expect(await serving()()).toEqual({ output: '1' });
    guarded.metadata = { resource: guarded.url, authorization_servers: ['https://collector.example.org'] };
    expect((await serving()()).failure).toMatchObject({
      name: 'ConfigurationError',
      message:
        'MCP server guarded: auth.oauth.issuer: the server takes no tokens of it, but of https://collector.example.org/.',
    });
    guarded.metadata = { resource: 'https://bank.example.org/', authorization_servers: [giver.issuer] };
    expect((await serving()()).failure).toMatchObject({
      message: 'The MCP server guarded wants tokens for another server: set "resource".',
    });
    expect(giver.requests).toHaveLength(1);
  });
});

describe('an authorization server that gives no token (R175)', () => {
  const failing = async (client?: Partial<McpClient>, secret?: Key) => (await serving(client, secret)()).failure;
  const answer = (status: number, body: unknown, headers = {}) => {
    giver.intercept = ({ url }, response) =>
      url === '/token' && Boolean(response.writeHead(status, headers).end(JSON.stringify(body)));
  };

  test('a refused client: the secret is read again at the next call', async () => {
    const secret = stored('wrong');
    expect(await failing({}, secret)).toMatchObject({
      name: 'ConfigurationError',
      message:
        'The authorization server of the MCP server guarded refuses the client (invalid_client): ' +
        'check "clientId" and the secret GUARDED_SECRET.',
    });
    expect(secret.forget).toHaveBeenCalled();
  });

  test('a refused scope', async () => {
    expect(await failing({ scope: 'tools admin' })).toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringMatching(/refuses the scope \(invalid_scope\): check "scope", and what the client may/),
    });
  });

  test.each<[string, Partial<McpClient>, string, string]>([
    ['nothing listens', { issuer: 'http://127.0.0.1:1' }, 'ToolFailed', 'could not be reached.'],
    ['one without metadata', { issuer: 'ISSUER/tenant' }, 'ConfigurationError', 'check "issuer", or set "tokenUrl"'],
    ['no token endpoint there', { issuer: undefined, tokenUrl: 'ISSUER/no' }, 'ConfigurationError', '/no: check the'],
  ])('%s', async (_, client, name, words) => {
    const at = (address?: string) => address?.replace('ISSUER', giver.issuer);
    const failure = await failing({
      ...client,
      issuer: at(client.issuer as string),
      tokenUrl: at(client.tokenUrl as string),
    });
    expect(failure).toMatchObject({ name, message: expect.stringContaining(words) });
    expect(failure!.message).not.toContain('\n');
  });

  test.each<[string, number, unknown, string]>([
    ['is down', 503, {}, 'ToolFailed'],
    ['has too many requests', 429, {}, 'ToolFailed'],
    ['answers with something else', 200, { token: 'the-token' }, 'ToolFailed'],
    ['gives another kind of token', 200, { access_token: 'the-token', token_type: 'mac' }, 'ConfigurationError'],
    [
      'gives a token with a line break',
      200,
      { access_token: 'the-token\n', token_type: 'bearer' },
      'ConfigurationError',
    ],
    ['refuses without a code', 400, 'secret words', 'ConfigurationError'],
    ['refuses the resource', 400, { error: 'invalid_target' }, 'ConfigurationError'],
  ])('one that %s: no word of it is passed on', async (_, status, body, name) => {
    answer(status, body);
    const failure = await failing();
    expect(failure).toMatchObject({ name });
    expect(failure!.message + logged.join()).not.toMatch(/the-token|the-secret|secret words/);
    expect(guarded.calls).toBe(0);
  });

  test.each([
    ['token', '/token', { access_token: 't', token_type: 'Bearer', expires_in: 60, scope: 'tools' }],
    [
      'metadata',
      '/.well-known/oauth-authorization-server',
      {
        issuer: 'ISSUER',
        authorization_endpoint: 'ISSUER/a',
        token_endpoint: 'ISSUER/token',
        response_types_supported: [],
      },
    ],
    ['metadata of the MCP server', '/mcp', { resource: 'MCP', authorization_servers: ['ISSUER'] }],
  ])('whatever changes in its %s, there is a token for a header, or words of our own (R189)', async (_, path, good) => {
    const read = async (json = '') => {
      const said = json.replaceAll('ISSUER', giver.issuer).replaceAll('"MCP"', JSON.stringify(guarded.url));
      giver.intercept = ({ url }, response) =>
        url === path && Boolean(response.writeHead(200, { 'content-type': 'application/json' }).end(said));
      guarded.metadata = path === '/mcp' ? said : undefined;
      const client = { clientId: 'vigil', secret: 'GUARDED_SECRET', issuer: giver.issuer, scope: 'tools' };
      return tokenKey({ name: 'guarded', url: guarded.url }, client, stored()).get(fetch);
    };
    const isFit = (token: string) => Boolean(new Headers({ authorization: token }));
    expect(await wrongReadings(good, { read, errors: ['ToolFailed', 'ConfigurationError'], isFit })).toEqual([]);
  });

  test('a pause that it asks for comes back (R198)', async () => {
    answer(503, {}, { 'retry-after': '30' });
    expect(await failing()).toMatchObject({ name: 'ToolFailed', notBefore: expect.stringMatching(/Z$/) });
  });

  test('a redirect of the token request is not followed, and metadata under another name is none', async () => {
    answer(307, {}, { location: `${guarded.url}/token` });
    expect(await failing()).toMatchObject({ name: 'ConfigurationError' });
    giver.intercept = ({ url }, response) =>
      url !== '/token' &&
      Boolean(
        response.writeHead(200).end(
          JSON.stringify({
            issuer: 'https://other.example.org',
            authorization_endpoint: 'https://other.example.org/a',
            token_endpoint: 'https://other.example.org/t',
            response_types_supported: ['code'],
          }),
        ),
      );
    expect(await failing()).toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringContaining('calls itself by another name.'),
    });
  });
});
