import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { fifthOf } from '../../../../test/support/long';
import { randomMachine } from '../../test/random-machines';
import type { Execution, Identity } from '../execution/execution';
import type { HistoryEvent } from '../execution/history';
import { type Effect, historyLimit } from '../execution/transition';
import type { JsonObject } from '../language/json';
import { driveAtOnce } from '../language/steps';
import { compileProgram } from '../states/compile';
import { nextAlarm } from './alarms';
import { applies, apply, type Input, start } from './apply';

const identity: Identity = {
  serial: 1,
  arn: 'arn:aws:states:us-east-1:123456789012:execution:m:e',
  name: 'e',
  stateMachineArn: 'arn:aws:states:us-east-1:123456789012:stateMachine:m',
  stateMachineName: 'm',
  roleArn: 'arn:aws:iam::123456789012:role/r',
  region: 'us-east-1',
  input: '{"items":[1,2,3]}',
  startTime: 1_700_000_000_000,
  seed: 'seed',
};

/** Asked of every event of every machine. `expect`, which tells more, is asked only where it has something to tell: it costs as much as the engine. */
function same(received: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(received, expected)) expect(received).toEqual(expected);
}

/** What the world may do next: the number chooses among what there is. */
interface Played {
  inputs: { input: Input; time: number }[];
  events: HistoryEvent[];
  execution: Execution;
}

/** Plays an execution against a world that decides at random, for so many moves at most. */
function play(definition: JsonObject, choices: number[]): Played {
  const events: HistoryEvent[] = [];
  const inputs: Played['inputs'] = [];
  const sink = (event: HistoryEvent) => events.push(event);
  const begun = driveAtOnce(start(compileProgram(definition), identity, sink));
  if (begun instanceof Promise) throw new Error('JSONPath does not wait');
  const { execution } = begun;
  const open = new Set<number>();
  const note = (effects: Effect[]) => {
    for (const effect of effects) {
      if (effect.kind === 'dispatch') open.add(effect.task);
      if (effect.kind === 'cancel') same(open.delete(effect.task), true);
      if (effect.kind === 'finished') expect(execution.outcome).toBe(effect.outcome);
    }
  };
  note(begun.effects);
  let time = identity.startTime;
  for (const choice of choices) {
    if (execution.outcome !== undefined) break;
    same([...open].sort(), [...execution.tasks.keys()].sort());
    const alarm = nextAlarm(execution);
    const input = nextInput(choice, [...execution.tasks.keys()], alarm !== undefined);
    // Nothing to wait for, and not at an end: the execution would be lost.
    same(input === undefined, false);
    time = input!.kind === 'alarm' ? Math.max(time, alarm!) : time + (choice % 7);
    same(applies(execution, input!), true);
    if (input!.kind === 'succeeded' || input!.kind === 'failed') open.delete(input!.task);
    inputs.push({ input: input!, time });
    note(driveAtOnce(apply(execution, input!, time, sink)) as Effect[]);
  }
  return { inputs, events, execution };
}

function nextInput(choice: number, tasks: number[], alarm: boolean): Input | undefined {
  const moves: (() => Input)[] = alarm ? [() => ({ kind: 'alarm' })] : [];
  const task = tasks[choice % Math.max(tasks.length, 1)];
  if (task !== undefined) {
    moves.push(
      () => ({ kind: 'succeeded', task, output: { r: choice } }),
      () => ({ kind: 'failed', task, error: 'Boom', cause: 'the service said no' }),
      () => ({ kind: 'heartbeat', task }),
    );
  }
  return moves[(choice >> 3) % Math.max(moves.length, 1)]?.();
}

/** As many machines as a few seconds allow. */
const bounded = { numRuns: fifthOf(100), interruptAfterTimeLimit: 2_000 };

const worlds = fc.array(fc.nat({ max: 1_000 }), { minLength: 1, maxLength: 60 });

describe('the interpreter, on any state machine and in any world', () => {
  test('numbers events without gaps, each after the one that it follows', () => {
    fc.assert(
      fc.property(randomMachine(), worlds, (machine, choices) => {
        const { events, execution } = play(machine, choices);
        same(
          events.map(({ id }) => id),
          events.map((_, i) => i + 1),
        );
        expect(events.every(({ id, previousEventId }) => previousEventId < id)).toBe(true);
        expect(events[0]!.type).toBe('ExecutionStarted');
        const ends = events.filter(({ type }) => /^Execution(Succeeded|Failed|TimedOut|Aborted)$/.test(type));
        expect(ends).toHaveLength(execution.outcome === undefined ? 0 : 1);
        if (ends.length > 0) expect(events.at(-1)).toBe(ends[0]);
        expect(events.length).toBeLessThanOrEqual(historyLimit);
      }),
      bounded,
    );
  });

  test('computes the same history whenever it is given the same happenings', () => {
    fc.assert(
      fc.property(randomMachine(), worlds, (machine, choices) => {
        const first = play(machine, choices);
        const again: HistoryEvent[] = [];
        const begun = driveAtOnce(start(compileProgram(machine), identity, (event) => again.push(event))) as {
          execution: Execution;
        };
        for (const { input, time } of first.inputs)
          driveAtOnce(apply(begun.execution, input, time, (event) => again.push(event)));
        same(again, first.events);
        expect(begun.execution.outcome).toEqual(first.execution.outcome);
        expect(nextAlarm(begun.execution)).toBe(nextAlarm(first.execution));
      }),
      bounded,
    );
  });

  test('leaves each state at most as often as it has entered it, and never one that it has not', () => {
    fc.assert(
      fc.property(randomMachine(), worlds, (machine, choices) => {
        const inside = new Map<string, number>();
        for (const { type, details } of play(machine, choices).events) {
          const name = String(details?.name);
          if (type.endsWith('StateEntered')) inside.set(name, (inside.get(name) ?? 0) + 1);
          if (type.endsWith('StateExited')) {
            inside.set(name, (inside.get(name) ?? 0) - 1);
            same(inside.get(name)! >= 0, true);
          }
        }
      }),
      bounded,
    );
  });

  test('after its end nothing happens to it any more', () => {
    fc.assert(
      fc.property(randomMachine(), worlds, (machine, choices) => {
        const { execution } = play(machine, [...choices, 0]);
        if (execution.outcome === undefined) driveAtOnce(apply(execution, { kind: 'stop' }, execution.time));
        expect(execution.tasks.size).toBe(0);
        expect(nextAlarm(execution)).toBeUndefined();
        expect(applies(execution, { kind: 'alarm' })).toBe(false);
        expect(applies(execution, { kind: 'succeeded', task: 1, output: null })).toBe(false);
      }),
      bounded,
    );
  });
});

test('an endless loop ends at the limit of the history', () => {
  const loop = { StartAt: 'A', States: { A: { Type: 'Pass', Next: 'A' } } };
  const { events, execution } = play(loop, []);
  expect(events).toHaveLength(historyLimit);
  expect(execution.outcome).toMatchObject({
    status: 'FAILED',
    error: 'States.Runtime',
    cause: expect.stringContaining('25000'),
  });
});
