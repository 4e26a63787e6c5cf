import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { look, stepsIn } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { schedule } from '../../../tools/timers/schedule';
import { finishOpenCalls } from '../../machines/loop/open-calls';
import { defineAgent } from '../agent/agent';
import { registry } from '../agent/registry';
import { transcript } from '../decisions/transcript';
import { readLog } from '../runs/log';
import { limitRun, nextSegment } from '../runs/run';
import { readMeta, type Table } from '../store/table';
import { cancelRun } from './cancel';
import { failRun } from './fail';
import { retryRun } from './retry';

// Concurrent changes of one run, and failures that follow each other.

const now = new Date('2026-03-01T08:00:00Z');
const later = new Date('2026-03-01T09:00:00Z');
const agent = defineAgent({
  ...{ name: 'tester', purpose: 'p', instructions: 'i', model: 'm', tools: [look, schedule] },
});
const deployment = registry([agent]);
const sleep = { text: '', toolCalls: [{ id: 'a', name: 'schedule', arguments: '{"at":"2026-03-02T08:00:00Z"}' }] };

/** The table of a process that another one overtakes just before it reads META. */
function overtaken(table: Table, by: () => Promise<unknown>): Table {
  let done = false;
  const send = async (command: { input: { Key?: { sk?: string } } }) => {
    if (!done && command.input.Key?.sk === 'META') {
      done = true;
      await by();
    }
    return table.client.send(command as never);
  };
  return { ...table, client: { send } as unknown as DynamoDBDocumentClient };
}

describe('a run', () => {
  const table = tableOfTests();
  const steps = stepsIn(table, now, agent);
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
    await finishOpenCalls(
      overtaken(table, () => cancel(id)),
      input,
      before,
      { tools: deployment.tools, now },
    );
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
      outbox: 'cancel' as const,
    };
    const stale = { ...table, client: { send: async () => ({ Item: meta }) } as unknown as DynamoDBDocumentClient };
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
