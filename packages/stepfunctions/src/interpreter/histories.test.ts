import type { JsonObject } from '../language/json';
import { drive, driveAtOnce } from '../language/steps';
import { compileProgram } from '../states/compile';
import { apply, type Input, start } from './apply';
import { branch, echo, history, identity } from './histories-fixture';

test('a task that is retried is scheduled again, without being entered again', () => {
  const Retry = [{ ErrorEquals: ['Boom'], IntervalSeconds: 2, MaxAttempts: 1 }];
  const { lines, execution } = history(
    { T: { Type: 'Task', Resource: echo, Retry, End: true } },
    { kind: 'failed', task: 1, error: 'Boom' },
    { kind: 'alarm' },
    { kind: 'failed', task: 2, error: 'Boom', cause: 'again' },
  );
  expect(lines).toEqual([
    '1<0 ExecutionStarted',
    '2<0 TaskStateEntered T',
    '3<2 LambdaFunctionScheduled',
    '4<3 LambdaFunctionStarted',
    '5<4 LambdaFunctionFailed',
    '6<5 LambdaFunctionScheduled',
    '7<6 LambdaFunctionStarted',
    '8<7 LambdaFunctionFailed',
    '9<8 ExecutionFailed',
  ]);
  expect(execution.outcome).toMatchObject({
    status: 'FAILED',
    error: 'Boom',
    cause: 'again',
    time: identity.startTime + 2_002,
  });
});

test('a branch that fails aborts its siblings, and the catcher goes on', () => {
  const { lines } = history(
    {
      P: {
        Type: 'Parallel',
        Branches: [
          branch('Fails', { Type: 'Task', Resource: echo, End: true }),
          branch('Sleeps', { Type: 'Wait', Seconds: 60, End: true }),
        ],
        Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Caught' }],
        End: true,
      },
      Caught: { Type: 'Pass', End: true },
    },
    { kind: 'failed', task: 1, error: 'Boom' },
  );
  expect(lines.slice(3)).toEqual([
    '4<3 TaskStateEntered Fails',
    '5<4 LambdaFunctionScheduled',
    '6<5 LambdaFunctionStarted',
    '7<3 WaitStateEntered Sleeps',
    '8<6 LambdaFunctionFailed',
    '9<8 WaitStateAborted',
    '10<8 TaskStateAborted',
    '11<8 ParallelStateFailed',
    '12<11 ParallelStateExited P',
    '13<12 PassStateEntered Caught',
    '14<13 PassStateExited Caught',
    '15<14 ExecutionSucceeded',
  ]);
});

test('a runtime error inside a branch fails the execution at once, whatever stands around it', () => {
  const broken = branch('Broken', { Type: 'Pass', Parameters: { 'm.$': '$.nope' }, End: true });
  const { lines, execution } = history({
    P: { Type: 'Parallel', Branches: [broken], Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Done' }], Next: 'Done' },
    Done: { Type: 'Succeed' },
  });
  expect(lines.slice(1)).toEqual([
    '2<0 ParallelStateEntered P',
    '3<2 ParallelStateStarted',
    '4<3 PassStateEntered Broken',
    '5<4 ExecutionFailed',
  ]);
  expect(execution.outcome).toMatchObject({
    error: 'States.Runtime',
    cause: `An error occurred while executing the state 'Broken' (entered at the event id #4). The JSONPath '$.nope' specified for the field 'm.$' could not be found in the input '{"list":[1,2],"x":1}'`,
  });
});

test('a choice without a match fails the execution', () => {
  const { execution } = history({
    C: { Type: 'Choice', Choices: [{ Variable: '$.x', NumericEquals: 2, Next: 'D' }] },
    D: { Type: 'Succeed' },
  });
  expect(execution.outcome).toMatchObject({
    error: 'States.Runtime',
    cause: expect.stringContaining('Failed to transition out of the state'),
  });
});

test('a missed heartbeat times the task out, and can be caught by its own name', () => {
  const { lines, execution } = history(
    {
      T: {
        Type: 'Task',
        Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
        Parameters: { FunctionName: 'f' },
        TimeoutSeconds: 60,
        HeartbeatSeconds: 10,
        Catch: [{ ErrorEquals: ['States.HeartbeatTimeout'], Next: 'Late' }],
        End: true,
      },
      Late: { Type: 'Pass', End: true },
    },
    { kind: 'heartbeat', task: 1 },
    { kind: 'alarm' },
  );
  expect(lines.slice(4)).toEqual([
    '5<4 TaskTimedOut',
    '6<5 TaskStateExited T',
    '7<6 PassStateEntered Late',
    '8<7 PassStateExited Late',
    '9<8 ExecutionSucceeded',
  ]);
  expect(execution.outcome!.time).toBe(identity.startTime + 10_001);
});

test.each([
  ['JSONPath', { TimeoutSecondsPath: '$.x' }, 'States.Runtime'],
  ['JSONata', { HeartbeatSeconds: '{% 0 %}' }, 'States.QueryEvaluationError'],
])('a task whose time is not positive fails before it is scheduled, in %s', async (QueryLanguage, fields, error) => {
  const States = { T: { Type: 'Task', Resource: echo, ...fields, End: true } };
  const program = compileProgram({ StartAt: 'T', QueryLanguage, States });
  const { execution } = await drive(start(program, { ...identity, input: '{"x":0}' }));
  expect(execution.outcome).toMatchObject({ error, cause: expect.stringContaining('must be a positive integer') });
});

describe('a redrive', () => {
  const task = { Type: 'Task', Resource: echo, End: true };
  const lines = (states: JsonObject, ...inputs: Input[]) => {
    const { lines: all, execution } = history(states, ...inputs, { kind: 'redrive' });
    return { after: all.slice(all.findIndex((line) => line.includes('ExecutionRedriven')) + 1), execution };
  };

  test('goes on from the state that failed', () => {
    const { after } = lines({ A: { Type: 'Pass', Next: 'T' }, T: task }, { kind: 'failed', task: 1, error: 'Boom' });
    expect(after.map((line) => line.split(' ').slice(1).join(' '))).toEqual([
      'TaskStateEntered T',
      'LambdaFunctionScheduled',
      'LambdaFunctionStarted',
    ]);
  });

  test('of a Parallel state has the results of the branches that had succeeded', () => {
    const Branches = [branch('Fine', task), branch('Broken', { ...task, InputPath: '$.x' }), branch('Slow', task)];
    const { after, execution } = lines(
      { P: { Type: 'Parallel', Branches, End: true } },
      { kind: 'succeeded', task: 1, output: 'fine' },
      { kind: 'failed', task: 2, error: 'Boom' },
    );
    expect(after.filter((line) => /Entered/.test(line)).map((line) => line.split(' ')[2])).toEqual(['Broken', 'Slow']);
    for (const [n, output] of [
      [4, 'again'],
      [5, 'at last'],
    ] as const)
      driveAtOnce(apply(execution, { kind: 'succeeded', task: n, output }, execution.time + 1));
    expect(execution.outcome).toMatchObject({ status: 'SUCCEEDED', output: '["fine","again","at last"]' });
  });

  test('of a Map state inside another goes on where each iteration was', () => {
    const inner = { Type: 'Map', ItemsPath: '$$.Execution.Input.list', ItemProcessor: branch('T', task), End: true };
    const outer = { Type: 'Map', ItemsPath: '$.list', MaxConcurrency: 1, ItemProcessor: branch('M', inner), End: true };
    const { after, execution } = lines(
      { O: outer },
      { kind: 'succeeded', task: 1, output: 'a' },
      { kind: 'failed', task: 2, error: 'Boom' },
    );
    expect(after.filter((line) => /Entered|IterationStarted/.test(line))).toEqual([
      expect.stringContaining('TaskStateEntered T'),
    ]);
    for (const n of [3, 4, 5])
      driveAtOnce(apply(execution, { kind: 'succeeded', task: n, output: n }, execution.time + 1));
    expect(execution.outcome).toMatchObject({ status: 'SUCCEEDED', output: '[["a",3],[4,5]]' });
  });

  test('after a runtime error inside keeps what lies outside', () => {
    const Branches = [
      branch('Fine', task),
      branch('Bad', { Type: 'Pass', Parameters: { 'm.$': '$.nope' }, End: true }),
    ];
    const { after } = lines({ P: { Type: 'Parallel', Branches, End: true } });
    expect(after.filter((line) => /Entered/.test(line)).map((line) => line.split(' ')[2])).toEqual(['Fine', 'Bad']);
  });
});
