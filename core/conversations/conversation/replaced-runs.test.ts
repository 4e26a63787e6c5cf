import { look, stepsIn, testAgent, testTool } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { finishOpenCalls } from '../../machines/loop/open-calls';
import { nextUndo } from '../../machines/rollback/rollback';
import type { Agent } from '../agent/agent';
import { registry } from '../agent/registry';
import { callIdOf, readCall, startAttempt } from '../calls/call';
import { readCallback, readCallbacksOfRun, webhookId } from '../calls/callback';
import { closeAsked } from '../calls/close';
import { settleCall } from '../calls/settle';
import type { Meta } from '../rows/meta';
import { append } from '../runs/append';
import { readLog } from '../runs/log';
import { ended, reporting } from '../runs/run';
import { changeConversation } from '../store/change-conversation';
import { readMeta } from '../store/table';
import { approve } from './approve';
import { cancelRun } from './cancel';
import { report } from './children';
import { deliver } from './deliver';
import { failRun } from './fail';
import { retryRun } from './retry';
import { sendMessage } from './send-message';

// A run fails and is retried, or a message replaces it: what becomes of what it left open.

const now = new Date('2026-03-01T08:00:00Z');
const undone = { effect: 'idempotent' as const, compensate: async () => undefined };
const pay = testTool('pay', undone);
const charge = testTool('charge', { ...undone, approval: { when: () => true, prompt: 'Charge?', fallback: 'No.' } });
const order = testTool('order', {
  effect: 'idempotent',
  webhook: { delivers: 'result', expiresInSeconds: 86_400, fallback: 'Nothing came.' },
});
const deployment = registry([
  testAgent('tester', { tools: [look, pay, charge, order], delegates: ['helper'], end: { phrase: 'DONE' } }),
  testAgent('helper', { tools: [pay, look] }),
]);
const { agents, tools } = deployment;

describe('a run that has failed', () => {
  const table = tableOfTests();
  const steps = stepsIn(table, now, agents.get('tester') as Agent);
  type Given = Awaited<ReturnType<typeof steps.given>>;
  const meta = async (id: string) => (await readMeta(table, id)) as Meta;
  const tell = (id: string, text: string) => sendMessage(table, agents, id, { user: 'ada', text }, now);
  const fail = ({ at }: Given) => failRun(table, deployment, at, 'Out of order.', now);
  const cancel = (id: string) => cancelRun(table, tools, { conversationId: id, user: 'ada' }, now);
  const undo = async (id: string) => {
    const { run } = await meta(id);
    return nextUndo(table, deployment, { conversationId: id, runId: run!.id, segment: run!.segment }, now);
  };

  async function asked(...names: string[]) {
    const made = await steps.given();
    const toolCalls = names.map((name, index) => {
      const args = name === 'delegate' ? JSON.stringify({ agent: 'helper', task: 'Help.' }) : '{}';
      return { id: `c${index}`, name, arguments: args };
    });
    await steps.commit(made.at, await steps.begin(made.at), { text: '', toolCalls });
    return { ...made, callId: callIdOf(made.at.runId, 1, 0) };
  }

  test('while it waited for an answer waits for it again once it is retried: the next message is the answer (R8, R115)', async () => {
    const { id, at } = await steps.given();
    await steps.commit(at, await steps.begin(at), { text: 'Where to?', toolCalls: [] });
    await fail({ id, at });
    await retryRun(table, id, 'ada', now);
    const { run } = await meta(id);
    const next = await finishOpenCalls(table, { ...at, segment: 2 }, run!, { tools, now });
    expect(next).toMatchObject({ next: 'callback' });
    expect(await meta(id)).toMatchObject({ status: 'waiting', waitsFor: 'you', run: { status: 'waiting' } });
    expect((await tell(id, 'Kyoto')).message).toMatchObject({ seq: 3 });
    expect((await readCallbacksOfRun(table, id, at.runId)).map(({ status }) => status)).toEqual(['answered']);
  });

  test('and is written to before it asks again: the message takes the question’s place (R115)', async () => {
    const { id, at } = await steps.given();
    await steps.commit(at, await steps.begin(at), { text: 'Where to?', toolCalls: [] });
    await fail({ id, at });
    await retryRun(table, id, 'ada', now);
    await tell(id, 'Kyoto');
    const { run } = await meta(id);
    expect(await finishOpenCalls(table, { ...at, segment: 2 }, run!, { tools, now })).toBeUndefined();
    expect((await readCallbacksOfRun(table, id, at.runId)).map(({ status }) => status)).toEqual(['cancelled']);
  });

  test('has its open questions and approvals closed when a message takes its place, and what others work on goes on (R54)', async () => {
    const made = await asked('charge', 'delegate');
    await fail(made);
    await tell(made.id, 'Never mind');
    await closeAsked(table, made.id, (await meta(made.id)).run!, now);
    await closeAsked(table, made.id, (await meta(made.id)).run!, now);
    const callbacks = await readCallbacksOfRun(table, made.id, made.at.runId);
    expect(callbacks.map(({ kind, status }) => [kind, status])).toEqual([
      ['approval', 'cancelled'],
      ['agent', 'pending'],
    ]);
    expect(await readCall(table, made.id, made.callId)).toMatchObject({ status: 'cancelled' });
  });

  test('with a call that was approved and had not begun is rolled back with the run that took its place (R88)', async () => {
    const made = await asked('charge', 'pay');
    const paid = callIdOf(made.at.runId, 1, 1);
    const { call } = await startAttempt(table, made.id, paid, pay, now);
    await settleCall(table, made.id, call, { status: 'completed', result: 1 });
    const who = { conversationId: made.id, callbackId: made.callId, user: 'ada', groups: [], claims: {} };
    await approve(table, deployment, who, { approved: true }, now);
    await fail(made);
    await tell(made.id, 'Go on');
    await cancel(made.id);
    expect(await undo(made.id)).toMatchObject({ next: 'undo:pay', call: { callId: paid } });
    expect(await readCall(table, made.id, made.callId)).toMatchObject({ status: 'cancelled' });
  });

  test('in the middle of a scheduled call: it is made by the run that takes its place (R50)', async () => {
    const made = await steps.given();
    const scheduled = { tool: 'look', arguments: '{}' };
    const due = { role: 'system' as const, author: 'run_later', text: 'Due', scheduled };
    await changeConversation(table, made.id, (one) => ({ ...append(one, due, now), answer: undefined }));
    expect((await steps.begin(made.at)).scheduled).toEqual([2]);
    await fail(made);
    await tell(made.id, 'Are you there?');
    const { run } = await meta(made.id);
    const next = { ...made.at, runId: run!.id };
    expect((await steps.begin(next)).scheduled).toEqual([2]);
  });

  test('is over when its delivery comes: the call has its result, and the run in its place hears of it (R47)', async () => {
    const made = await asked('order');
    const { call } = await startAttempt(table, made.id, made.callId, order, now);
    await settleCall(table, made.id, call, { status: 'waiting', result: { ordered: true } });
    await fail(made);
    await tell(made.id, 'Never mind');
    const next = { ...made.at, runId: (await meta(made.id)).run!.id };
    await steps.commit(next, await steps.begin(next), { text: 'DONE', toolCalls: [] });
    const to = { conversationId: made.id, callbackId: webhookId(made.callId) };
    await deliver(table, deployment, to, { parcel: 7 }, now);
    expect(await readCall(table, made.id, made.callId)).toMatchObject({ status: 'completed', result: { parcel: 7 } });
    const { run } = await meta(made.id);
    expect(run).toMatchObject({ status: 'running' });
    expect(run!.id).not.toBe(next.runId);
    expect((await readLog(table, made.id)).messages.at(-1)).toMatchObject({ author: 'order', about: made.callId });
  });

  test('is over when its sub-agent is done: the run in its place hears what it says (R122)', async () => {
    const made = await asked('delegate');
    await fail(made);
    await tell(made.id, 'Never mind');
    const next = { ...made.at, runId: (await meta(made.id)).run!.id };
    await steps.commit(next, await steps.begin(next), { text: 'DONE', toolCalls: [] });
    const child = await meta((await readCallback(table, made.id, made.callId))!.conversationId!);
    await report(table, reporting(ended(child, child.run!, { status: 'limited', reason: 'Enough.' }, now)), now);
    const last = (await readLog(table, made.id)).messages.at(-1)!;
    expect([last.author, last.text]).toEqual(['helper', expect.stringContaining('Enough.')]);
    expect((await meta(made.id)).status).toBe('running');
  });
});
