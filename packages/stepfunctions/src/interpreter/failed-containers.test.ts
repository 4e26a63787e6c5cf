import type { JsonObject } from '../language/json';
import { drive } from '../language/steps';
import { compileProgram } from '../states/compile';
import { start } from './apply';
import { branch, echo, history, identity } from './histories-fixture';

/** What is told after a state, in JSONata and with nothing to wait for. */
async function told(state: JsonObject, from: number): Promise<string[]> {
  const lines: string[] = [];
  const program = compileProgram({
    StartAt: 'S',
    QueryLanguage: 'JSONata',
    States: { S: state, Done: { Type: 'Pass', End: true } },
  });
  await drive(
    start(program, identity, ({ id, previousEventId, type }) => lines.push(`${id}<${previousEventId} ${type}`)),
  );
  return lines.slice(from);
}
const boom = branch('Boom', { Type: 'Fail', Error: 'MyError' });

test('a state whose catcher fails has failed twice, the second time from before the first', async () => {
  const Catch = [{ ErrorEquals: ['States.ALL'], Output: '{% $nope %}', Next: 'Done' }];
  expect(await told({ Type: 'Parallel', Branches: [boom], Catch, End: true }, 3)).toEqual([
    '4<3 FailStateEntered',
    '5<4 ParallelStateFailed',
    '6<4 EvaluationFailed',
    '7<6 ParallelStateFailed',
    '8<7 ExecutionFailed',
  ]);
});

test('a state whose output cannot be made has failed, after it had succeeded', async () => {
  const fine = branch('Fine', { Type: 'Pass', End: true });
  expect(await told({ Type: 'Parallel', Branches: [fine], Output: '{% $nope %}', End: true }, 5)).toEqual([
    '6<5 ParallelStateSucceeded',
    '7<5 EvaluationFailed',
    '8<7 ParallelStateFailed',
    '9<8 ExecutionFailed',
  ]);
});

test('an item that cannot be selected aborts the iterations that have begun', async () => {
  const ItemProcessor = branch('Long', { Type: 'Wait', Seconds: 20, End: true });
  const ItemSelector = '{% $states.context.Map.Item.Index = 0 ? 1 : $nope %}';
  const map = { Type: 'Map', Items: [1, 2], ItemSelector, ItemProcessor, End: true };
  expect((await told(map, 2)).map((line) => line.split(' ')[1])).toEqual([
    'MapStateStarted',
    'MapIterationStarted',
    'EvaluationFailed',
    'MapIterationAborted',
    'MapStateFailed',
    'ExecutionFailed',
  ]);
});

test('the failure of one iteration aborts the others, each with the state that it is in', () => {
  const processor = {
    StartAt: 'Route',
    States: {
      Route: { Type: 'Choice', Choices: [{ Variable: '$', NumericEquals: 1, Next: 'Call' }], Default: 'Sleep' },
      Call: { Type: 'Task', Resource: echo, Next: 'Boom' },
      Boom: { Type: 'Fail', Error: 'MyError' },
      Sleep: { Type: 'Wait', Seconds: 60, End: true },
    },
  };
  const { lines } = history(
    { M: { Type: 'Map', ItemsPath: '$.list', ItemProcessor: processor, End: true } },
    { kind: 'succeeded', task: 1, output: 1 },
  );
  const failed = Number(lines.find((line) => line.endsWith('FailStateEntered Boom'))!.split('<')[0]);
  expect(lines.slice(failed)).toEqual([
    `${failed + 1}<${failed} MapIterationFailed M`,
    `${failed + 2}<${failed} MapIterationAborted M`,
    `${failed + 3}<${failed} WaitStateAborted`,
    `${failed + 4}<${failed} MapStateFailed`,
    `${failed + 5}<${failed + 4} ExecutionFailed`,
  ]);
});

test('the run of a distributed map is aborted with its state', () => {
  const processor = {
    ...branch('Call', { Type: 'Task', Resource: echo, End: true }),
    ProcessorConfig: { Mode: 'DISTRIBUTED' },
  };
  const { lines, execution } = history(
    {
      P: {
        Type: 'Parallel',
        Branches: [
          branch('M', { Type: 'Map', ItemsPath: '$.list', ItemProcessor: processor, End: true }),
          branch('T', {
            Type: 'Task',
            Resource: echo,
            Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Boom' }],
            Next: 'Boom',
          }),
        ].map((each) => ({
          ...each,
          States: { ...(each.States as JsonObject), Boom: { Type: 'Fail', Error: 'MyError' } },
        })),
        End: true,
      },
    },
    { kind: 'failed', task: 1, error: 'E' },
  );
  expect(lines.slice(-5).map((line) => line.split(' ')[1])).toEqual([
    'FailStateEntered',
    'MapRunAborted',
    'MapStateAborted',
    'ParallelStateFailed',
    'ExecutionFailed',
  ]);
  expect(execution.mapRuns[0]!.status).toBe('ABORTED');
});
