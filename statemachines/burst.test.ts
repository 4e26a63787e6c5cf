import aslValidator from 'asl-validator';
import { shipped } from '../agents';
import { throttledErrors } from '../core/base/state/failed-attempts';
import { burstSeconds } from '../core/machines/loop/burst';
import { agentLoop } from './agent-loop';
import { agentBurst } from './burst';
import type { JsonataTaskState, State, TaskState } from './states';

const tools = [...shipped.tools.values()];
const loop = agentLoop(tools, 'express');
const burst = agentBurst(tools);

const everyState = (states: Record<string, State>): [string, State][] =>
  Object.entries(states).flatMap(([name, state]): [string, State][] => [
    [name, state],
    ...(state.Type === 'Map' ? everyState(state.ItemProcessor.States) : []),
  ]);

test.each([
  ['the Standard loop', loop],
  ['the burst', burst],
])('asl-validator reports no problem in %s, and each name occurs once', (_, definition) => {
  const { isValid, errorsText } = aslValidator(definition);
  expect(isValid ? '' : errorsText('\n')).toBe('');
  const names = everyState(definition.States).map(([name]) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('a burst has the tools of the loop and nothing that waits (R182)', () => {
  const names = (states: Record<string, State>) => everyState(states).map(([name]) => name);
  const served = tools.filter(({ kind }) => kind === 'function').flatMap(({ name }) => [name, `${name} (parallel)`]);
  expect(names(burst.States)).toEqual(expect.arrayContaining(served));
  for (const [, state] of everyState(burst.States)) {
    expect(state.Type).not.toBe('Wait');
    if (state.Type === 'Task') expect(state.Resource).toBe('arn:aws:states:::lambda:invoke');
  }
  expect(burst).toMatchObject({ TimeoutSeconds: burstSeconds, StartAt: 'CallModel' });
});

test('in a burst, no state waits long for capacity, and a tool keeps its own retries (R182)', () => {
  for (const [name, state] of everyState(burst.States)) {
    if (state.Type !== 'Task' || name === 'Settle') continue;
    const throttled = state.Retry!.filter(({ ErrorEquals }) =>
      throttledErrors.some((one) => ErrorEquals.includes(one)),
    );
    expect(throttled).toHaveLength(1);
    expect(throttled[0]).toMatchObject({ MaxAttempts: 2, IntervalSeconds: 1 });
    const alone = loop.States[name] as TaskState | undefined;
    if (alone && name !== 'CallModel') expect(state.Retry!.at(-1)).toEqual(alone.Retry.at(-1));
  }
});

test('whatever becomes of a burst, the Standard execution goes on with CallModel, and starts no second burst beside it (R182)', () => {
  const { Burst, AwaitBurst } = loop.States as Record<string, JsonataTaskState>;
  const [ended, lost] = Burst!.Catch;
  expect(ended).toMatchObject({ Next: 'CallModel', ErrorEquals: ['States.QueryEvaluationError'] });
  expect(lost).toMatchObject({ ErrorEquals: ['States.ALL'], Next: 'AwaitBurst' });
  expect(AwaitBurst).toMatchObject({ Type: 'Wait', SecondsPath: '$.wait', Next: 'CallModel' });
  expect(Burst!.TimeoutSeconds).toBeGreaterThan(burstSeconds);
  expect(Burst!.Retry).toBeUndefined();
});

test('a burst that ends the run is the only transition, and each wait costs three more (R183)', () => {
  const { Burst, Sleep, AwaitCallback, RunTools, reminder, NoSuchTool } = loop.States as Record<string, TaskState>;
  expect([loop.StartAt, Burst!.End]).toEqual(['Burst', true]);
  for (const state of [Sleep, AwaitCallback, RunTools, reminder, NoSuchTool]) expect(state!.Next).toBe('Burst');
});
