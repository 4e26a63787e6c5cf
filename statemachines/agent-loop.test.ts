import { shipped } from '../agents';
import { LoopInput } from '../core/base/state/loop-state';
import type { Tool } from '../core/conversations/agent/tool';
import { maxCallsKept } from '../core/conversations/decisions/decide';
import { callModelAttempts, eventsOfStep, segmentEventBudget } from '../core/conversations/decisions/route';
import type { StoredCall } from '../core/conversations/rows/rows';
import { testTool } from '../test/support/tables/steps';
import { agentLoop } from './agent-loop';
import { grace } from './call-states';
import { functionId } from './function-id';
import type { State, TaskState } from './states';

const shippedTools = [...shipped.tools.values()];

const toolNumber = (number: number): Tool => testTool(`tool_${number}`);

describe.each([
  ['the shipped tools', shippedTools],
  ['no tools', []],
  ['30 tools', Array.from({ length: 30 }, (_, number) => toolNumber(number))],
])('with %s', (_, tools) => {
  const definition = agentLoop(tools);
  const states = everyState(definition.States);

  test('each function tool has its state, with its own timeout and retry, in the loop and in the Map', () => {
    for (const tool of tools) {
      if (tool.kind !== 'function') continue;
      const served = states.filter(([name]) => name === tool.name || name === `${tool.name} (parallel)`);
      expect(served).toHaveLength(2);
      for (const [, state] of served) {
        expect(state).toMatchObject(
          tool.isolated
            ? {
                Parameters: { FunctionName: '${RunIsolated}', Payload: { tool: tool.name } },
                TimeoutSeconds: tool.timeoutSeconds + 30 + grace,
              }
            : {
                Parameters: { FunctionName: `\${${functionId(tool.name)}}` },
                TimeoutSeconds: tool.timeoutSeconds + grace,
              },
        );
        const { maxAttempts: MaxAttempts, intervalSeconds: IntervalSeconds } = tool.retry;
        expect((state as TaskState).Retry.at(-1)).toMatchObject({ MaxAttempts, IntervalSeconds });
      }
    }
  });
});

describe('the transition budget', () => {
  const tools = Array.from({ length: 16 }, (_, number) => toolNumber(number));

  test.each([
    ['one tool call', { next: 'tool:tool_3' }, 3],
    ['a wait', { next: 'wait' }, 3],
    ['a callback', { next: 'callback' }, 3],
    ['the last step', { next: 'done' }, 3],
    ['the hand-over to the next segment', { next: 'continue' }, 4],
    ['two calls at once', { next: 'many', calls: ['tool:tool_1', 'callback'] }, 3 + 2 * 2],
    ['sixteen calls at once', { next: 'many', calls: tools.map(({ name }) => `tool:${name}`) }, 3 + 2 * 16],
  ])('%s', (_, answer, expected) => {
    expect(transitionsOfStep(agentLoop(tools).States, answer)).toBe(expected);
  });
});

describe('what comes back to CallModel', () => {
  const { States } = agentLoop(shippedTools);
  const inMap = States.RunTools?.Type === 'Map' ? States.RunTools.ItemProcessor.States : {};

  test('is core’s LoopInput, after one call and after several', () => {
    const at = { conversationId: 'c', runId: 'r', segment: 1, step: 2 };
    const error = { Error: 'ToolFailed', Cause: 'no' };
    const call = { next: 'tool:reminder', callId: 'r.2.0' };
    const one = { ...at, next: 'tool:reminder', call, error };
    const many = { ...at, next: 'many', calls: [call, { ...call, error }] };
    expect(LoopInput.parse(one)).toEqual(one);
    expect(LoopInput.parse(many)).toEqual(many);
  });

  test('is the payload of CallModel, because every state drops its own result', () => {
    expect(States.reminder).toMatchObject({ ResultPath: null, Next: 'CallModel' });
    expect(States.AwaitCallback).toMatchObject({ ResultPath: null, Next: 'CallModel' });
  });

  test('has the call alone for each parallel call', () => {
    const ends = Object.values(inMap).filter((state) => state.Type === 'Succeed' || ('End' in state && state.End));
    expect(ends.length).toBeGreaterThan(4);
    for (const end of ends) expect(end).toMatchObject({ OutputPath: '$.call' });
  });
});

test('the Map has no Wait state, because no message could wake it', () => {
  const { RunTools } = agentLoop(shippedTools).States;
  const inside = RunTools?.Type === 'Map' ? RunTools.ItemProcessor.States : {};
  expect(Object.keys(inside)).toContain('Route (parallel)');
  expect(Object.values(inside).filter(({ Type }) => Type === 'Wait')).toEqual([]);
});

describe('when CallModel gives up', () => {
  const { CallModel, NoSuchRoute, Settle, Failed } = agentLoop(shippedTools).States as Record<string, TaskState>;

  test('Settle is invoked before the execution fails, also when Route matches no rule', () => {
    expect(CallModel?.Catch).toEqual([expect.objectContaining({ ResultPath: '$.error', Next: 'Settle' })]);
    expect(NoSuchRoute).toMatchObject({ Type: 'Pass', ResultPath: '$.error', Next: 'Settle' });
    expect(Settle).toMatchObject({ Parameters: { FunctionName: '${Settle}' }, ResultPath: '$.error', Next: 'Failed' });
  });

  test('the execution fails with that error, even if Settle does not answer', () => {
    expect(Settle?.Catch).toEqual([expect.objectContaining({ ResultPath: '$.unsettled', Next: 'Failed' })]);
    expect(Failed).toMatchObject({ Type: 'Fail', ErrorPath: '$.error.Error', CausePath: '$.error.Cause' });
  });

  test('it has been tried as often as core’s estimate of the history assumes', () => {
    expect(attemptsOf(CallModel!)).toBe(callModelAttempts);
  });
});

describe('without capacity', () => {
  const definition = agentLoop(shippedTools);
  const tasks = everyState(definition.States).filter((entry): entry is [string, TaskState] => {
    const [, state] = entry;
    return state.Type === 'Task' && state.Resource.includes('lambda:invoke');
  });

  test('every state waits for hours, at a growing and jittered distance, and the attempts of its tool are not used up (R168)', () => {
    expect(tasks.length).toBeGreaterThan(2 * shippedTools.filter(({ kind }) => kind === 'function').length);
    for (const [, { Retry }] of tasks) {
      const at = Retry.findIndex(({ ErrorEquals }) => ErrorEquals.includes('Lambda.TooManyRequestsException'));
      const all = Retry.findIndex(({ ErrorEquals }) => ErrorEquals.includes('States.TaskFailed'));
      expect(at).toBeGreaterThanOrEqual(0);
      expect(at).toBeLessThan(all);
      expect(Retry[at]).toMatchObject({
        ErrorEquals: expect.arrayContaining(['Throttled', 'ConversationBusy']),
        JitterStrategy: 'FULL',
      });
      const { MaxAttempts, IntervalSeconds, BackoffRate, MaxDelaySeconds } = Retry[at]!;
      const pauses = Array.from({ length: MaxAttempts }, (_, used) =>
        Math.min(IntervalSeconds! * BackoffRate! ** used, MaxDelaySeconds!),
      );
      // Full jitter halves them on average.
      expect(pauses.reduce((sum, pause) => sum + pause) / 2).toBeGreaterThan(4 * 3_600);
      expect(pauses[0]).toBeLessThanOrEqual(2);
    }
  });

  test('a segment and the largest step after it stay below 25,000 events, even if every attempt is used (R107, R168)', () => {
    const busiest = testTool('busiest', {
      retry: { maxAttempts: 20, intervalSeconds: 1, backoffRate: 2, maxDelaySeconds: 60 },
    });
    const asking = { status: 'waiting', callbackId: 'a', tool: 'busiest' } as StoredCall;
    const worst = eventsOfStep(Array<StoredCall>(maxCallsKept).fill(asking), [busiest]);
    const settle = 2 + 3 * attemptsOf(definition.States.Settle as TaskState);
    expect(segmentEventBudget + worst + settle).toBeLessThan(25_000);
    const { busiest: state, AwaitCallback } = agentLoop([busiest]).States as Record<string, TaskState>;
    // What the estimate says of one call: the question, and the tool's own attempts.
    const one = eventsOfStep([asking], [busiest]) - eventsOfStep([], []);
    expect(one).toBeGreaterThanOrEqual(3 * attemptsOf(state!) + 2);
    expect(eventsOfStep([], [])).toBeGreaterThanOrEqual(3 * (attemptsOf(AwaitCallback!) + callModelAttempts));
  });
});

/** The first attempt and all retries. */
const attemptsOf = ({ Retry }: TaskState): number => Retry.reduce((sum, { MaxAttempts }) => sum + MaxAttempts, 1);

test('permanent errors are not retried', () => {
  const { CallModel, reminder } = agentLoop(shippedTools).States as Record<string, TaskState>;
  expect(CallModel?.Retry[0]).toEqual({
    ErrorEquals: expect.arrayContaining(['ModelRejected', 'ConfigurationError']),
    MaxAttempts: 0,
  });
  expect(reminder?.Retry[0]).toEqual({ ErrorEquals: expect.arrayContaining(['ToolTerminal']), MaxAttempts: 0 });
});

function everyState(states: Record<string, State>): [string, State][] {
  return Object.entries(states).flatMap(([name, state]): [string, State][] => [
    [name, state],
    ...(state.Type === 'Map' ? everyState(state.ItemProcessor.States) : []),
  ]);
}

/**
 * Walks the definition from CallModel's answer until CallModel is next or the execution ends.
 *
 * @returns the number of states entered.
 */
function transitionsOfStep(
  states: Record<string, State>,
  { next, calls = [] }: { next: string; calls?: string[] },
): number {
  let count = 1;
  let at: string | undefined = 'Route';
  while (at && at !== 'CallModel') {
    const state: State | undefined = states[at];
    if (!state) throw new Error(`There is no state ${at}.`);
    count += 1;
    if (state.Type === 'Map') {
      const { StartAt, States } = state.ItemProcessor;
      for (const call of calls) count += path(States, StartAt, call).length;
    }
    at = follow(state, next);
  }
  return count;
}

function path(states: Record<string, State>, from: string, next: string): string[] {
  const to = follow(states[from] as State, next);
  return to ? [from, ...path(states, to, next)] : [from];
}

function follow(state: State, next: string): string | undefined {
  if (state.Type !== 'Choice') return 'Next' in state ? state.Next : undefined;
  return state.Choices.find(({ StringEquals }) => StringEquals === next)?.Next ?? state.Default;
}
