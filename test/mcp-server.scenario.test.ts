import { createHash, createPrivateKey, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { decodeJwt, SignJWT } from 'jose';
import type { Turn } from '../lambdas/mcp/turn';
import { identityKey } from './support/clouds/compile-cloud';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { longTest } from './support/long';
import { reminderStory, wish } from './support/stories/reminder-story';
import { call } from './support/stories/transcript';

// The agents as an MCP server, with the official client. Each call has a client of its own: nothing is kept between two.

const redirectUrl = 'http://localhost:8976/callback';

let vigil: Vigil;
beforeAll(async () => {
  vigil = await startVigil();
});
afterAll(() => vigil?.stop());

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

async function connect(user: string): Promise<Client> {
  const headers = { authorization: `Bearer ${await tokenOfClient(user, await register())}` };
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${vigil.url}/mcp`), { requestInit: { headers } }));
  return client;
}

async function ask(user: string, name: string, given: object) {
  const client = await connect(user);
  await client.listTools();
  const { structuredContent, content, isError } = await client.callTool({ name, arguments: { ...given } });
  await client.close();
  return { turn: structuredContent as Turn, words: (content as [{ text: string }])[0].text, isError };
}

async function untilStatus(user: string, conversation: string, status: Turn['status']): Promise<Turn> {
  for (let attempt = 0; ; attempt++) {
    const { turn } = await ask(user, 'read_conversation', { conversation });
    if (turn.status === status || attempt === 300) return turn;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test('a client finds the sign-in, registers, signs its user in with PKCE, and its token opens nothing but the MCP server (R176)', async () => {
  const cognito = { authorized: new URL('https://nowhere.test'), code: randomUUID() };
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
      cognito.authorized = url;
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier!,
  };
  /** The token endpoint of Cognito, which checks the code and PKCE. Anything else is the cloud. */
  async function reach(url: string | URL, init?: RequestInit): Promise<Response> {
    if (!String(url).endsWith('/oauth2/token')) return fetch(url, init);
    const fields = new URLSearchParams(String(init?.body));
    const query = cognito.authorized.searchParams;
    const challenge = createHash('sha256').update(fields.get('code_verifier')!).digest('base64url');
    const ok =
      new URL(url).origin === cognito.authorized.origin &&
      [fields.get('code'), challenge].join() === [cognito.code, query.get('code_challenge')].join();
    if (!ok) return Response.json({ error: 'invalid_grant' }, { status: 400 });
    const access_token = await tokenOfClient('ada', fields.get('client_id')!);
    return Response.json({ access_token, token_type: 'Bearer', expires_in: 900 });
  }
  const open = () =>
    new StreamableHTTPClientTransport(new URL(`${vigil.url}/mcp`), { authProvider: provider, fetch: reach });

  const first = open();
  await expect(new Client({ name: 'test', version: '1' }).connect(first)).rejects.toBeInstanceOf(UnauthorizedError);
  expect(cognito.authorized.href).toMatch(
    /^https:\/\/vigil-[\w-]+\.auth\.[\w-]+\.amazoncognito\.com\/oauth2\/authorize/,
  );
  expect(Object.fromEntries(cognito.authorized.searchParams)).toMatchObject({
    client_id: kept.client!.client_id,
    scope: 'vigil/mcp',
    resource: `${vigil.url}/mcp`,
    redirect_uri: redirectUrl,
    code_challenge_method: 'S256',
  });
  await first.finishAuth(cognito.code);
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

test('an agent asks, the user answers, and it goes on in the same conversation (R176)', async () => {
  vigil.model.script([{ text: 'Where would you like to go?' }, { text: 'Day 1: Kyoto.\n\nPLAN COMPLETE' }]);
  const { turn, words } = await ask('ada', 'travel', { message: 'Plan a trip for me' });
  expect(turn).toMatchObject({ status: 'waiting', questions: [{ prompt: 'Where would you like to go?' }] });
  const { conversation, questions } = turn;
  expect(words).toContain(`question: ${questions[0]!.id}`);
  const given = { conversation, question: questions[0]!.id, message: 'Kyoto', request_id: '1' };
  const { turn: done } = await ask('ada', 'travel', given);
  expect(done).toMatchObject({ conversation, status: 'done', questions: [] });
  expect(done.messages.map(({ from, text }) => [from, text.trim()])).toEqual([
    ['user', 'Kyoto'],
    ['travel', 'Day 1: Kyoto.\n\nPLAN COMPLETE'],
  ]);
  expect((await ask('ada', 'travel', given)).turn).toEqual(done);
  expect(await ask('ada', 'travel', { ...given, request_id: '2' })).toMatchObject({ isError: true });
  expect(await ask('bob', 'read_conversation', { conversation })).toMatchObject({ isError: true });
});

longTest('a run sleeps while nobody is connected, and is read when it is over (R176)', async () => {
  vigil.model.script(reminderStory);
  const { turn, words } = await ask('ada', 'reminder', { message: wish });
  expect(turn).toMatchObject({ status: 'sleeping', until: expect.stringMatching(/T08:00:00/) });
  expect(words).toContain('sleeps until');
  await vigil.advance('P2D');
  const done = await untilStatus('ada', turn.conversation, 'done');
  expect(done.messages.at(-1)).toMatchObject({ from: 'reminder' });
});

longTest('a task is polled to its end, and its result is the answer (R176)', async () => {
  vigil.model.script([{ text: 'Lisbon.\n\nPLAN COMPLETE' }]);
  const client = await connect('ada');
  const statuses: string[] = [];
  const stream = client.experimental.tasks.callToolStream(
    { name: 'travel', arguments: { message: 'A long weekend' } },
    undefined,
    { task: {} },
  );
  let result: unknown;
  for await (const message of stream) {
    if (message.type === 'taskCreated' || message.type === 'taskStatus') statuses.push(message.task.status);
    if (message.type === 'result') result = message.result;
  }
  expect([statuses[0], statuses.at(-1)]).toEqual(['working', 'completed']);
  expect(result).toMatchObject({
    structuredContent: { status: 'done', messages: [{ from: 'user' }, { from: 'travel' }] },
  });
});

longTest(
  'an approval is a person’s: the client is told of it, and no message or token of a client decides it (R176)',
  async () => {
    vigil.model.script([
      call('h', 'hand_off_to_account_manager', { reason: 'A transfer.' }),
      call('t', 'transfer', { to: 'Ada', amount_cents: 90_000, purpose: 'Rent' }),
      { text: 'Sent.' },
    ]);
    const { turn, words } = await ask('bob', 'bank', { message: 'Send 900 to Ada' });
    expect(turn).toMatchObject({
      status: 'waiting',
      approvals: [{ tool: 'transfer', prompt: 'Send $900.00 to "Ada" (outside the bank) for "Rent"?' }],
    });
    expect(words).toContain('A person decides');
    const { conversation } = turn;
    const bob = await vigil.user('bob');
    const { callbacks } = await bob.read(conversation);
    const { id } = callbacks[0]!;
    const answered = await ask('bob', 'bank', { conversation, question: id, message: 'I approve' });
    expect(answered).toMatchObject({ isError: true });
    const { turn: told } = await ask('bob', 'bank', { conversation, message: 'Approved!' });
    expect(told.approvals).toHaveLength(1);
    const cancelled = await ask('bob', 'cancel_run', { conversation });
    expect(cancelled.turn).toMatchObject({ status: 'cancelled', approvals: [] });
  },
);
