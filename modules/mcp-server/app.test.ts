import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { GetTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { LambdaEvent } from 'hono/aws-lambda';
import { defineAgent } from '../../core/conversations/agent/agent';
import { registry } from '../../core/conversations/agent/registry';
import { newCallback, putCallback } from '../../core/conversations/calls/callback';
import { sendMessage } from '../../core/conversations/conversation/send-message';
import { key } from '../../core/conversations/rows/keys';
import { createConversation } from '../../core/conversations/runs/conversation';
import { changeConversation } from '../../core/conversations/store/change-conversation';
import { readMeta, write } from '../../core/conversations/store/table';
import { counts } from '../../runtime/limits';
import { addMember } from '../../test/support/add-member';
import { loggedLines } from '../../test/support/logged';
import { memoryFileStore } from '../../test/support/memory-file-store';
import { startTable } from '../../test/support/tables/table';
import { mcpApp } from './app';
import type { Turn } from './turn';

// The official clients of both generations over real HTTP and a real table. No execution runs, so a run stays at work.

const spec = { instructions: 'Help.', model: 'm', tools: [] };
const agents = registry([
  defineAgent({ name: 'helper', purpose: 'Helps with anything', examples: ['Help me', 'Explain'], ...spec }),
  defineAgent({ name: 'clerk', purpose: 'Writes', examples: ['Write'], ...spec }),
  defineAgent({ name: 'hidden', purpose: 'Is reached through others', ...spec }),
]);

let table: Awaited<ReturnType<typeof startTable>>;
const store = memoryFileStore();
let server: Server;
let url: string;
/** What the gateway's authorizer says of the token, which here is JSON. */
const claimsIn = (token = '{}') => ({ token_use: 'access', client_id: 'client', ...JSON.parse(token) });

beforeAll(async () => {
  table = await startTable();
  server = createServer(async (request, response) => {
    const body = await text(request);
    const claims = claimsIn(request.headers.authorization?.replace('Bearer ', ''));
    const event = { requestContext: { authorizer: { jwt: { claims } } } } as unknown as LambdaEvent;
    const init = { method: request.method!, headers: request.headers as Record<string, string>, ...(body && { body }) };
    const answer = await app().fetch(new Request(`${url}${request.url}`, init), { event });
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await table.stop();
});
let lines: ReturnType<typeof loggedLines>;
beforeEach(() => {
  lines = loggedLines();
});

/** New for each request, as if each had another instance of the function. */
const app = () =>
  mcpApp({
    table,
    registry: agents,
    carryOut: async () => {},
    counts,
    files: store,
    fileLimits: () => ({ file: 1_000_000, day: 2_000_000, all: 5_000_000, count: 100 }),
    waitMs: 50,
    page: 'https://vigil.test',
    discovery: {
      url,
      issuer: 'https://issuer.test/pool',
      scopes: ['vigil/mcp'],
      client: {
        id: 'public-client',
        signInUrl: 'https://sign-in.test',
        callbackUrls: ['http://localhost:8976/callback', 'https://elsewhere.test/back'],
      },
    },
    keptClaims: [],
    webOrigins: ['https://ours.test'],
  });

const headersOf = (user: string) => ({ authorization: `Bearer ${JSON.stringify({ sub: user })}` });

async function connect(user: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: headersOf(user) } }),
  );
  return client;
}

/** Calls a tool with a client of its own: nothing is kept between two calls. */
async function call(user: string, name: string, given: object) {
  const client = await connect(user);
  await client.listTools();
  const { structuredContent, content, isError } = await client.callTool({ name, arguments: { ...given } });
  await client.close();
  const [{ text: words }] = content as [{ text: string }];
  return { turn: structuredContent as Turn, words, isError };
}

/** A client of the protocol's current revision. */
async function connectNew(user: string, capabilities: object = {}): Promise<NewClient> {
  const options = { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } };
  const client = new NewClient({ name: 'test', version: '1' }, options);
  await client.connect(new NewTransport(new URL(`${url}/mcp`), { requestInit: { headers: headersOf(user) } }));
  return client;
}

/** Sends one request of the current revision. The SDK's client knows no tasks. */
async function request(
  user: string,
  method: string,
  params: { name?: string; taskId?: string } & object,
  can: object = tasks,
  trace: object = {},
) {
  const meta = {
    ...trace,
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': can,
  };
  const name = params.name ?? params.taskId;
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name && { 'mcp-name': name }),
      ...headersOf(user),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
  });
  return { status: answer.status, ...((await answer.json()) as { result: Answered; error?: { code: number } }) };
}
/** The fields of answers that tests read. */
interface Answered {
  taskId: string;
  status: string;
  structuredContent: Turn;
}
const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const beginTask = async (user: string, message: string) =>
  (await request(user, 'tools/call', { name: 'helper', arguments: { message } } as object)).result;

test('a run that a call begins belongs to the trace of its request (R240)', async () => {
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const called = { name: 'helper', arguments: { message: 'Hello' } };
  const ids = await Promise.all(
    [{ traceparent }, { traceparent: 'nonsense' }].map(async (trace) => {
      const { result } = await request('ada', 'tools/call', called, {}, trace);
      return result.structuredContent.conversation;
    }),
  );
  const metas = await Promise.all(ids.map((id) => readMeta(table, id)));
  expect(metas.map((meta) => meta?.run?.caller)).toEqual([{ traceparent }, undefined]);
});

test('each offered agent is a tool, and there is one to read and one to cancel, for clients of both generations (R176, R222)', async () => {
  const client = await connect('ada');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['helper', 'clerk', 'read_conversation', 'cancel_run']);
  expect(tools[0]).toMatchObject({
    description: expect.stringContaining('Helps with anything'),
    inputSchema: { type: 'object', required: ['message'], additionalProperties: false },
    outputSchema: { type: 'object', required: expect.arrayContaining(['conversation', 'status', 'messages']) },
  });
  expect(JSON.stringify(tools)).not.toContain(':{}');
  const capabilities = { tools: {}, resources: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } };
  expect(client.getServerCapabilities()).toEqual(capabilities);

  const current = await connectNew('ada');
  expect(current.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  expect(current.getServerCapabilities()).toEqual(capabilities);
  expect(current.getInstructions()).toContain('Each agent is a tool');
  const listed = await current.listTools();
  expect(listed).toMatchObject({ tools, ttlMs: 300_000, cacheScope: 'private' });
  const auto = new NewClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await auto.connect(new NewTransport(new URL(`${url}/mcp`), { requestInit: { headers: headersOf('ada') } }));
  expect(auto.getProtocolEra()).toBe('modern');
});

test('a message starts a conversation, another one goes on with it, and the result says how it stands (R176)', async () => {
  const { turn, words } = await call('ada', 'helper', { message: 'Hello' });
  expect(turn).toMatchObject({
    agent: 'helper',
    status: 'running',
    messages: [{ seq: 1, from: 'user', text: 'Hello' }],
  });
  expect(turn.page).toBe(`https://vigil.test/#/c/${turn.conversation}`);
  expect(words).toBe(
    `The agent still works. Call read_conversation to look again.\n\nConversation: ${turn.conversation}`,
  );
  const { conversation } = turn;
  const next = await call('ada', 'helper', { message: 'And this', conversation });
  expect(next.turn).toMatchObject({ conversation, messages: [{ seq: 2, text: 'And this' }] });
  const all = await call('ada', 'read_conversation', { conversation, after: 0 });
  expect(all.turn.messages.map(({ text }) => text)).toEqual(['Hello', 'And this']);
});

test('a repeated message with its request_id is sent once, and another message is another one (R176)', async () => {
  const given = { message: 'Once, please', request_id: '1' };
  const [one, two] = await Promise.all([call('ada', 'helper', given), call('ada', 'helper', given)]);
  expect(two.turn.conversation).toBe(one.turn.conversation);
  expect((await call('ada', 'helper', { ...given, message: 'Other' })).turn.conversation).not.toBe(
    one.turn.conversation,
  );
  expect((await call('bob', 'helper', given)).turn.conversation).not.toBe(one.turn.conversation);
  const more = { message: 'More', request_id: '2', conversation: one.turn.conversation };
  await call('ada', 'helper', more);
  const { turn } = await call('ada', 'helper', more);
  expect(
    (await call('ada', 'read_conversation', { ...more, message: undefined, request_id: undefined, after: 0 })).turn
      .messages,
  ).toHaveLength(2);
  expect(turn.messages).toMatchObject([{ seq: 2, text: 'More' }]);
});

test('a member sends files by MCP, and the owner reads them: they are the owner’s (R216, R226)', async () => {
  const { turn } = await call('ada', 'helper', { message: 'Look at this with me' });
  const { conversation } = turn;
  await addMember(table, { conversationId: conversation, by: 'ada' }, 'user:ben', { role: 'member' });
  const files = [{ data: btoa('a,b'), mimeType: 'text/csv' }];
  const sent = await call('ben', 'helper', { message: 'Here it is', conversation, files });
  expect([sent.isError, sent.words]).toEqual([undefined, expect.not.stringContaining('no such file')]);
  const { uri } = sent.turn.messages.at(-1)!.files![0]!;
  for (const user of ['ada', 'ben']) {
    const client = await connect(user);
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ mimeType: 'text/csv', blob: btoa('a,b') }]);
    await client.close();
  }
});

test('files go in with a message, come back as pictures and links, and are read by those who have the conversation (R216)', async () => {
  const client = await connect('ada');
  await client.listTools();
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  const files = [
    { data: dot, mimeType: 'image/png', name: 'dot.png' },
    { data: btoa('a,b'), mimeType: 'text/csv' },
  ];
  const given = { message: 'What are these?', files, request_id: 'files' };
  const ask = (name: string, args: object) => client.callTool({ name, arguments: { ...args } });
  const { structuredContent, content } = await ask('helper', given);
  // Of its own message, the client has the files.
  expect(content).toHaveLength(1);
  const { conversation, messages } = structuredContent as Turn;
  expect(messages[0]!.files).toEqual([
    { uri: expect.stringContaining(`${conversation}/files/f_`), name: 'dot.png', mimeType: 'image/png', size: 70 },
    { uri: expect.stringContaining(`${conversation}/files/f_`), mimeType: 'text/csv', size: 3 },
  ]);
  expect(((await ask('helper', given)).structuredContent as Turn).messages).toEqual(messages);

  const read = await ask('read_conversation', { conversation, after: 0 });
  const [picture, table] = messages[0]!.files!;
  expect((read.content as object[]).slice(1)).toEqual([
    { type: 'image', data: dot, mimeType: 'image/png' },
    { type: 'resource_link', ...picture },
    { type: 'resource_link', ...table, name: expect.stringMatching(/^f_/) },
  ]);
  const { contents } = await client.readResource({ uri: table!.uri });
  expect(contents).toEqual([{ uri: table!.uri, mimeType: 'text/csv', blob: btoa('a,b') }]);
  expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);

  const bob = await connect('bob');
  await expect(bob.readResource({ uri: table!.uri })).rejects.toThrow(`You have no conversation ${conversation}.`);
  const other = (await call('bob', 'helper', { message: 'a' })).turn.conversation;
  const guessed = table!.uri.replace(conversation, other);
  await expect(bob.readResource({ uri: guessed })).rejects.toThrow('The conversation has no file');
  const uri = 'file:///etc/passwd';
  await expect(client.readResource({ uri })).rejects.toMatchObject({
    message: expect.stringContaining('uri: use one of the form vigil:'),
    data: { uri },
  });
});

test.each([
  ['no base64', [{ data: '%', mimeType: 'text/csv' }], 'files.0.data: Invalid base64'],
  ['no type', [{ data: 'YQ==', mimeType: 'csv' }], 'files.0.mimeType: use a media type'],
])('a file with %s is refused by name (R216)', async (_, files, line) => {
  const { words, isError } = await call('ada', 'helper', { message: 'a', files });
  expect({ isError, words }).toEqual({ isError: true, words: expect.stringContaining(line) });
});

test.each([
  ['no message', 'helper', {}, 'message: Invalid input: expected string, received undefined'],
  ['an argument that does not exist', 'helper', { message: 'a', agent: 'clerk' }, 'Unrecognized key: "agent"'],
  ['a wrong id', 'read_conversation', { conversation: 'a b' }, 'conversation: this is no id of a conversation'],
  ['no such conversation', 'helper', { message: 'a', conversation: 'c_none' }, 'You have no conversation c_none.'],
])('%s is an error that the model reads in one line (R176)', async (_, name, given, line) => {
  const { words, isError } = await call('ada', name, given);
  expect(isError).toBe(true);
  expect(words).toContain(line);
  expect(words).not.toContain('\n');
});

test('a conversation is its owner’s alone, and goes on with the agent that it began with (R176)', async () => {
  const { conversation } = (await call('ada', 'helper', { message: 'Mine' })).turn;
  for (const [name, given] of [
    ['helper', { message: 'Let me in', conversation }],
    ['read_conversation', { conversation }],
    ['cancel_run', { conversation }],
  ] as const)
    expect(await call('bob', name, given)).toMatchObject({
      isError: true,
      words: `You have no conversation ${conversation}.`,
    });
  expect((await call('ada', 'clerk', { message: 'a', conversation })).words).toBe(
    'conversation: it began with the agent helper: call that tool',
  );
});

test.each(['application/json', 'application/*', '*/*', undefined])(
  'a client that takes %s gets JSON (R275)',
  async (accept) => {
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'mcp-protocol-version': '2025-11-25',
        ...(accept && { accept }),
        ...headersOf('ada'),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
  },
);

test('an unknown tool, an agent that is not offered, and a task of an old client are errors of the protocol (R176, R222)', async () => {
  const client = await connect('ada');
  for (const name of ['nobody', 'hidden'])
    await expect(client.callTool({ name, arguments: { message: 'a' } })).rejects.toMatchObject({ code: -32_602 });
  // The tasks of 2025-11-25 were an experiment.
  const ofOldTask = client.request({ method: 'tasks/get', params: { taskId: 'c.1' } }, GetTaskResultSchema);
  await expect(ofOldTask).rejects.toMatchObject({ code: -32_601 });
});

test('a run that is at work is a task for clients that know the extension: any of the user’s asks for it, and cancels it (R222)', async () => {
  const task = await beginTask('ada', 'Work');
  const taskId = task.taskId;
  expect(task).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null, pollIntervalMs: 2_000 });
  const get = (user = 'ada', can: object = tasks) => request(user, 'tasks/get', { taskId }, can);
  expect((await get()).result).toMatchObject({ resultType: 'complete', taskId, status: 'working' });
  expect(await get('bob')).toMatchObject({ error: { code: -32_602 } });
  expect(await get('ada', {})).toMatchObject({ error: { code: -32_021 } });
  for (const other of ['nonsense', `${taskId}9`])
    expect(await request('ada', 'tasks/get', { taskId: other })).toMatchObject({ error: { code: -32_602 } });
  // Another message comes to the same run.
  const [conversation] = taskId.split('.') as [string];
  await sendMessage(table, agents.agents, conversation, { user: 'ada', text: 'More' }, new Date());
  expect((await get()).result.status).toBe('working');
  const unasked = { taskId, inputResponses: { q: { action: 'accept', content: { answer: 'x' } } } };
  expect((await request('ada', 'tasks/update', unasked)).result).toMatchObject({ resultType: 'complete' });
  for (let time = 0; time < 2; time++)
    expect((await request('ada', 'tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
  expect((await get()).result).toMatchObject({ status: 'cancelled', statusMessage: 'Cancelled by the user.' });
});

test('to cancel the task of a run that has ended leaves the run of a later message alone (R222)', async () => {
  const { taskId } = await beginTask('ada', 'First');
  const [conversation] = taskId.split('.') as [string];
  const { run } = (await readMeta(table, conversation))!;
  const reply = { seq: 2, version: 1, role: 'assistant', author: 'helper', text: 'Done.', status: 'complete' };
  await changeConversation(table, conversation, (meta) => ({
    meta: { ...meta, status: 'done', pending: [], lastSeq: 2, run: { ...meta.run!, status: 'done' } },
    rows: [{ sk: key.message(2), put: { ...reply, runId: run!.id, createdAt: new Date().toISOString() } }],
    answer: undefined,
  }));
  await sendMessage(table, agents.agents, conversation, { user: 'ada', text: 'Second' }, new Date());
  expect((await request('ada', 'tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
  const get = async (id: string) => (await request('ada', 'tasks/get', { taskId: id })).result.status;
  expect([await get(taskId), await get(`${conversation}.3`)]).toEqual(['completed', 'working']);
});

test('a run that has failed is an error, as the result of its call and of its task (R176, R222)', async () => {
  const { turn } = await call('ada', 'helper', { message: 'Fail', request_id: '1' });
  const { conversation } = turn;
  await changeConversation(table, conversation, (meta) => ({
    meta: { ...meta, status: 'failed', run: { ...meta.run!, status: 'failed', reason: 'It broke.' } },
    rows: [],
    answer: undefined,
  }));
  const failed = { isError: true, words: expect.stringContaining('The run is failed: It broke.') };
  expect(await call('ada', 'helper', { message: 'Fail', request_id: '1' })).toMatchObject(failed);
  expect(await call('ada', 'read_conversation', { conversation })).not.toMatchObject({ isError: true });
  const { result } = await request('ada', 'tasks/get', { taskId: `${conversation}.1` });
  expect(result).toMatchObject({ status: 'completed', result: { isError: true } });
});

test('an agent’s question is asked of the client’s user, and the answer continues the call; an approval is not (R222)', async () => {
  const can = { elicitation: { form: {} } };
  const call = (params: object, more = {}) =>
    request('ada', 'tools/call', { name: 'helper', arguments: { message: 'Plan it' }, ...params } as object, {
      ...can,
      ...more,
    });
  const first = await call({});
  const { conversation } = first.result.structuredContent;
  const { run } = (await readMeta(table, conversation))!;
  const id = `${run!.id}.00001.00`;
  const given = {
    id,
    runId: run!.id,
    kind: 'question' as const,
    prompt: 'Where to?',
    decider: 'user:ada',
    expiresInSeconds: 60,
  };
  await write(table, conversation, [putCallback(newCallback(given, new Date()))]);
  await changeConversation(table, conversation, (meta) => ({
    meta: { ...meta, status: 'waiting', waitsFor: 'you', run: { ...meta.run!, step: 1, status: 'waiting' } },
    rows: [],
    answer: undefined,
  }));

  const taskId = `${conversation}.1`;
  const task = await request('ada', 'tasks/get', { taskId });
  expect(task.result).toMatchObject({
    status: 'input_required',
    inputRequests: { [id]: { method: 'elicitation/create', params: { message: 'The agent helper asks: Where to?' } } },
  });
  const requestState = `${taskId}.${id}`;
  const again = await call({ requestState });
  expect(again.result).toMatchObject({ resultType: 'input_required', requestState, inputRequests: { [id]: {} } });
  const refused = await call({ requestState, inputResponses: { [id]: { action: 'decline' } } });
  expect(refused.result).toMatchObject({ resultType: 'complete', structuredContent: { questions: [{ id }] } });
  const inputResponses = { [id]: { action: 'accept', content: { answer: 'Kyoto' } } };
  for (const [user, params] of [
    ['ada', { requestState: 'forged' }],
    ['ada', { requestState: `${requestState}9`, inputResponses }],
    ['bob', { requestState }],
    ['bob', { requestState, inputResponses }],
  ] as const)
    expect(
      await request(user, 'tools/call', { name: 'helper', arguments: {}, ...params } as object, can),
    ).toMatchObject({
      error: { code: -32_602 },
    });
  for (let time = 0; time < 2; time++) {
    const { result } = await call({ requestState, inputResponses });
    const texts = result.structuredContent.messages.map(({ text }) => text);
    expect(texts).toEqual(['Plan it', 'Kyoto']);
  }
});

test('cancel_run cancels, and a user’s limit is said with its variable (R176)', async () => {
  const { conversation } = (await call('eve', 'helper', { message: 'Work' })).turn;
  expect((await call('eve', 'cancel_run', { conversation })).turn.status).toBe('cancelled');
  const atOnce = counts().runs;
  for (let run = 0; run < atOnce; run++)
    await createConversation(table, { id: `c_eve_${run}`, user: 'eve', agent: 'helper', text: 'a' }, new Date());
  const { words, isError } = await call('eve', 'helper', { message: 'One more' });
  expect({ words, isError }).toEqual({ isError: true, words: expect.stringContaining('active runs') });
});

test('who has taken a conversation over stops its run, and learns that it is over (R176, R228)', async () => {
  const { conversation } = (await call('ivy', 'helper', { message: 'Work' })).turn;
  await changeConversation(table, conversation, ({ run, ...meta }) => ({
    meta: { ...meta, run: { ...run!, status: 'waiting' }, takenBy: { user: 'hal', callbackId: 'p' } },
    answer: undefined,
  }));
  const { isError, turn } = await call('hal', 'cancel_run', { conversation });
  expect({ isError, turn }).toMatchObject({ isError: undefined, turn: { status: 'cancelled', messages: [] } });
  expect(await call('hal', 'read_conversation', { conversation })).toMatchObject({ isError: true });
});

describe('over HTTP', () => {
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const newHeaders = (method: string, version = '2026-07-28') => ({
    'mcp-protocol-version': version,
    'mcp-method': method,
  });
  const post = (body: unknown, headers: object = {}) =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { ...json, ...headersOf('ada'), ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  test.each([
    ['no user', { authorization: 'Bearer {}' }, ping, 401],
    ['an ID token', { authorization: 'Bearer {"sub":"ada","token_use":"id"}' }, ping, 401],
    ['a machine', { authorization: 'Bearer {"sub":"m","scope":"vigil/act-for-users"}' }, ping, 401],
    ['another page', { origin: 'https://evil.test' }, ping, 403],
    ['a page of ours', { origin: 'https://ours.test' }, ping, 200],
    ['another type', { 'content-type': 'text/plain' }, ping, 415],
    ['a client that takes no JSON', { accept: 'text/html' }, ping, 406],
    ['another version', { 'mcp-protocol-version': '1999-01-01' }, ping, 400],
    ['a batch', {}, [ping, ping], 400],
    ['no JSON', {}, '{', 400],
    ['a large body', {}, { ...ping, params: { a: 'a'.repeat(4_500_001) } }, 413],
    [
      'a stream to listen to',
      newHeaders('subscriptions/listen'),
      { ...ping, method: 'subscriptions/listen', params: { _meta } },
      404,
    ],
    ['an unknown method', newHeaders('tasks/list'), { ...ping, method: 'tasks/list', params: { _meta } }, 404],
    [
      'a header that says another method',
      newHeaders('tools/list'),
      { ...ping, method: 'server/discover', params: { _meta } },
      400,
    ],
    [
      'a revision to come',
      newHeaders('server/discover', '2099-01-01'),
      {
        ...ping,
        method: 'server/discover',
        params: { _meta: { ..._meta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } },
      },
      400,
    ],
    ['a notification', {}, { jsonrpc: '2.0', method: 'notifications/initialized' }, 202],
  ])('%s (R176, R222)', async (_, headers, body, status) => {
    const answer = await post(body, headers);
    expect(answer.status).toBe(status);
    const said = await answer.text();
    if (status >= 400)
      expect(JSON.parse(said)).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
  });

  test('there is nothing to GET, and no session to DELETE (R176)', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await fetch(`${url}/mcp`, {
        method,
        headers: { accept: 'text/event-stream', ...headersOf('ada') },
      });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test('the log has the method and the agent, and nothing that was said (R176)', async () => {
    const params = { name: 'helper', arguments: { message: 'My secret plan' } };
    await post({ ...ping, method: 'tools/call', params });
    await post({ ...ping, method: 'My secret method', params: { name: 'My secret name' } });
    expect(lines).toMatchObject([
      {
        message: 'mcp request',
        method: 'tools/call',
        agent: 'helper',
        revision: 'old',
        status: 200,
        ms: expect.any(Number),
      },
      { method: 'other' },
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  test('the documents name the sign-in, and a registration returns the one client (R176)', async () => {
    const read = async (path: string) => (await fetch(`${url}/.well-known/${path}`)).json();
    const resource = await read('oauth-protected-resource/mcp');
    expect(resource).toMatchObject({
      resource: `${url}/mcp`,
      authorization_servers: [url],
      scopes_supported: ['vigil/mcp'],
    });
    expect(await read('oauth-protected-resource')).toEqual(resource);
    expect(await read('oauth-authorization-server')).toMatchObject({
      issuer: url,
      authorization_endpoint: `${url}/mcp/authorize`,
      token_endpoint: `${url}/mcp/token`,
      revocation_endpoint: `${url}/mcp/revoke`,
      client_id_metadata_document_supported: true,
      code_challenge_methods_supported: ['S256'],
    });
    const register = async (redirect_uris: unknown) => {
      const answer = await fetch(`${url}/mcp/register`, { method: 'POST', body: JSON.stringify({ redirect_uris }) });
      return [answer.status, await answer.json()];
    };
    expect(await register(['https://evil.test/', 'https://elsewhere.test/back'])).toEqual([
      201,
      expect.objectContaining({ client_id: 'public-client', redirect_uris: ['https://elsewhere.test/back'] }),
    ]);
    for (const wrong of [['https://elsewhere.test/back/'], [], 'https://elsewhere.test/back', undefined])
      expect(await register(wrong)).toEqual([400, expect.objectContaining({ error: 'invalid_redirect_uri' })]);
  });
});
