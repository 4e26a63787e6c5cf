import * as z from 'zod';
import { stepsIn } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { type Retry, retryBy, withFailed } from '../../base/state/failed-attempts';
import { errorWords } from '../../base/text/caught-error';
import { ModelUnavailable, ToolFailed, ToolTerminal } from '../../base/text/errors';
import { defineAgent } from '../../conversations/agent/agent';
import { registry } from '../../conversations/agent/registry';
import { defineTool } from '../../conversations/agent/tool';
import { callIdOf, readCall } from '../../conversations/calls/call';
import { failRun } from '../../conversations/conversation/fail';
import { retryRun } from '../../conversations/conversation/retry';
import { LogReader } from '../../conversations/runs/log';
import { readMeta, type Table } from '../../conversations/store/table';
import { readTimeline } from '../../people/views/read-timeline';
import { viewConversation } from '../../people/views/view';
import { undoTool } from '../rollback/undo-tool';
import { advance } from './advance';
import { runTool } from './run-tool';

// What people see while something fails: each attempt, why it failed, and when the next one begins.

let fails: (() => Error) | undefined;
const attempted = async () => {
  if (fails) throw fails();
  return 'done';
};
const charge = defineTool({
  ...{ name: 'charge', description: 'd', input: z.object({}), output: z.unknown(), effect: 'idempotent' },
  execute: attempted,
  compensate: async () => void (await attempted()),
});
const tester = defineAgent({ name: 'tester', purpose: 'p', instructions: 'i', model: 'm', tools: [charge] });
const deployment = registry([tester]);

describe('while it fails (R157)', () => {
  const table = tableOfTests();
  let now = new Date('2026-03-01T08:00:00.000Z');
  const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000).toISOString();
  beforeEach(() => {
    fails = undefined;
  });

  async function given() {
    const steps = stepsIn(table, now, tester);
    const { id, at } = await steps.given(`f${now.getTime()}`);
    now = new Date(now.getTime() + 60_000);
    const begins = () => steps.begin(at);
    const commits = async () =>
      steps.commit(at, await begins(), { text: '', toolCalls: [{ id: 'c', name: 'charge', arguments: '{}' }] });
    const asked = { conversationId: id, runId: at.runId, callId: callIdOf(at.runId, 1, 0) };
    const toolRuntime = { table, now: () => now };
    const run = () => runTool(toolRuntime, charge, asked);
    const undo = () => undoTool(toolRuntime, charge, asked);
    return { id, at, commits, run, undo, call: async () => (await readCall(table, id, asked.callId))! };
  }
  const entriesOf = async (id: string) =>
    (await readTimeline(table, deployment.tools, id, 'ada', now)).runs.flatMap(({ entries }) => entries);

  test('a call says which attempts failed and when it is tried again; the timeline keeps them', async () => {
    const { id, commits, run, call } = await given();
    await commits();
    fails = () => new ToolFailed('The shop answered 500.');
    await expect(run()).rejects.toThrow('The shop answered 500.');
    const first = {
      attempt: 1,
      startedAt: now.toISOString(),
      endedAt: now.toISOString(),
      error: 'The shop answered 500.',
    };
    expect(await call()).toMatchObject({ status: 'queued', failedAttempts: [{ ...first, retryBy: later(1) }] });
    await expect(run()).rejects.toThrow();
    expect((await call()).failedAttempts).toMatchObject([{ attempt: 1 }, { attempt: 2, retryBy: later(2) }]);
    fails = undefined;
    await run();
    expect(await entriesOf(id)).toContainEqual(
      expect.objectContaining({
        kind: 'tool',
        status: 'completed',
        attempts: 3,
        failedAttempts: [expect.anything(), expect.anything()],
      }),
    );
  });

  test('an error that ends the run is not announced as tried again', async () => {
    const { commits, run, call } = await given();
    await commits();
    fails = () => new ToolTerminal('The account is closed.');
    await expect(run()).rejects.toThrow();
    const [failed] = (await call()).failedAttempts!;
    expect(failed).toMatchObject({ error: 'The account is closed.' });
    expect(failed).not.toHaveProperty('retryBy');
  });

  test('an attempt whose process died is known from the next one', async () => {
    const { commits, run, call } = await given();
    await commits();
    fails = () => new ToolFailed('It is written.');
    const dying = { ...table, client: { send: (command: unknown) => sendUntilNoted(command) } } as unknown as Table;
    let writes = 0;
    const sendUntilNoted = (command: unknown) => {
      const isWrite = (command as object).constructor.name.startsWith('Transact');
      if (isWrite && ++writes > 1) throw new Error('The process is gone.');
      return table.client.send(command as never);
    };
    const { id, at } = { id: (await call()).id, at: await call() };
    const asked = { conversationId: `f${now.getTime() - 60_000}`, runId: at.runId, callId: id };
    await expect(runTool({ table: dying, now: () => now }, charge, asked)).rejects.toThrow('The process is gone.');
    expect(await call()).toMatchObject({ status: 'running', attempts: 1 });
    expect(await call()).not.toHaveProperty('failedAttempts');
    fails = undefined;
    await run();
    expect((await call()).failedAttempts).toEqual([
      { attempt: 1, startedAt: now.toISOString(), error: expect.stringContaining('gave no answer') },
    ]);
  });

  test('a reply says that the model does not answer, and when it is asked again', async () => {
    const { id, at } = await given();
    const signal = new AbortController().signal;
    const model = {
      reply: async () => {
        throw new ModelUnavailable('The model’s server answered 500.');
      },
      about: () => ({ model: 'scripted', maker: 'scripted' }),
    };
    const asks = () => {
      const logs = new LogReader(table);
      return advance(
        { table, logs, model, registry: deployment, now: () => now, limits: {}, deadline: signal },
        { ...at, step: 0 },
      );
    };
    jest.spyOn(Math, 'random').mockReturnValue(0);
    for (const attempt of [1, 2]) {
      expect(await asks()).toMatchObject({ next: 'wait' });
      const [, reply] = (await viewConversation(table, id, 'ada')).messages;
      expect(reply).toMatchObject({ status: 'streaming' });
      expect(reply!.failedAttempts).toHaveLength(attempt);
      expect(reply!.failedAttempts!.at(-1)).toMatchObject({ attempt, retryBy: later(attempt) });
      expect(reply!.failedAttempts!.at(-1)!.error).toBe('The model’s server answered 500.');
      now = new Date(now.getTime() + attempt * 1_000);
    }
    await failRun(table, deployment, at, 'The model’s server answered 500.', now);
    expect((await viewConversation(table, id, 'ada')).run).toMatchObject({ status: 'failed', failedStep: 1 });
    expect(await entriesOf(id)).toMatchObject([{ kind: 'model', status: 'error', failedAttempts: [{}, {}] }]);
    await retryRun(table, id, 'ada', now);
    expect((await readMeta(table, id))!.run).not.toHaveProperty('failedStep');
  });

  test('an undo that fails says so, and the timeline has it beside the call', async () => {
    const { id, commits, run, undo, call } = await given();
    await commits();
    await run();
    const completedAt = now.toISOString();
    now = new Date(now.getTime() + 5_000);
    fails = () => new ToolFailed('The shop is closed.');
    await expect(undo()).rejects.toThrow('The shop is closed.');
    expect(await call()).toMatchObject({
      failedUndos: [{ attempt: 1, error: 'The shop is closed.', retryBy: later(1) }],
    });
    expect(await entriesOf(id)).toContainEqual(
      expect.objectContaining({ kind: 'undo', status: 'undoing', attempts: 1 }),
    );
    fails = undefined;
    expect(await undo()).toBe('undone');
    expect(await call()).toMatchObject({ status: 'undone', completedAt, undoneAt: now.toISOString() });
    expect((await entriesOf(id)).filter(({ kind }) => kind === 'undo' || kind === 'tool')).toMatchObject([
      { kind: 'tool', endedAt: completedAt },
      { kind: 'undo', name: 'charge', status: 'undone', attempts: 2, endedAt: now.toISOString() },
    ]);
  });

  test('pauses grow to the longest one, and begin anew with a retry of the run', () => {
    const retry: Retry = { maxAttempts: 12, intervalSeconds: 2, backoffRate: 2, maxDelaySeconds: 120 };
    const pauses = [1, 2, 3, 6, 12, 13, 14].map((attempt) => retryBy(retry, attempt, now));
    expect(pauses).toEqual([later(2), later(4), later(8), later(64), later(120), undefined, later(2)]);
  });

  test('a row keeps the latest ten, in few words', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ attempt: index + 1, error: 'x'.repeat(999) }));
    const kept = many.reduce<ReturnType<typeof withFailed>>((before, one) => withFailed(before, one), []);
    expect(kept.map(({ attempt }) => attempt)).toEqual(many.slice(-10).map(({ attempt }) => attempt));
    expect(kept[0]!.error).toHaveLength(300);
  });

  test.each([
    ['RequestId: 7a Error: Runtime exited with error: signal: killed', /^Its process was stopped/],
    ['RequestId: 7a Error: Runtime exited with error: exit status 3', /^Its process ended/],
    ['RequestId: 7a Error: Task timed out after 30.00 seconds', /^It timed out repeatedly\.$/],
    ['The shop answered 500.', /^The shop answered 500\.$/],
  ])('of "%s" people read plain words', (errorMessage, words) => {
    expect(errorWords({ Error: 'Error', Cause: JSON.stringify({ errorMessage }) })).toMatch(words);
  });
});
