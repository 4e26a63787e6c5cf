import type { SFNClient } from '@aws-sdk/client-sfn';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { defineAgent } from '../core/conversations/agent/agent';
import { registry } from '../core/conversations/agent/registry';
import { defineTool, type Tool } from '../core/conversations/agent/tool';
import { callIdOf, readCall, startAttempt } from '../core/conversations/calls/call';
import { settleCall } from '../core/conversations/calls/settle';
import { putTimer } from '../core/conversations/calls/timer';
import { approve } from '../core/conversations/conversation/approve';
import { cancelRun } from '../core/conversations/conversation/cancel';
import { deleteConversation } from '../core/conversations/conversation/delete';
import { failRun } from '../core/conversations/conversation/fail';
import { forkConversation } from '../core/conversations/conversation/fork';
import { retryRun } from '../core/conversations/conversation/retry';
import { sendMessage } from '../core/conversations/conversation/send-message';
import { key, prefix } from '../core/conversations/rows/keys';
import { kindOf } from '../core/conversations/rows/kinds';
import { Meta } from '../core/conversations/rows/meta';
import { isReadable } from '../core/conversations/rows/readable';
import type { StoredCall } from '../core/conversations/rows/rows';
import { readMeta, type Table, write } from '../core/conversations/store/table';
import { nextUndo } from '../core/machines/rollback/rollback';
import { broadcastOf } from '../core/people/live/broadcast';
import { listApprovals } from '../core/people/views/approvals';
import { listConversations, listOpenConversations, listShared } from '../core/people/views/list';
import { listTimers } from '../core/people/views/timers';
import { viewConversation } from '../core/people/views/view';
import { holds } from '../test/explore/expressions';
import {
  type Command,
  type MemoryTable,
  memoryTable,
  named,
  type Row,
  tableThrough,
} from '../test/explore/memory-table';
import { addMember } from '../test/support/add-member';
import { stepsIn } from '../test/support/tables/steps';
import { isPassing } from './passing';
import { type Reconciling, reconcileRow } from './reconcile/reconcile-row';
import { actOnRow } from './todos';

// The rule for rows that cannot be read (`core/conversations/rows/readable.ts`), for each kind of row in each state of a run, and everybody
// around it.

const now = new Date('2027-03-01T08:00:00.000Z');
const later = new Date('2027-04-01T08:00:00.000Z');
const common = { description: 'd', input: z.object({}), output: z.unknown() };
const executed = { ...common, effect: 'idempotent' as const, execute: async () => 1 };
const tools = [
  defineTool({ ...executed, name: 'order', compensate: async () => undefined }),
  defineTool({
    ...executed,
    name: 'pay',
    approval: {
      when: () => true,
      prompt: 'Pay?',
      approvers: { group: 'desk' },
      expiresInSeconds: 86_400,
      fallback: 'No.',
    },
  }),
  defineTool({
    ...executed,
    name: 'deliver',
    webhook: { delivers: 'result', expiresInSeconds: 86_400, fallback: 'Nothing came.' },
  }),
  defineTool({
    kind: 'callback',
    name: 'ask',
    description: 'd',
    input: z.object({}),
    prompt: () => 'Well?',
    expiresInSeconds: 86_400,
    fallback: 'Nobody said.',
  }),
  defineTool({ kind: 'wait', name: 'sleep', description: 'd', input: z.object({}), until: () => later }),
] as unknown as Tool[];
const spec = { purpose: 'p', instructions: 'i', model: 'm' };
const known = registry([
  defineAgent({ ...spec, name: 'boss', tools, delegates: ['helper'] }),
  defineAgent({ ...spec, name: 'helper', tools: [] }),
]);
const agent = known.agents.get('boss')!;
const [eve, ada] = ['eve', 'ada'];
const bob = { user: 'bob', groups: ['desk'], claims: {} };

/** Accepts whatever Relay and Reconcile order. */
const client = { send: async () => ({ status: 'RUNNING' }) } as unknown as SFNClient;
const cancelElsewhere = async () => undefined;
beforeAll(() => {
  for (const machine of ['STATE', 'TIMER', 'ROLLBACK'])
    process.env[`${machine}_MACHINE_ARN`] = `arn:aws:states:eu-central-1:1:stateMachine:${machine}`;
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterAll(() => jest.restoreAllMocks());

interface World {
  table: Table;
  memory: MemoryTable;
}

/** Has the conversation of a user with an order that is done, then this call, and a timer. */
async function asked({ table }: World, user: string, tool: string, args: object = {}) {
  const steps = stepsIn(table, now, agent, user);
  const { id, at } = await steps.given();
  const reply = (name: string, given: object) => ({
    text: 'Now.',
    toolCalls: [{ id: name, name, arguments: JSON.stringify(given) }],
  });
  await steps.commit(at, await steps.begin(at), reply('order', {}));
  const started = await startAttempt(table, id, callIdOf(at.runId, 1, 0), tools[0] as never, now);
  await settleCall(table, id, started.call, { status: 'completed', result: 1 }, { now });
  const second = { ...at, step: 2 };
  const timer = { kind: 'once' as const, at: later, text: 'Drink water' };
  await write(table, id, putTimer(id, { ...started.call, id: `${started.call.id}9` }, timer, now));
  if (tool === '') return { id, at: second, steps, draft: await steps.begin(second) };
  const draft = await steps.begin(second);
  await steps.commit(second, draft, reply(tool, args));
  return { id, at: second, steps, draft };
}

/** What its owner's run is doing. Each returns its conversation. */
const states: Record<string, (world: World) => Promise<string>> = {
  async working(world) {
    const { id, steps, draft } = await asked(world, eve, '');
    await steps.says(id, draft, 'I am');
    return id;
  },
  sleeping: async (world) => (await asked(world, eve, 'sleep')).id,
  approval: async (world) => (await asked(world, eve, 'pay')).id,
  question: async (world) => (await asked(world, eve, 'ask')).id,
  async webhook(world) {
    const { id, at } = await asked(world, eve, 'deliver');
    await startAttempt(world.table, id, callIdOf(at.runId, 2, 0), tools[2] as never, now);
    return id;
  },
  delegation: async (world) => (await asked(world, eve, 'delegate', { agent: 'helper', task: 'Help.' })).id,
  async held(world) {
    const { id, at } = await asked(world, eve, 'pay');
    await failRun(world.table, known, at, 'It broke.', now);
    return id;
  },
  async finished(world) {
    const { id, at, steps, draft } = await asked(world, eve, '');
    await steps.commit(at, draft, { text: 'Done.', toolCalls: [] });
    return id;
  },
  async forked(world) {
    const id = await states.approval!(world);
    await forkConversation(world.table, { from: id, id: `${id}-fork`, user: eve, step: 2 }, now);
    return id;
  },
  async shared(world) {
    const id = await states.approval!(world);
    await addMember(world.table, { conversationId: id, by: eve }, 'user:bob', { role: 'member' });
    return id;
  },
};

const partOf = ({ pk, sk }: Row): string => kindOf(pk, sk)!.name;

/** A value that the field's schema does not take; undefined if the table takes no other. */
function oddIn(row: Row, field: string): Row | undefined {
  if (['pk', 'sk', 'owner', 'deletedFor', 'openFor', 'openSince', 'updatedAt'].includes(field)) return undefined;
  const planted = (value: unknown): Row =>
    field.startsWith('run.')
      ? { ...row, run: { ...(row.run as object), [field.slice(4)]: value } }
      : { ...row, [field]: value };
  // No schema describes sums.
  if (row.pk === key.counted(eve)) return planted('odd');
  return [7.5, 'odd', [null]].map(planted).find((one) => !isReadable(one));
}

/** Each way to spoil a row of a kind: its fields in turn, a few in each state, and a later format. */
function spoilt(row: Row, turn: number): [field: string, row: Row][] {
  const { schema } = kindOf(row.pk, row.sk)!;
  const own = schema instanceof z.ZodObject ? Object.keys(schema.shape) : Object.keys(row);
  const fields =
    row.sk === key.meta ? [...own, ...Object.keys(Meta.shape.run.unwrap().shape).map((one) => `run.${one}`)] : own;
  const always = ['version', 'status', 'prompt', 'run'];
  const some = fields.filter((field, index) => always.includes(field) || index % turns === turn);
  const odd = some.flatMap((field): [string, Row][] => {
    const one = oddIn(row, field);
    return one ? [[field, one]] : [];
  });
  return [...odd, ['format', { ...row, format: 99 }]];
}
const turns = Object.keys(states).length;

const refusals = [
  'UnreadableRow',
  'NewerRow',
  'WrongState',
  'AlreadyAnswered',
  'NotFound',
  'InvalidInput',
  'NotAllowed',
];
/** Does what may be refused, but by name. */
const orRefused = (done: Promise<unknown>): Promise<unknown> =>
  done.catch((error: Error) => {
    if (!refusals.includes(error.name)) throw error;
  });

/** The indexes, in which the table in memory does not look. */
function byIndex(memory: MemoryTable, { input }: Command): object | undefined {
  const { IndexName, ExpressionAttributeValues: values = {} } = input as Command['input'] & { IndexName?: string };
  if (IndexName === undefined) return undefined;
  const field = IndexName === 'byOwner' ? 'owner' : 'openFor';
  return {
    Items: memory.rows().filter((row) => row[field] !== undefined && Object.values(values).includes(row[field])),
  };
}

/** DynamoDB adds to numbers only. */
function refuseSums(memory: MemoryTable, { input }: Command): void {
  const updates = input.TransactItems?.flatMap(({ Update }) => Update ?? []) ?? (input.UpdateExpression ? [input] : []);
  for (const update of updates as Required<typeof input>[]) {
    const row = memory.row(update.Key);
    const isSum = (name: string) =>
      new RegExp(`(= ${name} \\+|ADD (.*, )?${name} :)`).test(update.UpdateExpression as string);
    const summed = Object.entries(update.ExpressionAttributeNames).filter(([name]) => isSum(name));
    const isOdd = summed.some(([, field]) => row?.[field] !== undefined && typeof row[field] !== 'number');
    if (!isOdd || !holds(update, row)) continue;
    const Message = 'An operand in the update expression has an incorrect data type';
    const reasons = updates.map((one) => (one === update ? { Code: 'ValidationError', Message } : { Code: 'None' }));
    if (input.TransactItems) throw named('TransactionCanceledException', { CancellationReasons: reasons });
    throw named('ValidationException', { message: Message });
  }
}

function emptyWorld(): World {
  const memory = memoryTable();
  const table = tableThrough(async (command) => {
    refuseSums(memory, command);
    return byIndex(memory, command) ?? memory.perform(command, false);
  });
  return { memory, table };
}

/** Plays up to a state, and returns the rows. */
async function stateOf(state: string) {
  const world = emptyWorld();
  const good = await asked(world, ada, 'pay');
  const id = await states[state]!(world);
  return { rows: world.memory.rows(), good: { id: good.id, callId: callIdOf(good.at.runId, 2, 0) }, id };
}
type State = Awaited<ReturnType<typeof stateOf>>;
type Spoilt = State & World & { row: Row; field: string };

/** A table with these rows, of which one is spoilt. */
async function spoiltWorld(state: State, [field, row]: [string, Row]): Promise<Spoilt> {
  const world = emptyWorld();
  for (const one of [...state.rows, row]) await put(world.table, one);
  return { ...state, ...world, row, field };
}

const put = (table: Table, Item: Row) => table.client.send(new PutCommand({ TableName: table.name, Item }));

/** What those do whose conversation it is not: none of it fails, and nothing of their own is missing. */
async function othersAreWell({ table, memory, good, row, id }: Spoilt) {
  const { approvals } = await listApprovals(table, known, bob, now);
  expect(approvals.map(({ conversationId }) => conversationId)).toContain(good.id);
  const { conversations } = await listShared(table, bob);
  expect(conversations.filter(({ unreadable }) => unreadable)).toEqual([]);
  expect(await viewConversation(table, good.id, ada)).toMatchObject({ status: 'waiting' });
  await Promise.all([
    listConversations(table, ada),
    listTimers(table, ada),
    listOpenConversations(table, ada, 'active'),
  ]);
  const changed = memory.rows().filter(({ pk }) => pk === key.conversation(good.id));
  const changes = [row, ...changed].map((one) => ({ conversationId: one.pk.slice(2), sk: one.sk, row: one }));
  const topics = broadcastOf(changes, now).pushes.map(({ conversationId }) => conversationId);
  expect(topics).toContain(good.id);
  // What is to be done is done, or hopeless, and never waits before what is to be done for others.
  for (const { pk, sk } of memory.rows().filter((one) => one.pk === key.conversation(id) && isTodo(one))) {
    const acting = { client, table, registry: known, cancelElsewhere };
    const failed = await actOnRow(acting, { pk, sk }).catch((error: Error) => error);
    expect(!(failed instanceof Error) || !isPassing(failed)).toBe(true);
  }
  const context = { client, table, registry: known, cancelElsewhere, now: later, dryRun: true, restoredAt: '' };
  await reconcileRow(context as unknown as Reconciling, { pk: key.conversation(good.id), sk: key.meta });
}

/** Cancels the run, and undoes what can be read. */
async function cancelIsWhole({ table, id, row, memory }: Spoilt, state: string) {
  const before = memory.row({ pk: key.conversation(id), sk: key.meta })!;
  const { status } = before.run as { status?: unknown };
  const cancelled = await cancelRun(table, known.tools, { conversationId: id, user: eve }, now).catch(
    (error: Error) => {
      if (state !== 'finished' || error.name !== 'WrongState') throw error;
    },
  );
  if (!cancelled) return;
  await undone(table, id);
  expect(await readMeta(table, id)).toMatchObject({ status: 'cancelled' });
  const order = callIdOf(cancelled.run!.id, 1, 0);
  if (row.sk !== key.call(order) && status !== undefined)
    expect(await readCall(table, id, order)).toMatchObject({ status: 'undone' });
}

/** Plays the machine of a rollback. */
async function undone(table: Table, id: string, at = later) {
  for (let turn = 0; turn < 20; turn++) {
    const { run } = (await readMeta(table, id))!;
    const input = { conversationId: id, runId: run!.id, segment: run!.segment, at: at.toISOString() };
    const { next, call } = await nextUndo(table, known, input, at);
    if (next === 'done') return;
    if (call) {
      const stored = (await readCall(table, id, call.callId)) as StoredCall;
      await settleCall(table, id, stored, { status: 'undone' }, { now: at });
    }
  }
  throw new Error('The rollback does not end.');
}

/** What a deletion leaves to Relay. */
const isTodo = ({ sk }: { sk: string }): boolean => sk.startsWith(prefix.todos);

const parts: readonly string[] = [key.meta, prefix.message, prefix.call, prefix.callback, prefix.timer];

/** The owner finds the conversation, sees what of it cannot be read, and may end and delete it. */
async function ownerIsWell(world: Spoilt, state: string) {
  const { table, memory, id, row, field } = world;
  const lists = await listConversations(table, eve);
  expect(lists.conversations.map((one) => one.id)).toContain(id);
  await Promise.all([
    listOpenConversations(table, eve, 'active'),
    listOpenConversations(table, eve, 'failed'),
    listTimers(table, eve),
    listApprovals(table, known, { user: eve, groups: [], claims: {} }, now),
  ]);
  // What a later version says of the people of a conversation, and of its run, waits for that version.
  if (row.sk === key.meta && field === 'format') {
    await expect(viewConversation(table, id, eve)).rejects.toMatchObject({ name: 'NewerRow' });
    await expect(cancelRun(table, known.tools, { conversationId: id, user: eve }, now)).rejects.toMatchObject({
      name: 'NewerRow',
    });
    return;
  }
  const { unreadable = [] } = await viewConversation(table, id, eve);
  if (parts.some((one) => row.sk.startsWith(one))) expect(unreadable.map((one) => one.row)).toContain(row.sk);
  await cancelIsWhole(world, state);
  await deleteConversation(table, known.tools, id, eve, now);
  const left = memory
    .rows()
    .filter(
      ({ pk, sk, ttl }) =>
        pk === key.conversation(id) &&
        ttl === undefined &&
        !isTodo({ sk }) &&
        !sk.startsWith(prefix.piece) &&
        !sk.startsWith(prefix.branch),
    );
  expect(left.map(({ sk }) => sk)).toEqual([]);
  await expect(viewConversation(table, id, eve)).rejects.toMatchObject({ name: 'NotFound' });
}

/** Whatever else people do is done, or is refused by name, and leaves the others well. */
async function restIsRefusedByName(world: Spoilt) {
  const { table, id, good } = world;
  const [callId] = world.memory
    .rows()
    .flatMap(({ pk, sk }) =>
      pk === key.conversation(id) && sk.startsWith(prefix.callback) ? [sk.slice(prefix.callback.length)] : [],
    );
  if (callId)
    await orRefused(approve(table, known, { ...bob, conversationId: id, callbackId: callId }, { approved: true }, now));
  await orRefused(sendMessage(table, known.agents, id, { user: eve, text: 'Well?' }, now));
  await orRefused(retryRun(table, id, eve, now));
  await orRefused(forkConversation(table, { from: id, id: `${id}-again`, user: eve, step: 1 }, now));
  await othersAreWell(world);
  const about = { ...bob, conversationId: good.id, callbackId: good.callId };
  const meta = await approve(table, known, about, { approved: true }, now);
  expect(meta.status).toBe('running');
}

test.each(Object.keys(states).map((state, turn) => [state, turn] as const))(
  'a row that cannot be read stops no one else, and its owner ends it: %s (R266)',
  async (state, turn) => {
    const given = await stateOf(state);
    const rows = given.rows.filter(({ pk }) => [key.conversation(given.id), key.counted(eve)].includes(pk));
    // Of each kind the last one, which the run is at, and the call that is to be undone.
    const latest = rows.filter(
      (row, index) => row.sk.endsWith('.00001.00') || !rows[index + 1] || partOf(row) !== partOf(rows[index + 1]!),
    );
    const cases = latest.flatMap((row) => spoilt(row, turn));
    expect(cases.length).toBeGreaterThan(20);
    for (const [index, spoiltRow] of cases.entries()) {
      const [field, { sk }] = spoiltRow;
      try {
        const world = await spoiltWorld(given, spoiltRow);
        await othersAreWell(world);
        await ownerIsWell(world, state);
        // A third of them, and each format, because it takes twice as long.
        if (index % 3 === turn % 3 || field === 'format')
          await restIsRefusedByName(await spoiltWorld(given, spoiltRow));
      } catch (error) {
        (error as Error).message = `${sk}, ${field}: ${(error as Error).message}`;
        throw error;
      }
    }
  },
);
