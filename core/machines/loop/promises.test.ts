import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { pending } from '../../../local/pending';
import { storedCall } from '../../../test/support/page/rows';
import { segmentOf } from '../../../test/support/segment-of';
import { scriptedLoop } from '../../../test/support/stories/scripted-step';
import { testTool } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import type { LoopInput } from '../../base/state/loop-state';
import { ToolFailed, ToolTerminal } from '../../base/text/errors';
import { defineAgent } from '../../conversations/agent/agent';
import type { Reply } from '../../conversations/agent/model';
import { registry } from '../../conversations/agent/registry';
import { tableEffect } from '../../conversations/agent/table-effect';
import type { FunctionTool } from '../../conversations/agent/tool';
import { callIdOf, readCall, startAttempt } from '../../conversations/calls/call';
import { readCallback } from '../../conversations/calls/callback';
import { settleCall } from '../../conversations/calls/settle';
import { cancelRun } from '../../conversations/conversation/cancel';
import { report } from '../../conversations/conversation/children';
import { deleteConversation } from '../../conversations/conversation/delete';
import { failRun } from '../../conversations/conversation/fail';
import { sendMessage } from '../../conversations/conversation/send-message';
import { transcript } from '../../conversations/decisions/transcript';
import { key } from '../../conversations/rows/keys';
import { callRow, type StoredCall } from '../../conversations/rows/rows';
import { createConversation } from '../../conversations/runs/conversation';
import { readLog } from '../../conversations/runs/log';
import { readMeta, readRows, type Table, write } from '../../conversations/store/table';
import { viewConversation } from '../../people/views/view';
import { nextUndo } from '../rollback/rollback';
import { undoTool } from '../rollback/undo-tool';
import { advance } from './advance';
import { runTool } from './run-tool';

// Regression tests: an adversarial review found each of these, on the real table engine.

type Client = Table['client'];
type Sent = { input: { TransactItems?: { Update?: { Key: { sk: string } } }[] } };

let time = new Date('2026-03-01T08:00:00Z');
const now = () => {
  time = new Date(time.getTime() + 1_000);
  return time;
};

/** A third party's bookings by idempotency key, and the cancelled ones, in order. */
const booked = new Set<string>();
const undone: string[] = [];
let behaviour: ((callId: string, attempt: number) => Promise<unknown>) | undefined;

const pay = testTool('pay', {
  effect: 'idempotent',
  execute: async (_input, { callId, attempt }) => behaviour?.(callId, attempt) ?? 'paid',
  async compensate(_input, _output, { callId }) {
    booked.delete(callId);
    undone.push(callId);
  },
});
const boom = testTool('boom', {
  async execute() {
    throw new ToolTerminal('No.');
  },
});
const later = testTool('later', {
  effect: 'table',
  execute: async () => tableEffect({ output: 1 }),
  compensate: async () => undefined,
});
const base = { purpose: 'p', instructions: 'i', model: 'm', tools: [pay, boom, later], limits: { steps: 50 } };
const deployment = registry([
  defineAgent({ ...base, name: 'tester', delegates: ['helper'] }),
  defineAgent({ ...base, name: 'helper' }),
]);
const { agents, tools } = deployment;

const table = tableOfTests();
beforeEach(() => {
  behaviour = undefined;
  undone.length = 0;
});

const meta = async (id: string) => (await readMeta(table, id))!;
const tell = (id: string, text: string) => sendMessage(table, agents, id, { user: 'ada', text }, now());
const words = (text: string): Reply => ({ text, toolCalls: [] });
const calls = (...names: string[]): Reply => ({
  text: '',
  toolCalls: names.map((name, index) => ({ id: `${name}${index}`, name, arguments: '{}' })),
});
const delegate: Reply = {
  text: '',
  toolCalls: [{ id: 'd', name: 'delegate', arguments: '{"agent":"helper","task":"How much?"}' }],
};
let modelCalls = 0;
const loopWith = (reply: Reply, of: Table = table) =>
  scriptedLoop({ table: of, registry: deployment, now }, () => {
    modelCalls += 1;
    return reply;
  });
const inputOf = async (id: string) => segmentOf(await meta(id))!.input as LoopInput;
const step = async (id: string, reply: Reply, more: Partial<LoopInput> = {}) =>
  advance(loopWith(reply), { ...(await inputOf(id)), ...more } as LoopInput);
const given = (id: string, agent = 'tester') =>
  createConversation(table, { id, user: 'ada', agent, text: 'Hello' }, now());
const callOf = async (id: string, index = 0) => callIdOf((await meta(id)).run!.id, 1, index);
const make = (id: string, callId: string, tool: FunctionTool = pay as never) =>
  runTool({ table, now }, tool, { conversationId: id, runId: 'x', callId });
const cancel = (id: string) => cancelRun(table, tools, { conversationId: id, user: 'ada' }, now());
const through = (send: (command: Sent) => unknown): Table => ({ ...table, client: { send } as unknown as Client });
const pass = (command: Sent) => table.client.send(command as never);
const childOf = async (id: string) => (await readCallback(table, id, await callOf(id)))!.conversationId!;

async function rollback(id: string): Promise<string> {
  const { id: runId, segment } = (await meta(id)).run!;
  for (let round = 0; round < 50; round++) {
    const out = await nextUndo(table, deployment, { conversationId: id, runId, segment }, now());
    if (out.next === 'wait') time = new Date(out.until!);
    else if (out.next !== 'undo:pay') return out.next;
    else await undoTool({ table, now }, pay, { conversationId: id, runId, callId: out.call!.callId, undo: true });
  }
  throw new Error('The rollback does not end.');
}

describe('a commit whose answer was lost (R139)', () => {
  const queued = (id: string, tool: string, args: object): StoredCall =>
    storedCall(id, now().toISOString(), { modelCallId: id, tool, arguments: args });

  test.each([
    ['claim', 1],
    ['outcome', 2],
  ])('of a %s alone: what must not run twice has run once, and its result is known', async (what, nth) => {
    const once = { ...pay, name: 'once', effect: 'once' } as FunctionTool;
    await given(`alone-${what}`);
    const call = queued('r.00001.00', 'once', {});
    await write(table, `alone-${what}`, [{ sk: key.call(call.id), put: callRow(call) }]);
    let updates = 0;
    const of = through(async (command) => {
      const isLost = Boolean(command.input.TransactItems) && ++updates === nth;
      const answer = await pass(command);
      if (!isLost) return answer;
      throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
    });
    const attempts: number[] = [];
    behaviour = async (_id, attempt) => attempts.push(attempt);
    const request = { conversationId: `alone-${what}`, runId: 'r', callId: call.id };
    expect(await runTool({ table: of, now }, once, request)).toBe('completed');
    expect([updates, attempts]).toEqual([3, [1]]);
    expect(await readCall(table, `alone-${what}`, call.id)).toMatchObject({ status: 'completed', attempts: 1 });
  });

  test('does not pay for the model again: the connection breaks once at the step’s commit', async () => {
    await given('paid-once');
    const before = modelCalls;
    let broken = false;
    const of = through(async (command) => {
      if (!broken && modelCalls > before && JSON.stringify(command.input).includes('"complete"')) {
        broken = true;
        await pass(command);
        throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
      }
      return pass(command);
    });
    expect((await advance(loopWith(words('Hi.'), of), await inputOf('paid-once'))).next).toBe('done');
    expect([broken, modelCalls - before]).toEqual([true, 1]);
  });
});

describe('what may have happened is unknown (R140)', () => {
  const bookThenHangUp = async (callId: string, attempt: number) => {
    if (attempt > 1) throw new ToolFailed('503');
    booked.add(callId);
    throw new Error('socket hang up');
  };

  test('and is undone when the run is cancelled between two attempts', async () => {
    await given('between');
    await step('between', calls('pay'));
    const callId = await callOf('between');
    behaviour = bookThenHangUp;
    for (let attempt = 0; attempt < 2; attempt++) await make('between', callId).catch(() => undefined);
    expect(booked.has(callId)).toBe(true);
    expect((await cancel('between')).status).toBe('cancelling');
    expect(await rollback('between')).toBe('done');
    expect(booked.has(callId)).toBe(false);
  });

  test('when the last attempt begins late, as it is given up', async () => {
    await given('late');
    await step('late', calls('pay'));
    const callId = await callOf('late');
    behaviour = async () => {
      throw new ToolFailed('503');
    };
    for (let attempt = 0; attempt < 4; attempt++) await make('late', callId).catch(() => undefined);
    const input = {
      ...(await inputOf('late')),
      call: { next: 'tool:pay', callId },
      error: { Error: 'States.Timeout' },
    };
    const paying = pending<string>();
    let attempt: Promise<unknown> | undefined;
    const of = through(async (command) => {
      const isSettling = command.input.TransactItems?.[0]?.Update?.Key?.sk === key.call(callId);
      if (isSettling && !attempt) {
        const claimed = pending<void>();
        behaviour = (id) => {
          booked.add(id);
          claimed.resolve();
          return paying.promise;
        };
        attempt = make('late', callId).catch(() => undefined);
        await claimed.promise;
      }
      return pass(command);
    });
    await advance(loopWith(words('It failed.'), of), input as LoopInput);
    paying.resolve('paid');
    await attempt;
    expect([(await readCall(table, 'late', callId))!.status, booked.has(callId)]).toEqual(['unknown', true]);
  });
});

describe('effects are undone in the reverse of their order (R141)', () => {
  test('whatever the clocks say, and a call next to one that ends the run has its outcome', async () => {
    await given('order');
    await step('order', calls('boom', 'pay'));
    const first = (await meta('order')).run!;
    const [boomId, older] = [callIdOf(first.id, 1, 0), callIdOf(first.id, 1, 1)];
    behaviour = async (id) => {
      booked.add(id);
      throw new Error('socket hang up');
    };
    await make('order', boomId, boom as never).catch(() => undefined);
    for (let attempt = 0; attempt < 5; attempt++) await make('order', older).catch(() => undefined);
    const refs = [
      { next: 'tool:boom', callId: boomId, error: { Error: 'ToolTerminal' } },
      { next: 'tool:pay', callId: older, error: { Error: 'ToolFailed' } },
    ];
    await expect(step('order', words('x'), { calls: refs } as Partial<LoopInput>)).rejects.toThrow('No.');
    await failRun(table, deployment, { conversationId: 'order', runId: first.id, segment: 1, step: 1 }, 'No.', now());
    await tell('order', 'Did you pay?');
    behaviour = undefined;
    await step('order', calls('pay'));
    const { messages, calls: all } = await readLog(table, 'order');
    const read = transcript(messages, all, { before: 99 }).flatMap((one) => (one.kind === 'result' ? [one.text] : []));
    expect(read[1]).toMatch(/unknown/);
    const newer = await callOf('order');
    // By these clocks, the newer call came first.
    time = new Date(time.getTime() - 3_600_000);
    await make('order', newer);
    time = new Date(time.getTime() + 3_600_000);
    await cancel('order');
    await rollback('order');
    expect(undone).toEqual([newer, older]);
  });

  test('and all runs after the one that was delegated go with it', async () => {
    await given('delegated');
    await step('delegated', delegate);
    const child = await childOf('delegated');
    const paid: string[] = [];
    const payThere = async () => {
      await step(child, calls('pay'));
      const callId = await callOf(child);
      await make(child, callId);
      booked.add(callId);
      paid.push(callId);
      await step(child, words('Done.'));
    };
    await payThere();
    await report(table, await meta(child), now());
    for (const text of ['And this', 'And that']) {
      await tell(child, text);
      await payThere();
    }
    await cancel('delegated');
    const { id: runId, segment } = (await meta('delegated')).run!;
    await nextUndo(table, deployment, { conversationId: 'delegated', runId, segment }, now());
    await rollback(child);
    expect(undone).toEqual(paid.toReversed());
    expect(paid.filter((callId) => booked.has(callId))).toEqual([]);
  });
});

describe('of a deleted conversation (R142)', () => {
  test('nothing runs again when the sub-agent of an earlier run ends', async () => {
    await given('gone');
    await step('gone', delegate);
    const { id: runId } = (await meta('gone')).run!;
    const child = await childOf('gone');
    await failRun(table, deployment, { conversationId: 'gone', runId, segment: 1, step: 1 }, 'x', now());
    await tell('gone', 'Never mind');
    await step('gone', words('Fine.'));
    await deleteConversation(table, tools, 'gone', 'ada', now());
    // Its words are the deleted conversation's, too.
    await expect(viewConversation(table, child, 'ada')).rejects.toMatchObject({ name: 'NotFound' });
    expect((await step(child, words('Here is what I found.'))).next).toBe('done');
    await deleteConversation(table, tools, child, 'ada', now());
    await report(table, await meta(child), now());
    expect(await meta('gone')).toMatchObject({ status: 'done', owner: '' });
  });

  test('all rows expire, including those of a running tool', async () => {
    await given('expiring');
    await step('expiring', calls('later'));
    const callId = await callOf('expiring');
    const { call } = await startAttempt(table, 'expiring', callId, { effect: 'idempotent' }, now());
    await deleteConversation(table, tools, 'expiring', 'ada', now());
    const timer = { kind: 'once' as const, at: now(), text: "Ada's secret" };
    const result = 'x'.repeat(20_000);
    const settle = (one: StoredCall) =>
      settleCall(table, 'expiring', one, { status: 'completed', result }, { effect: { timer }, now: now() });
    const unmarked = async () =>
      ((await readRows(table, 'expiring', ' ', '~')) as { sk: string; ttl?: number }[]).filter(
        ({ sk, ttl }) => !ttl && !sk.startsWith(key.todos('')),
      );
    expect(await settle(call)).toBe(false);
    expect(await unmarked()).toEqual([]);
    // The tool reads its call again, and its rows then expire.
    const again = { ...(await readCall(table, 'expiring', callId))!, status: 'running' as const };
    await write(table, 'expiring', [{ sk: key.call(callId), set: { status: 'running' }, onlyIf: { seq: null } }]);
    expect(await settle(again)).toBe(true);
    expect((await readRows(table, 'expiring', 'TIMER#', 'TIMER#~')) as object[]).toHaveLength(1);
    expect(await unmarked()).toEqual([]);
  });
});

test('a sub-agent’s answer is that of the delegated run, even if its user writes there before it is reported (R122)', async () => {
  await given('asking');
  await step('asking', delegate);
  const callId = await callOf('asking');
  const child = await childOf('asking');
  await step(child, words('It costs 42.'));
  await tell(child, 'Thanks!');
  await report(table, await meta(child), now());
  await step(child, words('You are welcome.'));
  await report(table, await meta(child), now());
  expect(JSON.stringify((await readCall(table, 'asking', callId))!.result)).toContain('It costs 42.');
});

test('a sub-agent whose parent has expired ends, and reports to nobody (R74, R122)', async () => {
  await given('expired');
  await step('expired', delegate);
  const child = await childOf('expired');
  const Key = { pk: key.conversation('expired'), sk: key.meta };
  await table.client.send(new DeleteCommand({ TableName: table.name, Key }));
  expect((await step(child, words('It costs 42.'))).next).toBe('done');
  await report(table, await meta(child), now());
  expect(await readMeta(table, 'expired')).toBeUndefined();
});
