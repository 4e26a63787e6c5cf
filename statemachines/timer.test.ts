import aslValidator from 'asl-validator';
import { shipped } from '../agents';
import { RollbackInput } from '../core/base/state/rollback-state';
import { TimerInput } from '../core/base/state/timer-state';
import { firingsPerExecution } from '../core/machines/timers/fire-timer';
import { notice } from '../modules/notices/machine';
import { testTool } from '../test/support/tables/steps';
import { agentLoop } from './agent-loop';
import { functionId } from './function-id';
import { rollback } from './rollback';
import type { ChoiceState, State, StateMachineDefinition, TaskState } from './states';
import { timer } from './timer';

// All machines pass the same checks. `agent-loop.test.ts` has what the loop alone promises.

const undoable = (number: number) =>
  testTool(`undoable_${number}`, { effect: 'idempotent', compensate: async () => undefined });
const many = Array.from({ length: 30 }, (_, number) => undoable(number));

/** The states, with those inside of others. */
const withInner = (states: Record<string, State>): [string, State][] =>
  Object.entries(states).flatMap(([name, state]): [string, State][] => [
    [name, state],
    ...(state.Type === 'Map' ? withInner(state.ItemProcessor.States) : []),
  ]);

describe.each<[string, StateMachineDefinition]>([
  ['the loop of the shipped tools', agentLoop([...shipped.tools.values()])],
  ['the loop of no tools', agentLoop([])],
  ['the loop of 30 tools', agentLoop(many)],
  ['the timer', timer],
  ['the notice', notice],
  ['the rollback of the shipped tools', rollback([...shipped.tools.values()])],
  ['the rollback of no tools', rollback([])],
  ['the rollback of 30 tools', rollback(many)],
])('%s', (_, definition) => {
  const states = withInner(definition.States);
  const tasks = states.filter((entry): entry is [string, TaskState] => entry[1].Type === 'Task');

  test('passes asl-validator', () => {
    const deployed = JSON.stringify(definition).replaceAll('${Partition}', 'aws');
    const { isValid, errorsText } = aslValidator(JSON.parse(deployed));
    expect(isValid ? '' : errorsText('\n')).toBe('');
  });

  test('has a comment on every state, and names that occur once and fit into 80 characters', () => {
    expect(new Set(states.map(([name]) => name)).size).toBe(states.length);
    for (const [name, { Comment }] of states) {
      expect(Comment.length).toBeGreaterThan(10);
      expect(name.length).toBeLessThanOrEqual(80);
    }
  });

  test('has a timeout, retriers and a catcher with a comment on each Task', () => {
    expect(tasks.length).toBeGreaterThan(0);
    for (const [, task] of tasks) {
      expect(task.TimeoutSecondsPath ?? task.TimeoutSeconds).not.toBeFalsy();
      expect(task.Retry.length).toBeGreaterThan(0);
      expect(task.Catch).toEqual([
        expect.objectContaining({ ErrorEquals: ['States.ALL'], Comment: expect.any(String) }),
      ]);
    }
  });

  test('can reach every state, and no state that does not exist', () => {
    const next = (name: string): string[] => {
      const state = Object.fromEntries(states)[name]!;
      const inner = state.Type === 'Map' ? [state.ItemProcessor.StartAt] : [];
      const choices = state.Type === 'Choice' ? [...state.Choices.map(({ Next }) => Next), state.Default] : [];
      const caught = state.Type === 'Task' ? (state.Catch ?? []).map(({ Next }) => Next) : [];
      return [...inner, ...choices, ...caught, ...('Next' in state && state.Next ? [state.Next] : [])];
    };
    const reached = new Set([definition.StartAt]);
    for (const name of reached) for (const other of next(name)) reached.add(other);
    expect([...reached].sort()).toEqual(states.map(([name]) => name).sort());
  });
});

describe('the timer', () => {
  const { WaitUntilDue, FireTimer, RouteTimer, ContinueAsNew } = timer.States as Record<string, TaskState>;

  test('fires in three transitions', () => {
    expect([timer.StartAt, WaitUntilDue?.Next, FireTimer?.Next]).toEqual(['WaitUntilDue', 'FireTimer', 'RouteTimer']);
    expect(
      (RouteTimer as unknown as ChoiceState).Choices.map(({ StringEquals, Next }) => [StringEquals, Next]),
    ).toEqual([
      ['wait', 'WaitUntilDue'],
      ['continue', 'ContinueAsNew'],
    ]);
  });

  test('hands over long before 25,000 events, even if every attempt fails', () => {
    const attempts = 1 + FireTimer!.Retry.reduce((sum, { MaxAttempts }) => sum + MaxAttempts, 0);
    // Three states, each entered and exited, plus scheduled, started and failed for each attempt.
    const eventsOfFiring = 3 * 2 + 3 * attempts;
    expect(firingsPerExecution * eventsOfFiring).toBeLessThan(20_000);
  });

  test('gives the next execution the same input fields: ids and a time', () => {
    const { Input } = ContinueAsNew!.Parameters as { Input: object };
    expect(Object.keys(Input).map((field) => field.replace('.$', ''))).toEqual(Object.keys(TimerInput.shape));
  });
});

describe('the rollback', () => {
  const { States } = rollback(many) as { States: Record<string, TaskState> };

  test('has a state for each tool that can be undone, and none for the others', () => {
    const undoing = Object.keys(States).filter((name) => name.startsWith('Undo '));
    expect(undoing).toEqual(many.map(({ name }) => `Undo ${name}`));
    expect(States['Undo undoable_3']).toMatchObject({
      Parameters: { FunctionName: `\${${functionId('undoable_3')}}`, Payload: { undo: true } },
      Next: 'NextUndo',
    });
  });

  test('continues with the other calls when one cannot be undone', () => {
    for (const name of Object.keys(States).filter((one) => one.startsWith('Undo ')))
      expect(States[name]!.Catch).toEqual([expect.objectContaining({ ResultPath: '$.error', Next: 'NextUndo' })]);
  });

  test('gives the next execution the same input fields', () => {
    const { Input } = States.ContinueAsNew!.Parameters as { Input: object };
    const fields = Object.keys(Input).map((field) => field.replace('.$', ''));
    expect(
      RollbackInput.safeParse(Object.fromEntries(fields.map((field) => [field, field === 'segment' ? 1 : 'x']))),
    ).toMatchObject({ success: true });
  });
});
