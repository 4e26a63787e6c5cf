import { stepsIn, testAgent, testTool } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { type Retry, retryBy, withFailed } from '../../base/state/failed-attempts';
import { errorWords } from '../../base/text/caught-error';
import { Throttled, ToolFailed, ToolTerminal } from '../../base/text/errors';
import { registry } from '../../conversations/agent/registry';
import type { FunctionTool } from '../../conversations/agent/tool';
import { callIdOf, readCall } from '../../conversations/calls/call';
import type { Table } from '../../conversations/store/table';
import { readTimeline } from '../../people/views/read-timeline';
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
const toolWith = (name: string, effect: 'read' | 'once' | 'idempotent', more: object = { retry }) =>
  testTool(name, {
    effect,
    ...more,
    execute: () => attempted('did'),
    compensate: effect === 'read' ? undefined : async () => void (await attempted('undid')),
  });
const [reads, once, idempotent, charge] = [
  toolWith('reads', 'read'),
  toolWith('once', 'once'),
  toolWith('again', 'idempotent'),
  toolWith('charge', 'idempotent', {}),
];
const tester = testAgent('tester', { tools: [reads, once, idempotent, charge] });

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
  return {
    id,
    run: (on: Table = table) => runTool({ table: on, now: () => now }, tool, asked),
    undo: () => undoTool({ table, now: () => now }, tool, asked),
    call: async () => (await readCall(table, id, asked.callId))!,
  };
}

test('an attempt that fails after throttled ones is the first of those that the tool allows (R157, R168)', async () => {
  const { run, call } = await given(idempotent);
  fails = noCapacity;
  for (let time = 0; time < 3; time++) await expect(run()).rejects.toThrow();
  fails = () => new ToolFailed('Their server is down.');
  await expect(run()).rejects.toMatchObject({ name: 'ToolFailed' });
  const inTwoSeconds = new Date(now.getTime() + 2_000).toISOString();
  expect(await call()).toMatchObject({
    attempts: 4,
    attemptsAtMost: 5,
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

const at = (seconds: number) => new Date(now.getTime() + seconds * 1_000).toISOString();

describe('a server that a tool uses asks for a pause (R198)', () => {
  const busy = (seconds: number) => () =>
    new ToolFailed('The web search answered with status 429.', {
      notBefore: new Date(now.getTime() + seconds * 1_000),
    });

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

// What people see: each attempt, why it failed, and when the next one begins.
describe('while it fails (R157)', () => {
  const entriesOf = async (id: string) =>
    (await readTimeline(table, registry([tester]).tools, id, 'ada', now)).runs.flatMap(({ entries }) => entries);

  test('a call says which attempts failed and when it is tried again; the timeline keeps them', async () => {
    const { id, run, call } = await given(charge);
    fails = () => new ToolFailed('The shop answered 500.');
    await expect(run()).rejects.toThrow('The shop answered 500.');
    const first = {
      attempt: 1,
      startedAt: now.toISOString(),
      endedAt: now.toISOString(),
      error: 'The shop answered 500.',
    };
    expect(await call()).toMatchObject({ status: 'queued', failedAttempts: [{ ...first, retryBy: at(1) }] });
    await expect(run()).rejects.toThrow();
    expect((await call()).failedAttempts).toMatchObject([{ attempt: 1 }, { attempt: 2, retryBy: at(2) }]);
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
    const { run, call } = await given(charge);
    fails = () => new ToolTerminal('The account is closed.');
    await expect(run()).rejects.toThrow();
    const [failed] = (await call()).failedAttempts!;
    expect(failed).toMatchObject({ error: 'The account is closed.' });
    expect(failed).not.toHaveProperty('retryBy');
  });

  test('an attempt whose process died is known from the next one', async () => {
    const { run, call } = await given(charge);
    fails = () => new ToolFailed('It is written.');
    let writes = 0;
    const send = (command: object) => {
      if (command.constructor.name.startsWith('Transact') && ++writes > 1) throw new Error('The process is gone.');
      return table.client.send(command as never);
    };
    await expect(run({ ...table, client: { send } as never })).rejects.toThrow('The process is gone.');
    expect(await call()).toMatchObject({ status: 'running', attempts: 1 });
    expect(await call()).not.toHaveProperty('failedAttempts');
    fails = undefined;
    await run();
    expect((await call()).failedAttempts).toEqual([
      { attempt: 1, startedAt: now.toISOString(), error: expect.stringContaining('gave no answer') },
    ]);
  });

  test('an undo that fails says so, and the timeline has it beside the call', async () => {
    const { id, run, undo, call } = await given(charge);
    await run();
    const completedAt = now.toISOString();
    now = new Date(now.getTime() + 5_000);
    fails = () => new ToolFailed('The shop is closed.');
    await expect(undo()).rejects.toThrow('The shop is closed.');
    expect(await call()).toMatchObject({
      failedUndos: [{ attempt: 1, error: 'The shop is closed.', retryBy: at(1) }],
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
    expect(pauses).toEqual([at(2), at(4), at(8), at(64), at(120), undefined, at(2)]);
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
    ['connect postgres://u:pw@db', /^The platform failed \(Error\); the function's log says more\.$/],
  ])('of "%s" people read plain words', (errorMessage, words) => {
    expect(errorWords({ Error: 'Error', Cause: JSON.stringify({ errorMessage }) })).toMatch(words);
  });

  test('the words of an error of Vigil are told', () => {
    const Cause = JSON.stringify({ errorMessage: 'The shop answered 500.' });
    expect(errorWords({ Error: 'ToolFailed', Cause })).toBe('The shop answered 500.');
  });
});
