import * as z from 'zod';
import { everyFifth } from '../../../test/support/long';
import { actOnTodos } from '../../../test/support/tables/act-on-todos';
import { mortal, overtaken } from '../../../test/support/tables/mortal-table';
import { callLook, look, stepsIn, testAgent, testTool } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { schedule } from '../../../tools/timers/schedule';
import { finishOpenCalls } from '../../machines/loop/open-calls';
import { runTool } from '../../machines/loop/run-tool';
import { nextUndo } from '../../machines/rollback/rollback';
import { type Agent, defineAgent } from '../agent/agent';
import { registry } from '../agent/registry';
import { tableEffect } from '../agent/table-effect';
import { callIdOf, readCall, startAttempt } from '../calls/call';
import { settleCall } from '../calls/settle';
import { transcript } from '../decisions/transcript';
import { key } from '../rows/keys';
import type { Meta } from '../rows/meta';
import { append } from '../runs/append';
import { closeDropped, dropUnread } from '../runs/dropped';
import { readLog } from '../runs/log';
import { limitRun, nextSegment } from '../runs/run';
import { changeConversation } from '../store/change-conversation';
import { readMeta, readRows, type Table, write } from '../store/table';
import { cancelRun } from './cancel';
import { deleteConversation, endDeleted, markDeleted } from './delete';
import { failRun } from './fail';
import { forkConversation } from './fork';
import { retryRun } from './retry';
import { sendMessage } from './send-message';

// Interrupted work: a cancel between two reads, a deletion that dies, a busy table, a lost attempt; concurrent changes of one run, and
// failures that follow each other.

const now = new Date('2026-03-01T08:00:00Z');
const odd = { output: z.number(), execute: async () => 'no number' as never };
const undone = { ...odd, effect: 'idempotent' as const, compensate: async () => undefined };
const booking = async () => tableEffect({ output: 'no number' as never, rows: [{ sk: 'BOOKED', add: { count: 1 } }] });
const pay = testTool('pay', undone);
const book = testTool('book', { ...odd, effect: 'table', execute: booking });
const chargeAndBook = testTool('charge_and_book', { ...undone, execute: booking });
const count = testTool('count', odd);
const known = { tools: [look, pay, book, chargeAndBook, count] };
const { agents, tools } = registry([
  testAgent('tester', known),
  testAgent('queueing', { ...known, onMessage: 'queue' }),
]);

const table = tableOfTests();

describe('cut short', () => {
  const stepsOf = (name: string) => stepsIn(table, now, agents.get(name) as Agent);
  const meta = async (id: string) => (await readMeta(table, id)) as Meta;
  const tell = (id: string, text: string) => sendMessage(table, agents, id, { user: 'ada', text }, now);

  /** Runs an action once, right after the response to a matching request. */
  function after(
    isIt: (command: { constructor: { name: string }; input: object }) => boolean,
    then: () => Promise<unknown>,
  ) {
    let done = false;
    const send = async (command: { constructor: { name: string }; input: object }) => {
      const answer = await table.client.send(command as never);
      if (!done && isIt(command)) {
        done = true;
        await then();
      }
      return answer;
    };
    return { ...table, client: { send } as unknown as Table['client'] };
  }

  async function asked(id: string, name: string) {
    const steps = stepsOf('tester');
    const { at } = await steps.given(id);
    await steps.commit(at, await steps.begin(at), { text: '', toolCalls: [{ id: 'a', name, arguments: '{}' }] });
    return { at, callId: callIdOf(at.runId, 1, 0) };
  }

  test('a tool that begins while a cancel decides what to undo may finish, and is rolled back (R88)', async () => {
    const { callId } = await asked('begins', 'pay');
    const looksAtCalls = ({ input }: { input: object }) => JSON.stringify(input).includes('CALL#');
    const overtaken = after(looksAtCalls, () => startAttempt(table, 'begins', callId, pay, now));
    await cancelRun(overtaken, tools, { conversationId: 'begins', user: 'ada' }, now);
    expect(await meta('begins')).toMatchObject({ status: 'cancelling' });
    expect((await readCall(table, 'begins', callId))!.status).toBe('running');
  });

  test('a cancel that is sent again when another run has begun leaves that one alone (R87)', async () => {
    const { at } = await asked('again', 'look');
    const cancel = () => cancelRun(table, tools, { conversationId: 'again', user: 'ada', runId: at.runId }, now);
    expect((await cancel()).run).toMatchObject({ id: at.runId, status: 'cancelled' });
    await tell('again', 'Go on');
    expect((await cancel()).run).toMatchObject({ status: 'running' });
  });

  const deaths = Array.from({ length: 8 }, (_, index) => index + 1).flatMap((nth) =>
    ['before', 'after'].map((when) => ({ nth, when })),
  );
  test.each(everyFifth(deaths))(
    'a deletion that dies $when its request $nth: all is there, or it is gone and can be asked for again (R61)',
    async (death) => {
      const id = `deleted-${death.nth}-${death.when}`;
      await asked(id, 'look');
      await deleteConversation(mortal(table, death), tools, id, 'ada', now).catch(() => undefined);
      const expiring = async () =>
        ((await readRows(table, id, ' ', '~')) as { sk: string; ttl?: number }[]).filter(
          ({ ttl }) => ttl !== undefined,
        );
      const { deletedFor } = await meta(id);
      if (!deletedFor) expect(await expiring()).toEqual([]);
      await deleteConversation(table, tools, id, 'ada', new Date(now.getTime() + 5_000));
      const rows = (await readRows(table, id, ' ', '~')) as { sk: string; ttl: number }[];
      const whole = rows.find(({ sk }) => sk === key.meta)!;
      // What is to be done expires when it is done.
      const isOwn = (sk: string) => sk === key.meta || sk.startsWith(key.todos(''));
      expect(rows.every(({ sk, ttl }) => isOwn(sk) || ttl < whole.ttl - 20 * 86_400)).toBe(true);
      await expect(tell(id, 'Hello?')).rejects.toMatchObject({ name: 'NotFound' });
      await expect(deleteConversation(table, tools, id, 'eve', now)).rejects.toMatchObject({ name: 'NotFound' });
    },
  );

  test.each(['ThrottlingException', 'ProvisionedThroughputExceededException', 'InternalServerError'])(
    'a write that meets %s is made again, longer than the SDK would: a paid reply may hang on it',
    async (name) => {
      let left = 3;
      const send = async (command: never) => {
        if (left-- > 0) throw Object.assign(new Error('Busy'), { name });
        return table.client.send(command);
      };
      const busy = { ...table, client: { send } as unknown as Table['client'] };
      expect(await write(busy, 'busy', [{ sk: name, put: { one: 1 }, onlyIf: 'absent' }])).toBe(true);
    },
  );

  test('a message that waits for the end of the run counts for the steps of the next one (R9)', async () => {
    const steps = stepsOf('queueing');
    const { id, at } = await steps.given('queued');
    await steps.commit(at, await steps.begin(at), callLook);
    await tell(id, 'And then this');
    const second = { ...at, step: 2 };
    await steps.commit(second, await steps.begin(second), { text: 'Done.', toolCalls: [] });
    const { run } = await meta(id);
    expect(run!.id).not.toBe(at.runId);
    const next = { ...at, runId: run!.id };
    await steps.begin(next);
    expect((await meta(id)).run!.lastRead).toEqual({ seq: 1, step: 0 });
  });

  test('the run that a waiting message begins belongs to the trace of its request, and later ones do not (R240)', async () => {
    const caller = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
    const steps = stepsOf('queueing');
    const { id, at } = await steps.given('traced');
    await steps.commit(at, await steps.begin(at), callLook);
    await sendMessage(table, agents, id, { user: 'ada', text: 'And then this', caller }, now);
    expect((await meta(id)).run!.caller).toBeUndefined();
    const second = { ...at, step: 2 };
    await steps.commit(second, await steps.begin(second), { text: 'Done.', toolCalls: [] });
    const { run, caller: left } = await meta(id);
    expect([run!.caller, left]).toEqual([caller, undefined]);
    const next = { ...at, runId: run!.id };
    await steps.commit(next, await steps.begin(next), { text: 'Done, too.', toolCalls: [] });
    await tell(id, 'Something else');
    expect((await meta(id)).run!.caller).toBeUndefined();
  });

  test('a fork of a step keeps what it answers, though more had been said before it began (R116)', async () => {
    const steps = stepsOf('queueing');
    const { id, at } = await steps.given('spoken', 'First');
    await tell(id, 'Second');
    await steps.commit(at, await steps.begin(at), { text: 'Well.', toolCalls: [] });
    const forked = await forkConversation(
      table,
      { from: id, id: 'forked', user: 'ada', step: 1, runId: at.runId },
      now,
    );
    const step = { conversationId: 'forked', runId: forked.run!.id, segment: 1, step: 1 };
    const draft = await steps.begin(step);
    const { messages, calls } = await readLog(table, 'forked');
    const read = transcript(messages, calls, { before: draft.seq });
    expect(read.at(-1)).toMatchObject({ by: 'user', text: 'First' });
  });

  test('a fork copies many long messages in a script of three bytes to the letter (R116)', async () => {
    const steps = stepsOf('tester');
    const { id, at } = await steps.given('wide');
    const text = '京'.repeat(100_000);
    for (let index = 0; index < 15; index++)
      await changeConversation(table, id, (one) => ({
        ...append(one, { role: 'user', author: 'ada', text }, now),
        answer: undefined,
      }));
    // One step reads the first eight of them, the next one the others.
    await steps.commit(at, await steps.begin(at), { text: 'Well.', toolCalls: [] });
    const second = { ...at, step: 2 };
    await steps.commit(second, await steps.begin(second), { text: 'Yes.', toolCalls: [] });
    await forkConversation(table, { from: id, id: 'long', user: 'ada', step: 2, runId: at.runId }, now);
    const { messages } = await readLog(table, 'long');
    expect(messages.filter((one) => one.text === text)).toHaveLength(15);
  });

  test.each([
    ['a payment that ran: whether it took effect is unknown', pay, 'unknown'],
    ['rows that it was to write: they are not, and it has failed', book, 'failed'],
    ['a payment with rows of its own: the rows are not written, and the payment is unknown', chargeAndBook, 'unknown'],
    ['a look: it has failed', count, 'failed'],
  ])('a result that is not what the tool promises, of %s (R111)', async (_, tool, status) => {
    const id = `result-${tool.name}`;
    const { at, callId } = await asked(id, tool.name);
    await runTool({ table, now: () => now }, tool, { conversationId: id, runId: at.runId, callId });
    expect(await readCall(table, id, callId)).toMatchObject({ status });
    expect(await readRows(table, id, 'BOOKED', 'BOOKED')).toEqual([]);
  });

  test.each([
    ['dies: whether it took effect is unknown', undefined, 'unknown'],
    ['says that it had no effect: it has failed', 'ToolFailed', 'failed'],
  ])('an idempotent tool whose last attempt %s (R111)', async (_, name, status) => {
    const id = `last-${status}`;
    const { at, callId } = await asked(id, 'pay');
    const { run } = await meta(id);
    const throws = async () => {
      throw Object.assign(new Error('The bank is closed.'), { name });
    };
    if (name)
      await runTool({ table, now: () => now }, { ...pay, execute: throws }, { ...at, callId }).catch(() => undefined);
    else await startAttempt(table, id, callId, pay, now);
    const input = { ...at, call: { next: 'tool:pay', callId }, error: { Error: name ?? 'Sandbox.Timedout' } };
    await finishOpenCalls(table, input, run!, { tools, now });
    expect(await readCall(table, id, callId)).toMatchObject({ status });
  });
});

describe('a run', () => {
  const later = new Date('2026-03-01T09:00:00Z');
  const deployment = registry([
    defineAgent({ name: 'tester', purpose: 'p', instructions: 'i', model: 'm', tools: [look, schedule] }),
  ]);
  const sleep = { text: '', toolCalls: [{ id: 'a', name: 'schedule', arguments: '{"at":"2026-03-02T08:00:00Z"}' }] };
  const steps = stepsIn(table, now, deployment.agents.get('tester'));
  const run = async (id: string) => (await readMeta(table, id))!.run!;
  const cancel = (id: string) => cancelRun(table, deployment.tools, { conversationId: id, user: 'ada' }, now);
  const fail = (at: Awaited<ReturnType<typeof steps.given>>['at'], reason = 'Out of order.') =>
    failRun(table, deployment, at, reason, now);

  test('that is cancelled while it shows what it waits for stays cancelled (R87)', async () => {
    const { id, at } = await steps.given();
    const calls = [...sleep.toolCalls, { id: 'b', name: 'look', arguments: '{}' }];
    await steps.commit(at, await steps.begin(at), { text: '', toolCalls: calls });
    const before = await run(id);
    const input = { ...at, calls: [{ next: 'tool:look', callId: `${at.runId}.00001.01`, error: { Error: 'Broken' } }] };
    const late = overtaken(
      table,
      ({ input: { Key } }) => Key?.sk === 'META',
      () => cancel(id),
    );
    await finishOpenCalls(late, input, before, { tools: deployment.tools, now });
    expect(await run(id)).toMatchObject({ status: 'cancelled' });
    expect((await readMeta(table, id))!.status).toBe('cancelled');
  });

  test('that is being cancelled does not go on in another segment: its rollback would lose it (R88)', async () => {
    const { id, at } = await steps.given();
    await cancel(id);
    const { status: _, ...rest } = await run(id);
    const meta = {
      ...(await readMeta(table, id))!,
      run: { ...rest, status: 'cancelling' as const },
    };
    const stale = { ...table, client: { send: async () => ({ Item: meta }) } as never };
    expect(await nextSegment(stale, at, now)).toMatchObject({ next: 'done' });
  });

  test.each([
    ['fails again', (_id: string, at: { segment: number }) => fail({ ...at, segment: 2 } as never), 'failed'],
    ['is cancelled', (id: string) => cancel(id), 'cancelled'],
  ])(
    'that failed in the middle of a step, is retried, and %s before the step begins (R115)',
    async (_, then, status) => {
      const { id, at } = await steps.given();
      await steps.begin(at);
      expect(await fail(at)).toBe(true);
      await retryRun(table, id, 'ada', now);
      await then(id, at);
      expect(await run(id)).toMatchObject({ status });
    },
  );

  test('that reaches a limit in the middle of a step leaves no message that seems to be written (R112)', async () => {
    const { id, at } = await steps.given();
    await steps.begin(at);
    await limitRun(table, { ...at, step: 0 }, { reason: 'Enough.', evenUnread: true }, now);
    expect((await readLog(table, id)).messages.at(-1)!.status).toBe('error');
    await retryRun(table, id, 'ada', later);
    const again = { ...at, segment: 2 };
    await steps.commit(again, await steps.begin(again, 'w2'), {
      text: '',
      toolCalls: [{ id: 'c', name: 'look', arguments: '{}' }],
    });
    const { messages, calls } = await readLog(table, id);
    const results = transcript(messages, calls, { before: 99 }).filter(({ kind }) => kind === 'result');
    expect(results).toHaveLength(1);
  });
});

// A run that is cancelled closes its unread messages: "Messages sent before the cancel stay in the log but start no run."
// 40 of them go with the transaction; `change` in cancel.ts closes the rest. Other callers of `cancelling` do not use it.
describe('a run with 45 unread messages', () => {
  const queueing = { tools: [pay], onMessage: 'queue' as const };
  const deployment = registry([
    testAgent('at-once', { ...queueing, holdFailedDays: 0 }),
    testAgent('held', { ...queueing, holdFailedDays: 1 }),
  ]);
  async function begun(agent: string) {
    const steps = stepsIn(table, now, deployment.agents.get(agent));
    const { id, at } = await steps.given();
    await steps.commit(at, await steps.begin(at), { text: '', toolCalls: [{ id: 'c', name: 'pay', arguments: '{}' }] });
    const callId = callIdOf(at.runId, 1, 0);
    const { call } = await startAttempt(table, id, callId, pay, now);
    await settleCall(table, id, call, { status: 'completed', result: 1 });
    for (let number = 0; number < 45; number++)
      await sendMessage(table, deployment.agents, id, { user: 'ada', text: `Word ${number}` }, now);
    const unread = async () => {
      await actOnTodos(table, id, deployment);
      const rows = await readRows(table, id, key.messages, `${key.messages}~`);
      return (rows as { status: string }[]).filter(({ status }) => status === 'pending').length;
    };
    return { id, at: { ...at, step: 1 }, unread };
  }

  test('cancelled by its user (R259)', async () => {
    const { id, unread } = await begun('held');
    await cancelRun(table, deployment.tools, { conversationId: id, user: 'ada' }, now);
    expect((await readMeta(table, id))!.pending).toEqual([]);
    expect(await unread()).toBe(0);
  });

  test('cancelled when a message that came last is unread and older ones are queued (R259)', async () => {
    const { id, unread } = await begun('held');
    const meta = (await readMeta(table, id))!;
    const [last, ...others] = meta.queued!.toReversed();
    const { rows, left } = await dropUnread(table, { ...meta, pending: [last!], queued: others.toReversed() });
    expect(rows.length + left.length).toBe(45);
    const mixed = [last!, ...others.toReversed()];
    await closeDropped(table, id, mixed);
    expect(await unread()).toBe(0);
  });

  test('deleted by its user, at once and during its rollback (R259)', async () => {
    for (const isCancelled of [false, true]) {
      const { id, unread } = await begun('held');
      if (isCancelled) await cancelRun(table, deployment.tools, { conversationId: id, user: 'ada' }, now);
      for (let number = 0; isCancelled && number < 45; number++)
        await sendMessage(table, deployment.agents, id, { user: 'ada', text: `More ${number}` }, now);
      await markDeleted(table, id, 'ada', now);
      await endDeleted(table, deployment.tools, id, now);
      expect(await readMeta(table, id)).toMatchObject({ status: 'cancelling', pending: [] });
      expect(await unread()).toBe(0);
    }
  });

  test('fails, and its agent holds nothing (R259)', async () => {
    const { id, at, unread } = await begun('at-once');
    await failRun(table, deployment, at, 'Out of order.', now);
    expect(await readMeta(table, id)).toMatchObject({ status: 'cancelling', pending: [] });
    expect(await unread()).toBe(0);
  });

  test('fails, and its hold is over (R259)', async () => {
    const { id, at, unread } = await begun('held');
    await failRun(table, deployment, at, 'Out of order.', now);
    const later = new Date(now.getTime() + 86_400_000);
    await nextUndo(
      table,
      deployment,
      { conversationId: id, runId: at.runId, segment: 1, at: later.toISOString() },
      later,
    );
    expect(await readMeta(table, id)).toMatchObject({ status: 'cancelling', pending: [] });
    expect(await unread()).toBe(0);
  });
});
