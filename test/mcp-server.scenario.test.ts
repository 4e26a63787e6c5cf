import { createHash, createPrivateKey, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client';
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { decodeJwt, SignJWT } from 'jose';
import type { Turn } from '../modules/mcp-server/turn';
import { identityKey } from './support/clouds/compile-cloud';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { call } from './support/stories/transcript';

// The agents as an MCP server, with the official clients of both generations. Each call has a client of its own: nothing is kept between two.

const redirectUrl = 'http://localhost:8976/callback';

/** Stands for Cognito, to which the server passes the sign-in on. */
const signInPages = {
  url: '',
  token: async (_fields: URLSearchParams): Promise<object> => ({}),
};
const cognito = createServer(async (request, response) => {
  const answer = await signInPages.token(new URLSearchParams(await text(request)));
  const status = request.url !== '/oauth2/token' || 'error' in answer ? 400 : 200;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
});

let vigil: Vigil;
beforeAll(async () => {
  await new Promise<void>((resolve) => cognito.listen(0, '127.0.0.1', resolve));
  signInPages.url = `http://127.0.0.1:${(cognito.address() as AddressInfo).port}`;
  vigil = await startVigil({ variables: { MCP_SIGN_IN_BASE_URL: signInPages.url } });
});
afterAll(async () => {
  await vigil?.stop();
  cognito.close();
});

/** A token as Cognito gives it to an MCP client: bound to the server's address, with its one scope. */
async function tokenOfClient(user: string, clientId: string): Promise<string> {
  const init = { method: 'POST', body: JSON.stringify({ user: vigil.idOf(user) }) };
  const { token } = (await (await fetch(`${vigil.url}/_local/token`, init)).json()) as { token: string };
  return new SignJWT({ ...decodeJwt(token), client_id: clientId, aud: `${vigil.url}/mcp`, scope: 'vigil/mcp' })
    .setProtectedHeader({ alg: 'RS256', kid: 'local' })
    .sign(createPrivateKey(readFileSync(identityKey)));
}

async function register(): Promise<string> {
  const init = { method: 'POST', body: JSON.stringify({ redirect_uris: [redirectUrl] }) };
  return ((await (await fetch(`${vigil.url}/mcp/register`, init)).json()) as { client_id: string }).client_id;
}

test('a client finds the sign-in, registers, signs its user in with PKCE, and its token opens nothing but the MCP server (R176)', async () => {
  const signIn = { authorized: new URL('https://nowhere.test'), code: randomUUID() };
  signInPages.token = async (fields) => {
    const query = signIn.authorized.searchParams;
    const challenge = createHash('sha256').update(fields.get('code_verifier')!).digest('base64url');
    const ok = [fields.get('code'), challenge].join() === [signIn.code, query.get('code_challenge')].join();
    if (!ok) return { error: 'invalid_grant' };
    const access_token = await tokenOfClient('ada', fields.get('client_id')!);
    return { access_token, token_type: 'Bearer', expires_in: 900 };
  };
  const kept: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string } = {};
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl], client_name: 'test' },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (url) => {
      signIn.authorized = url;
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier!,
  };
  const open = () => new StreamableHTTPClientTransport(new URL(`${vigil.url}/mcp`), { authProvider: provider });

  const first = open();
  await expect(new Client({ name: 'test', version: '1' }).connect(first)).rejects.toBeInstanceOf(UnauthorizedError);
  expect(signIn.authorized.href).toContain(`${vigil.url}/mcp/authorize?`);
  const sent = await fetch(signIn.authorized, { redirect: 'manual' });
  signIn.authorized = new URL(sent.headers.get('location')!);
  expect(signIn.authorized.href).toContain(`${signInPages.url}/oauth2/authorize?`);
  expect(Object.fromEntries(signIn.authorized.searchParams)).toMatchObject({
    client_id: kept.client!.client_id,
    scope: 'vigil/mcp',
    resource: `${vigil.url}/mcp`,
    redirect_uri: redirectUrl,
    code_challenge_method: 'S256',
  });
  await first.finishAuth(signIn.code);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(open());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['reminder', 'travel', 'read_conversation']));

  const headers = { authorization: `Bearer ${kept.tokens!.access_token}`, 'content-type': 'application/json' };
  for (const [method, path] of [
    ['GET', '/conversations'],
    ['POST', '/conversations'],
    ['POST', '/conversations/c_1/callbacks/x'],
    ['POST', '/live/tickets'],
  ])
    expect((await fetch(vigil.url + path, { method, headers })).status).toBe(401);
  expect((await fetch(`${vigil.url}/mcp`, { method: 'POST', body: '{}' })).status).toBe(401);
});

/** A client of the current revision, which shows forms. */
async function connectNew(user: string, answer: (message: string) => string | undefined): Promise<NewClient> {
  const headers = { authorization: `Bearer ${await tokenOfClient(user, await register())}` };
  const client = new NewClient(
    { name: 'test', version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  client.setRequestHandler('elicitation/create', ({ params: { message } }) => {
    const words = answer(message);
    return words === undefined ? { action: 'decline' } : { action: 'accept', content: { answer: words } };
  });
  await client.connect(new NewTransport(new URL(`${vigil.url}/mcp`), { requestInit: { headers } }));
  return client;
}

test('a client of the current revision shows an agent’s question to its user, and the call continues; an approval it only tells (R176, R222)', async () => {
  vigil.model.script([{ text: 'Where would you like to go?' }, { text: 'Day 1: Kyoto.\n\nPLAN COMPLETE' }]);
  const asked: string[] = [];
  const client = await connectNew('ada', (message) => {
    asked.push(message);
    return 'Kyoto';
  });
  const planned = await client.callTool({ name: 'travel', arguments: { message: 'Plan a trip for me' } });
  expect(asked).toEqual(['The agent travel asks: Where would you like to go?']);
  const turn = planned.structuredContent as Turn;
  expect(turn).toMatchObject({ status: 'done', questions: [] });
  expect(turn.messages.map(({ from, text }) => [from, text.trim()])).toEqual([
    ['user', 'Plan a trip for me'],
    ['travel', 'Where would you like to go?'],
    ['user', 'Kyoto'],
    ['travel', 'Day 1: Kyoto.\n\nPLAN COMPLETE'],
  ]);

  vigil.model.script([
    call('h', 'hand_off_to_account_manager', { reason: 'A transfer.' }),
    call('t', 'transfer', { to: 'Ada', amount_cents: 90_000, purpose: 'Rent' }),
    { text: 'Sent.' },
  ]);
  const bank = await connectNew('bob', () => 'I approve');
  const told = await bank.callTool({ name: 'bank', arguments: { message: 'Send 900 to Ada' } });
  expect(told.structuredContent).toMatchObject({ status: 'waiting', approvals: [{ tool: 'transfer' }] });
  expect(asked).toHaveLength(1);
  const { conversation } = turn;
  expect(await bank.callTool({ name: 'read_conversation', arguments: { conversation } })).toMatchObject({
    isError: true,
  });
  await Promise.all([client.close(), bank.close()]);
});
