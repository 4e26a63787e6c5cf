import * as z from 'zod';
import { stepsIn } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { Throttled, ToolFailed } from '../../base/text/errors';
import { defineAgent } from '../../conversations/agent/agent';
import { defineTool, type FunctionTool } from '../../conversations/agent/tool';
import { callIdOf, readCall } from '../../conversations/calls/call';
import { undoTool } from '../rollback/undo-tool';
import { runTool } from './run-tool';

// AWS has no capacity for a tool, or for what it asks of AWS: that is no failed attempt.

let fails: (() => Error) | undefined;
let done: string[] = [];
const attempted = async (what: string) => {
  if (fails) throw fails();
  done.push(what);
  return 'done';
};
const retry = { maxAttempts: 1, intervalSeconds: 2, backoffRate: 2, maxDelaySeconds: 60 };
const toolWith = (name: string, effect: 'read' | 'once' | 'idempotent') =>
  defineTool({
    ...{ name, description: 'd', input: z.object({}), output: z.unknown(), effect, retry },
    execute: () => attempted('did'),
    compensate: effect === 'read' ? undefined : async () => void (await attempted('undid')),
  });
const [reads, once, idempotent] = [
  toolWith('reads', 'read'),
  toolWith('once', 'once'),
  toolWith('again', 'idempotent'),
];
const tester = defineAgent({
  ...{ name: 'tester', purpose: 'p', instructions: 'i', model: 'm' },
  tools: [reads, once, idempotent],
});

const noCapacity = () => new Throttled('AWS has no capacity for the tool’s function.');
const ofTheTable = () => Object.assign(new Error('slow down'), { name: 'ThrottlingException', $metadata: {} });

const table = tableOfTests();
let now = new Date('2026-03-01T08:00:00.000Z');
beforeEach(() => {
  fails = undefined;
  done = [];
});

async function given(tool: FunctionTool) {
  const steps = stepsIn(table, now, tester);
  const { id, at } = await steps.given(`t${now.getTime()}`);
  now = new Date(now.getTime() + 60_000);
  await steps.commit(at, await steps.begin(at), {
    text: '',
    toolCalls: [{ id: 'c', name: tool.name, arguments: '{}' }],
  });
  const asked = { conversationId: id, runId: at.runId, callId: callIdOf(at.runId, 1, 0) };
  const toolRuntime = { table, now: () => now };
  return {
    run: () => runTool(toolRuntime, tool, asked),
    undo: () => undoTool(toolRuntime, tool, asked),
    call: async () => (await readCall(table, id, asked.callId))!,
  };
}

test.each([reads, once, idempotent])(
  '$name: throttled more often than it may be retried, it still runs, once (R168)',
  async (tool) => {
    const { run, call } = await given(tool);
    fails = noCapacity;
    for (let time = 0; time < 5; time++) await expect(run()).rejects.toMatchObject({ name: 'Throttled' });
    expect(await call()).toMatchObject({ status: 'queued', throttled: 5 });
    expect(await call()).not.toHaveProperty('failedAttempts');
    expect(await call()).not.toHaveProperty('uncertain');
    fails = undefined;
    expect(await run()).toBe('completed');
    expect(done).toEqual(['did']);
  },
);

test('an attempt that fails after throttled ones is the first of those that the tool allows (R157, R168)', async () => {
  const { run, call } = await given(idempotent);
  fails = noCapacity;
  for (let time = 0; time < 3; time++) await expect(run()).rejects.toThrow();
  fails = () => new ToolFailed('Their server is down.');
  await expect(run()).rejects.toMatchObject({ name: 'ToolFailed' });
  const inTwoSeconds = new Date(now.getTime() + 2_000).toISOString();
  expect(await call()).toMatchObject({
    ...{ attempts: 4, attemptsAtMost: 5 },
    failedAttempts: [{ attempt: 4, error: 'Their server is down.', retryBy: inTwoSeconds }],
  });
});

test('a throttled request to AWS is no failure of a tool that only reads, and of another one it may be (R168)', async () => {
  const reader = await given(reads);
  fails = ofTheTable;
  await expect(reader.run()).rejects.toMatchObject({ name: 'Throttled' });
  expect(await reader.call()).toMatchObject({ status: 'queued', throttled: 1 });
  const writer = await given(idempotent);
  await expect(writer.run()).rejects.toMatchObject({ name: 'ToolFailed' });
  expect(await writer.call()).toMatchObject({ status: 'queued', uncertain: true, failedAttempts: [{ attempt: 1 }] });
});

test('an undo that is throttled has not failed either (R168)', async () => {
  const { run, undo, call } = await given(idempotent);
  await run();
  for (const throttle of [noCapacity, ofTheTable]) {
    fails = throttle;
    await expect(undo()).rejects.toThrow();
  }
  expect(await call()).not.toHaveProperty('failedUndos');
  fails = undefined;
  expect(await undo()).toBe('undone');
  expect(done).toEqual(['did', 'undid']);
});

describe('a server that a tool uses asks for a pause (R198)', () => {
  const busy = (seconds: number) => () =>
    new ToolFailed('The web search answered with status 429.', {
      notBefore: new Date(now.getTime() + seconds * 1_000),
    });
  const at = (seconds: number) => new Date(now.getTime() + seconds * 1_000).toISOString();

  test.each([reads, once, idempotent])(
    '$name: it is not asked sooner, and what is too soon is no attempt',
    async (tool) => {
      const { run, call } = await given(tool);
      fails = busy(30);
      await expect(run()).rejects.toMatchObject({ name: 'ToolFailed' });
      const until = at(30);
      expect(await call()).toMatchObject({ status: 'queued', notBefore: until, failedAttempts: [{ retryBy: until }] });
      fails = undefined;
      for (let time = 0; time < 5; time++) await expect(run()).rejects.toMatchObject({ name: 'Throttled' });
      expect(done).toEqual([]);
      expect(await call()).toMatchObject({ status: 'queued', attempts: 1 });
      now = new Date(now.getTime() + 30_000);
      expect(await run()).toBe('completed');
      expect([done, (await call()).attempts]).toEqual([['did'], 2]);
    },
  );

  test('for longer than an hour: the model is told when, and nothing waits', async () => {
    const { run, call } = await given(idempotent);
    fails = busy(7_200);
    expect(await run()).toBe('failed');
    expect((await call()).error).toBe(
      `The web search answered with status 429. It can be tried again at ${at(7_200)}.`,
    );
  });

  test('a pause that is over, or is no time, changes nothing', async () => {
    for (const notBefore of [new Date(0), new Date(Number.NaN), 'soon', null]) {
      const { run, call } = await given(idempotent);
      fails = () => Object.assign(new Error('busy'), { notBefore });
      await expect(run()).rejects.toMatchObject({ name: 'ToolFailed' });
      expect(await call()).not.toHaveProperty('notBefore');
    }
  });

  test('an undo waits as well', async () => {
    const { run, undo, call } = await given(idempotent);
    await run();
    fails = busy(30);
    await expect(undo()).rejects.toMatchObject({ name: 'ToolFailed' });
    fails = undefined;
    await expect(undo()).rejects.toMatchObject({ name: 'Throttled' });
    expect((await call()).failedUndos).toMatchObject([{ retryBy: at(30) }]);
    now = new Date(now.getTime() + 30_000);
    expect(await undo()).toBe('undone');
    expect(done).toEqual(['did', 'undid']);
  });
});
