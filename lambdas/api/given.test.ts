import { free } from '../../core/base/models/price-list';
import { type Conversation, noUsage } from '../../core/base/state/schemas';
import { type About, defineAgent } from '../../core/conversations/agent/agent';
import type { ModelRequest, Reply } from '../../core/conversations/agent/model';
import { registry } from '../../core/conversations/agent/registry';
import type { ToolContext } from '../../core/conversations/agent/tool';
import { readCall } from '../../core/conversations/calls/call';
import { createConversation } from '../../core/conversations/runs/conversation';
import { LogReader } from '../../core/conversations/runs/log';
import { readMeta } from '../../core/conversations/store/table';
import { advance } from '../../core/machines/loop/advance';
import { runTool } from '../../core/machines/loop/run-tool';
import { apiDeployment } from '../../test/support/api-deployment';
import { loggedLines } from '../../test/support/logged';
import { segmentOf } from '../../test/support/segment-of';
import { look } from '../../test/support/tables/steps';
import { tableOfTests } from '../../test/support/tables/table';
import { api } from './app';

loggedLines();

// What code gets of a conversation besides its words, and conversations that another backend starts.

const told: About[] = [];
const agent = defineAgent({
  name: 'tester',
  purpose: 'p',
  model: 'm',
  tools: [look],
  instructions: (about) => {
    told.push(about);
    return `You work for ${about.claims['custom:tenant'] ?? 'nobody'}, at ${String(about.metadata.desk ?? 'no desk')}.`;
  },
});
const known = registry([agent]);
const client = 'backend-1';
const ofMachine = { sub: client, client_id: client, scope: 'vigil/act-for-users' };

const table = tableOfTests();

/** Asks the API as API Gateway does. */
async function ask(method: string, path: string, { body, claims = {}, headers = {}, machines = true }: Asking = {}) {
  const developers = { group: 'developers', stateMachineArn: '' };
  const app = api(apiDeployment(table, known, { keptClaims: ['custom:tenant'], machines, developers }));
  const token = { sub: 'ada', client_id: 'page', token_use: 'access', exp: '9999999999', ...claims };
  const event = { requestContext: { authorizer: { jwt: { claims: token } } } };
  const init = { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
  const answer = await app.request(path, init, { event });
  return { status: answer.status, body: (await answer.json()) as Conversation & { detail?: string } };
}
interface Asking {
  body?: object;
  claims?: Record<string, string>;
  headers?: Record<string, string>;
  machines?: boolean;
}
const asMachine = (user = 'ada'): Asking => ({ claims: ofMachine, headers: { 'vigil-on-behalf-of': user } });

/** Makes the next step of a conversation's run. Returns what the model was told. */
async function step(id: string, reply: Reply): Promise<string> {
  const asked: ModelRequest[] = [];
  const model = {
    about: () => ({ model: 'scripted', maker: 'scripted', price: free }),
    reply: async (request: ModelRequest) => {
      asked.push(request);
      return { ...reply, usage: { ...noUsage, modelCalls: 1 } };
    },
  };
  const deadline = new AbortController().signal;
  const loop = {
    table,
    model,
    registry: known,
    logs: new LogReader(table),
    now: () => new Date(),
    limits: {},
    deadline,
  };
  await advance(loop, segmentOf((await readMeta(table, id))!)!.input);
  return asked[0]!.agent.instructions;
}
const calling: Reply = { text: '', toolCalls: [{ id: 'c', name: 'look', arguments: '{}' }] };
const start = (more: object = {}) => ({ agent: 'tester', text: 'Hello', ...more });

test('instructions and tools get the kept claims and the metadata; a run keeps the claims that it began with (R173)', async () => {
  const claims = { 'custom:tenant': 'acme', 'custom:salary': '9' };
  const begun = await ask('POST', '/conversations', { claims, body: start({ metadata: { desk: 'north' } }) });
  expect(begun).toMatchObject({ status: 201, body: { metadata: { desk: 'north' } } });
  const { id } = begun.body;
  const first = await step(id, calling);
  expect(first).toBe('You work for acme, at north.');
  const { run } = (await readMeta(table, id))!;
  expect(told.at(-1)).toEqual({
    user: 'ada',
    zone: 'UTC',
    now: new Date(run!.startedAt),
    claims: { 'custom:tenant': 'acme' },
    metadata: { desk: 'north' },
  });

  const contexts: ToolContext[] = [];
  const spying = { ...look, execute: async (_input: object, context: ToolContext) => void contexts.push(context) };
  const callId = run!.next!.call!.callId;
  await runTool({ table, now: () => new Date() }, spying as unknown as typeof look, {
    conversationId: id,
    runId: run!.id,
    callId,
  });
  expect(contexts).toMatchObject([{ claims: { 'custom:tenant': 'acme' }, metadata: { desk: 'north' } }]);
  expect(JSON.stringify([await readMeta(table, id), await readCall(table, id, callId)])).not.toContain('salary');

  await ask('POST', `/conversations/${id}/messages`, { claims: { 'custom:tenant': 'other' }, body: { text: 'And?' } });
  expect(await step(id, { text: 'Done.', toolCalls: [] })).toBe(first);
  await ask('POST', `/conversations/${id}/messages`, { claims: { 'custom:tenant': 'other' }, body: { text: 'Again' } });
  expect(await step(id, { text: 'Done.', toolCalls: [] })).toBe('You work for other, at north.');
});

test('metadata that is too large or too deep is refused, and the field is named (R173)', async () => {
  for (const metadata of [{ a: 'x'.repeat(4_001) }, { a: { b: { c: { d: { e: {} } } } } }]) {
    const refused = await ask('POST', '/conversations', { body: start({ metadata }) });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'metadata' }] } });
  }
});

test('a machine starts, reads and cancels a conversation of a user, and the row says which machine (R174)', async () => {
  const begun = await ask('POST', '/conversations', { ...asMachine(), body: start() });
  expect(begun).toMatchObject({
    status: 201,
    body: { startedBy: client, messages: [{ role: 'user', author: client }] },
  });
  const path = `/conversations/${begun.body.id}`;
  expect((await ask('GET', path, asMachine())).status).toBe(200);
  expect((await ask('GET', path)).status).toBe(200);
  expect((await ask('POST', `${path}/cancel`, { ...asMachine(), body: {} })).body.status).toBe('cancelled');
});

test('a machine reaches nothing else: no other conversation, no answer, no decision, no list, no other user (R174)', async () => {
  const own = (await ask('POST', '/conversations', { ...asMachine(), body: start() })).body.id;
  const { id } = (await ask('POST', '/conversations', { body: start({ id: 'mine' }) })).body;
  expect((await ask('GET', `/conversations/${id}`, asMachine())).status).toBe(404);
  expect((await ask('POST', '/conversations', { ...asMachine(), body: start({ id: 'mine' }) })).status).toBe(404);
  expect((await ask('GET', `/conversations/${own}`, asMachine('eve'))).status).toBe(404);
  const other = { ...asMachine(), claims: { ...ofMachine, sub: 'backend-2', client_id: 'backend-2' } };
  expect((await ask('GET', `/conversations/${own}`, other)).status).toBe(404);
  for (const [method, rest, body] of [
    ['POST', `/conversations/${own}/messages`, { text: 'Yes' }],
    ['POST', `/conversations/${own}/callbacks/c1`, { approved: true }],
    ['POST', `/conversations/${own}/retry`, undefined],
    ['DELETE', `/conversations/${own}`, undefined],
    ...['/conversations', '/approvals', '/timers', '/memories', '/home', '/usage'].map((one) => [
      'GET',
      one,
      undefined,
    ]),
  ] as [string, string, object | undefined][])
    expect([rest, (await ask(method, rest, { ...asMachine(), body })).status]).toEqual([rest, 403]);
});

test('a machine starts a timer for a user, and changes, runs and cancels it; no other machine and no list of them (R174, R250)', async () => {
  const weekly = { agent: 'tester', text: 'Report', every: 'P7D', id: 'weekly' };
  const made = await ask('POST', '/timers', { ...asMachine(), body: weekly });
  expect(made).toMatchObject({ status: 201, body: { rule: 'every 604800 seconds', status: 'active' } });
  const path = `/timers/${made.body.id}`;
  const paused = await ask('PATCH', path, { ...asMachine(), body: { paused: true } });
  expect(paused).toMatchObject({ status: 200, body: { status: 'paused' } });
  expect((await ask('POST', `${path}/run`, { ...asMachine(), body: {} })).body).toMatchObject({ fired: 1 });
  const other = { ...asMachine(), claims: { ...ofMachine, sub: 'backend-2', client_id: 'backend-2' } };
  expect((await ask('DELETE', path, other)).status).toBe(404);
  expect((await ask('PATCH', path, { ...asMachine('eve'), body: { paused: false } })).status).toBe(404);
  expect((await ask('GET', '/timers')).body).toMatchObject({ timers: [{ id: made.body.id, status: 'paused' }] });
  expect((await ask('DELETE', path, asMachine())).body).toMatchObject({ status: 'cancelled' });
});

test('a user makes a timer once for each id, changes it, and is told what is wrong with it (R250)', async () => {
  const body = { agent: 'tester', text: 'Which plants?', name: 'Plants', id: 'plants', cron: '0 9 * * 1' };
  const [made, again] = [await ask('POST', '/timers', { body }), await ask('POST', '/timers', { body })];
  expect([made.status, again.status, again.body]).toEqual([201, 200, made.body]);
  const { conversationId, id } = made.body as unknown as { conversationId: string; id: string };
  expect((await ask('GET', `/conversations/${conversationId}`)).body).toMatchObject({
    title: 'Plants',
    status: 'idle',
    messages: [],
    timers: [{ id, name: 'Plants' }],
  });
  const change = (changed: object) => ask('PATCH', `/timers/${id}`, { body: changed });
  expect((await change({ timeZone: 'Asia/Tokyo' })).body).toMatchObject({ rule: '0 9 * * 1', timeZone: 'Asia/Tokyo' });
  expect((await change({ every: 'PT6H' })).body).toMatchObject({ rule: 'every 21600 seconds' });
  expect((await change({ every: 'PT6H' })).body).not.toHaveProperty('timeZone');
  for (const [wrong, path] of [
    [{ every: '6 hours' }, 'every'],
    [{ cron: '0 9' }, 'cron'],
    [{ cron: '0 9 * * 1', every: 'PT6H' }, 'cron'],
    [{ at: '2099-01-01T09:00' }, 'at'],
    [{ overlap: 'all' }, 'overlap'],
    [{ jitterSeconds: -1 }, 'jitterSeconds'],
  ] as const)
    expect(await change(wrong)).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  const plain = await ask('POST', '/conversations', { body: start({ id: 'no-timer' }) });
  expect(plain.status).toBe(201);
  expect((await ask('POST', '/timers', { body: { ...body, id: 'no-timer' } })).status).toBe(409);
  for (const [wrong, path] of [
    [{ agent: 'nobody' }, 'agent'],
    [{ cron: undefined }, 'cron'],
    [{ at: '2099-01-01T09:00' }, 'at'],
    [{ cron: undefined, at: '2001-01-01T09:00' }, 'at'],
    [{ timeZone: 'Berlin' }, 'timeZone'],
  ] as const)
    expect(await ask('POST', '/timers', { body: { ...body, id: 'wrong', ...wrong } })).toMatchObject({
      status: 400,
      body: { errors: [{ path }] },
    });
  expect((await ask('PATCH', '/timers/nothing.12', { body: { paused: true } })).status).toBe(404);
});

test('nobody but a developer is the deployment, whose schedules a machine reads (R250)', async () => {
  const claims = { sub: 'deployment' };
  expect((await ask('GET', '/timers', { claims })).status).toBe(403);
  const developers = { ...claims, 'cognito:groups': '[developers]' };
  expect((await ask('GET', '/timers', { claims: developers })).status).toBe(200);
  const { meta } = await createConversation(table, { id: 's_own', user: 'deployment', agent: 'tester' }, new Date());
  expect((await ask('GET', `/conversations/${meta.conversationId}`, asMachine('deployment'))).status).toBe(200);
});

test('no machine acts where the deployment does not let it, for nobody, or as a user (R174)', async () => {
  const body = start();
  expect((await ask('POST', '/conversations', { ...asMachine(), body, machines: false })).status).toBe(403);
  expect((await ask('POST', '/conversations', { claims: ofMachine, body })).status).toBe(400);
  const { scope: _, ...client } = ofMachine;
  expect((await ask('POST', '/conversations', { claims: client, body })).status).toBe(401);
  const asUser = await ask('POST', '/conversations', { body, headers: { 'vigil-on-behalf-of': 'eve' } });
  expect((await readMeta(table, asUser.body.id))!.owner).toBe('ada');
});
