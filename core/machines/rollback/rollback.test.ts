import { stepsIn, testAgent, testTool } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { todosIn } from '../../../test/support/tables/todos';
import { defineAgent } from '../../conversations/agent/agent';
import { registry } from '../../conversations/agent/registry';
import { callIdOf, readCall, startAttempt } from '../../conversations/calls/call';
import { readCallback } from '../../conversations/calls/callback';
import { settleCall } from '../../conversations/calls/settle';
import { cancelRun } from '../../conversations/conversation/cancel';
import { report } from '../../conversations/conversation/children';
import { failRun } from '../../conversations/conversation/fail';
import { sendMessage } from '../../conversations/conversation/send-message';
import { key } from '../../conversations/rows/keys';
import { readMeta, write } from '../../conversations/store/table';
import { abandonRollback, nextUndo } from './rollback';

const now = new Date('2026-03-01T08:00:00Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);

const undone = { effect: 'idempotent', timeoutSeconds: 60, compensate: async () => undefined } as const;
const charge = testTool('charge', { ...undone, approval: { when: () => true, prompt: 'Charge?', fallback: 'No.' } });
const pay = testTool('pay', undone);
const send = testTool('send', { effect: 'once' });
const look = testTool('look');
const helper = testAgent('helper', { tools: [pay] });
const deployment = registry([testAgent('tester', { tools: [charge, pay, send, look], delegates: ['helper'] }), helper]);
const { tools, agents } = deployment;

describe('a cancelled run', () => {
  const table = tableOfTests();
  const steps = stepsIn(table, now, agents.get('tester'));

  async function given(...names: string[]) {
    const { id, at } = await steps.given();
    const args = JSON.stringify({ agent: 'helper', task: 'Help.' });
    const toolCalls = names.map((name, index) => ({
      id: `c${index}`,
      name,
      arguments: name === 'delegate' ? args : '{}',
    }));
    await steps.commit(at, await steps.begin(at), { text: '', toolCalls });
    const callId = (index: number) => callIdOf(at.runId, 1, index);
    const call = async (index = 0) => (await readCall(table, id, callId(index)))!;
    const begin = (index: number, when = now) =>
      startAttempt(table, id, callId(index), tools.get(names[index]!) as typeof pay, when);
    const cancel = () => cancelRun(table, tools, { conversationId: id, user: 'ada' }, now);
    const run = async () => (await readMeta(table, id))!.run!;
    return { id, at, call, begin, cancel, run };
  }
  /** Fails the run. A message then starts another run, which is answerable for its effects. */
  async function gone(made: Awaited<ReturnType<typeof given>>) {
    await failRun(table, deployment, { ...made.at, step: 1 }, 'Broken.', now);
    await sendMessage(table, agents, made.id, { user: 'ada', text: 'Go on' }, now);
    await made.cancel();
    const { id: runId, segment } = await made.run();
    return { conversationId: made.id, runId, segment };
  }

  test('continues a run that failed while it waited for an approval: a call that never began is not undone (R88)', async () => {
    const made = await given('charge', 'pay');
    const { call } = await made.begin(1);
    await settleCall(table, made.id, call, { status: 'completed', result: 1 });
    const input = await gone(made);
    expect(await nextUndo(table, deployment, input, later(1))).toMatchObject({ next: 'undo:pay' });
    expect(await made.call(0)).toMatchObject({ status: 'cancelled' });
    expect((await readCallback(table, made.id, callIdOf(made.at.runId, 1, 0)))!.status).toBe('cancelled');
  });

  test('continues a run that failed while it waited for another agent, which is cancelled too (R122)', async () => {
    const made = await given('delegate');
    const { conversationId: child } = (await readCallback(table, made.id, callIdOf(made.at.runId, 1, 0)))!;
    const input = await gone(made);
    expect(await made.run()).toMatchObject({ status: 'cancelling' });
    expect(await nextUndo(table, deployment, input, later(1))).toMatchObject({ next: 'done' });
    expect([(await made.run()).status, (await readMeta(table, child!))!.status]).toEqual(['cancelled', 'cancelled']);
    await report(table, (await readMeta(table, child!))!, later(2));
    expect((await made.call()).status).toBe('undone');
  });

  test('failed and was held: two attempts of the invocation that begins its rollback both go on (R88)', async () => {
    const made = await given('pay');
    const { call } = await made.begin(0);
    await settleCall(table, made.id, call, { status: 'completed', result: 1 });
    await failRun(table, deployment, { ...made.at, step: 1 }, 'Broken.', now);
    const { id: runId, segment, heldUntil } = await made.run();
    const input = { conversationId: made.id, runId, segment };
    const after = new Date(Date.parse(heldUntil!) + 1);
    const both = await Promise.all([1, 2].map(() => nextUndo(table, deployment, input, after)));
    expect(both).toMatchObject([{ next: 'undo:pay' }, { next: 'undo:pay' }]);
    // The execution that has held it is its rollback, and no other is asked for.
    const asked = (await todosIn(table, made.id)).filter(({ does }) => does === 'rollback');
    expect(asked).toMatchObject([{ isHeld: true }]);
  });

  test('is rolled back when the latest attempt of a call is over, not the first one (R88)', async () => {
    const made = await given('pay');
    await made.begin(0);
    await made.begin(0, later(100));
    await made.cancel();
    const { id: runId, segment } = await made.run();
    const input = { conversationId: made.id, runId, segment };
    expect(await nextUndo(table, deployment, input, later(101))).toMatchObject({
      next: 'wait',
      until: later(175).toISOString(),
    });
    expect(await nextUndo(table, deployment, input, later(176))).toMatchObject({ next: 'undo:pay' });
  });

  test('that breaks off while a call is running says that the call is not undone, although it completes later (R88)', async () => {
    const made = await given('pay', 'pay');
    const [first, second] = [await made.begin(0), await made.begin(1)];
    await settleCall(table, made.id, first.call, { status: 'completed', result: 1 });
    await made.cancel();
    const { id: runId, segment } = await made.run();
    const input = { conversationId: made.id, runId, segment };
    expect(await abandonRollback(table, deployment, input, 'It broke off.', later(1))).toBe(true);
    await settleCall(table, made.id, second.call, { status: 'completed', result: 1 });
    const undoError = 'The rollback was stopped. It broke off.';
    expect([await made.call(0), await made.call(1)]).toMatchObject([
      { status: 'completed', undoError },
      { status: 'completed', undoError },
    ]);
    expect((await made.run()).reason).toBe('Cancelled by the user. 0 of 2 effects undone. Not undone: pay, pay.');
  });

  test('looks at the rollback of a sub-agent in growing intervals, so that its history stays short (R88)', async () => {
    const made = await given('delegate');
    const callback = (await readCallback(table, made.id, callIdOf(made.at.runId, 1, 0)))!;
    const child = (await readMeta(table, callback.conversationId!))!;
    const cancelling = { ...child, run: { ...child.run!, status: 'cancelling' } };
    await write(table, callback.conversationId!, [{ sk: key.meta, put: cancelling }]);
    const input = await gone(made);
    let looks = 0;
    for (let time = later(1); time < later(7 * 86_400); looks++) {
      const { next, until } = await nextUndo(table, deployment, input, time);
      expect(next).toBe('wait');
      time = new Date(until!);
    }
    expect(looks).toBeLessThan(150);
  });

  test('records the outcome of a running tool as unknown, unless it only reads (R111)', async () => {
    const made = await given('send', 'look', 'send');
    await made.begin(0);
    await made.begin(1);
    await made.cancel();
    expect((await Promise.all([0, 1, 2].map((n) => made.call(n)))).map(({ status }) => status)).toEqual([
      'unknown',
      'cancelled',
      'cancelled',
    ]);
    expect((await made.call(0)).error).toContain('Whether it took effect is unknown');
  });

  test('says what is not undone because its tool is no longer deployed (R88)', async () => {
    const made = await given('pay', 'send');
    const { call } = await made.begin(0);
    await settleCall(table, made.id, call, { status: 'completed', result: 1 });
    const fewer = registry([
      defineAgent({ name: 'tester', purpose: 'p', instructions: 'i', model: 'm', tools: [send] }),
    ]);
    const {
      status,
      id: runId,
      segment,
    } = (await cancelRun(table, fewer.tools, { conversationId: made.id, user: 'ada' }, now)).run!;
    expect(status).toBe('cancelling');
    const input = { conversationId: made.id, runId, segment };
    expect(await nextUndo(table, fewer, input, later(1))).toMatchObject({ next: 'done' });
    expect((await made.call()).undoError).toContain('no longer deployed');
    expect((await made.run()).reason).toContain('Not undone: pay');
  });

  test('that two versions of the code cancel and roll back waits for a call whose tool only one has, and says so (R88, R261)', async () => {
    const fewer = registry([
      defineAgent({ name: 'tester', purpose: 'p', instructions: 'i', model: 'm', tools: [send] }),
    ]);
    const [left, stopped, unknown] = [await given('pay'), await given('pay'), await given('pay')];
    for (const made of [left, stopped, unknown]) await made.begin(0);
    const inputOf = async (made: typeof left) => {
      const { id: runId, segment } = await made.run();
      return { conversationId: made.id, runId, segment };
    };
    // This version would undo the call when it is done.
    await left.cancel();
    const waiting = await nextUndo(table, fewer, await inputOf(left), later(1));
    expect(waiting).toMatchObject({ next: 'wait' });
    expect(await nextUndo(table, fewer, await inputOf(left), new Date(waiting.until!))).toMatchObject({ next: 'done' });
    expect(await left.call()).toMatchObject({ status: 'unknown', undoError: 'Its tool is no longer deployed.' });
    // The rollback breaks off, because the other version's state machine has no such tool.
    await stopped.cancel();
    await abandonRollback(table, fewer, await inputOf(stopped), 'It broke off.', later(1));
    expect((await stopped.call()).undoError).toBe('The rollback was stopped. It broke off.');
    // The other version cancels.
    await cancelRun(table, fewer.tools, { conversationId: unknown.id, user: 'ada' }, now);
    expect(await unknown.run()).toMatchObject({ status: 'cancelling' });
    await nextUndo(table, fewer, await inputOf(unknown), later(1));
    expect(await unknown.call()).toMatchObject({ status: 'unknown', undoError: 'Its tool is no longer deployed.' });
  });
});
