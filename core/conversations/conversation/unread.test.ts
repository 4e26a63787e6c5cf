import * as z from 'zod';
import { stepsIn } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { nextUndo } from '../../machines/rollback/rollback';
import { defineAgent } from '../agent/agent';
import { registry } from '../agent/registry';
import { defineTool } from '../agent/tool';
import { callIdOf, startAttempt } from '../calls/call';
import { settleCall } from '../calls/settle';
import { key } from '../rows/keys';
import { readMeta, readRows } from '../store/table';
import { cancelRun } from './cancel';
import { endDeleted, markDeleted } from './delete';
import { failRun } from './fail';
import { sendMessage } from './send-message';

// A run that is cancelled closes its unread messages: "Messages sent before the cancel stay in the log but start no run."
// 40 of them go with the transaction; `change` in cancel.ts closes the rest. Other callers of `cancelling` do not use it.
const now = new Date('2026-03-01T08:00:00Z');
const pay = defineTool({
  ...{ name: 'pay', description: 'Pays.', input: z.object({}), output: z.unknown(), effect: 'idempotent' },
  execute: async () => 1,
  compensate: async () => undefined,
});
const base = { purpose: 'p', instructions: 'i', model: 'm', tools: [pay], onMessage: 'queue' as const };
const deployment = registry([
  defineAgent({ ...base, name: 'at-once', holdFailedDays: 0 }),
  defineAgent({ ...base, name: 'held', holdFailedDays: 1 }),
]);
const { agents, tools } = deployment;

describe('a run with 45 unread messages', () => {
  const table = tableOfTests();
  async function begun(agent: string) {
    const steps = stepsIn(table, now, agents.get(agent));
    const { id, at } = await steps.given();
    await steps.commit(at, await steps.begin(at), { text: '', toolCalls: [{ id: 'c', name: 'pay', arguments: '{}' }] });
    const callId = callIdOf(at.runId, 1, 0);
    const { call } = await startAttempt(table, id, callId, pay, now);
    await settleCall(table, id, call, { status: 'completed', result: 1 });
    for (let number = 0; number < 45; number++)
      await sendMessage(table, agents, id, { user: 'ada', text: `Word ${number}` }, now);
    const unread = async () =>
      ((await readRows(table, id, key.messages, `${key.messages}~`)) as { status: string }[]).filter(
        ({ status }) => status === 'pending',
      ).length;
    return { id, at: { ...at, step: 1 }, unread };
  }

  test('cancelled by its user (R259)', async () => {
    const { id, unread } = await begun('held');
    await cancelRun(table, tools, { conversationId: id, user: 'ada' }, now);
    expect((await readMeta(table, id))!.pending).toEqual([]);
    expect(await unread()).toBe(0);
  });

  test('deleted by its user, at once and during its rollback (R259)', async () => {
    for (const isCancelled of [false, true]) {
      const { id, unread } = await begun('held');
      if (isCancelled) await cancelRun(table, tools, { conversationId: id, user: 'ada' }, now);
      for (let number = 0; isCancelled && number < 45; number++)
        await sendMessage(table, agents, id, { user: 'ada', text: `More ${number}` }, now);
      await markDeleted(table, id, 'ada', now);
      await endDeleted(table, tools, id, now);
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
