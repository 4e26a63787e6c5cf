import type { JsonObject } from '../language/json';
import { drive } from '../language/steps';
import { compileProgram } from '../states/compile';
import { nextAlarm } from './alarms';
import { apply, type Input, start } from './apply';
import type { Execution, Identity } from './execution';
import type { HistoryEvent } from './history';

const identity: Identity = {
  serial: 1,
  arn: 'arn:aws:states:us-east-1:123456789012:execution:m:e',
  name: 'e',
  stateMachineArn: 'arn:aws:states:us-east-1:123456789012:stateMachine:m',
  stateMachineName: 'm',
  roleArn: 'role',
  region: 'us-east-1',
  input: '{"list":[1,2],"x":1}',
  startTime: 1_700_000_000_000,
  seed: 'seed',
};
const echo = 'arn:aws:lambda:us-east-1:123456789012:function:echo';

/** Lets the inputs happen one after another; `alarm` rings at its own time. */
function history(
  states: JsonObject,
  ...inputs: Input[]
): { lines: string[]; execution: Execution; events: HistoryEvent[] } {
  const events: HistoryEvent[] = [];
  const sink = (event: HistoryEvent) => events.push(event);
  const program = compileProgram({ StartAt: Object.keys(states)[0]!, States: states });
  const { execution } = drive(start(program, identity, sink)) as { execution: Execution };
  for (const input of inputs) {
    const time = input.kind === 'alarm' ? nextAlarm(execution)! : execution.time + 1;
    drive(apply(execution, input, time, sink));
  }
  const name = ({ details }: HistoryEvent) => (details?.name === undefined ? '' : ` ${details.name}`);
  return {
    events,
    execution,
    lines: events.map((event) => `${event.id}<${event.previousEventId} ${event.type}${name(event)}`),
  };
}

const branch = (name: string, state: JsonObject): JsonObject => ({ StartAt: name, States: { [name]: state } });

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
    '10<8 ParallelStateFailed',
    '11<10 ParallelStateExited P',
    '12<11 PassStateEntered Caught',
    '13<12 PassStateExited Caught',
    '14<13 ExecutionSucceeded',
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

test('a map begins as many iterations as it may, and keeps the order of its results', () => {
  const { lines, execution } = history(
    {
      M: {
        Type: 'Map',
        ItemsPath: '$.list',
        MaxConcurrency: 1,
        ItemProcessor: branch('T', { Type: 'Task', Resource: echo, End: true }),
        End: true,
      },
    },
    { kind: 'succeeded', task: 1, output: 'one' },
    { kind: 'succeeded', task: 2, output: 'two' },
  );
  expect(lines.filter((line) => /Map/.test(line))).toEqual([
    '2<0 MapStateEntered M',
    '3<2 MapStateStarted',
    '4<3 MapIterationStarted M',
    '10<9 MapIterationSucceeded M',
    '11<10 MapIterationStarted M',
    '17<16 MapIterationSucceeded M',
    '18<17 MapStateSucceeded',
    '19<17 MapStateExited M',
  ]);
  expect(execution.outcome).toMatchObject({ output: '["one","two"]' });
});

test('a distributed map shows its run, not its children, and takes as many failures as it tolerates', () => {
  const processor = { ...branch('F', { Type: 'Fail', Error: 'Boom' }), ProcessorConfig: { Mode: 'DISTRIBUTED' } };
  const run = (more: JsonObject) =>
    history({ M: { Type: 'Map', ItemsPath: '$.list', ItemProcessor: processor, ...more, End: true } });
  expect(run({ ToleratedFailureCount: 2 }).lines.slice(1)).toEqual([
    '2<0 MapStateEntered M',
    '3<2 MapStateStarted',
    '4<3 MapRunStarted',
    '5<4 MapRunSucceeded',
    '6<5 MapStateSucceeded',
    '7<4 MapStateExited M',
    '8<7 ExecutionSucceeded',
  ]);
  const { lines, execution } = run({ ToleratedFailurePercentage: 40 });
  expect(lines.slice(4)).toEqual(['5<4 MapRunFailed', '6<5 MapStateFailed', '7<6 ExecutionFailed']);
  expect(execution.outcome).toMatchObject({ error: 'States.ExceedToleratedFailureThreshold' });
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

test('variables are seen inside a branch, and stay there when they are set there', () => {
  const inner = branch('Inner', { Type: 'Pass', Assign: { v: 2 }, Parameters: { 'seen.$': '$v' }, End: true });
  const { execution } = history({
    Set: { Type: 'Pass', Assign: { v: 1 }, Next: 'P' },
    P: { Type: 'Parallel', Branches: [inner], ResultPath: '$.p', Next: 'Look' },
    Look: {
      Type: 'Pass',
      Parameters: { 'outside.$': '$v', 'inside.$': '$.p[0].seen', 'beyond.$': '$.list[7]' },
      End: true,
    },
  });
  expect(JSON.parse(execution.outcome!.output!)).toEqual({ outside: 1, inside: 1, beyond: null });
});

test('an execution that is stopped, and one that runs out of time', () => {
  const wait = { W: { Type: 'Wait', Seconds: 60, End: true } };
  expect(history(wait, { kind: 'stop', error: 'E', cause: 'c' }).execution.outcome).toMatchObject({
    status: 'ABORTED',
    error: 'E',
    cause: 'c',
  });
  const events: HistoryEvent[] = [];
  const program = compileProgram({ StartAt: 'W', TimeoutSeconds: 5, States: wait });
  const { execution } = drive(start(program, identity)) as { execution: Execution };
  expect(nextAlarm(execution)).toBe(identity.startTime + 5_000);
  drive(apply(execution, { kind: 'alarm' }, identity.startTime + 5_000, (event) => events.push(event)));
  expect(events.map(({ type }) => type)).toEqual(['ExecutionTimedOut']);
  expect(execution.outcome!.status).toBe('TIMED_OUT');
});

const mapOf = (state: JsonObject, more: JsonObject = {}): JsonObject => ({
  M: { Type: 'Map', ItemsPath: '$.list', ItemProcessor: branch('I', state), End: true, ...more },
});

test('a map says that it has failed only when it is not tried again', () => {
  const Retry = [{ ErrorEquals: ['Boom'], MaxAttempts: 1 }];
  const { lines } = history(mapOf({ Type: 'Fail', Error: 'Boom' }, { MaxConcurrency: 1, Retry }), { kind: 'alarm' });
  expect(lines.slice(2)).toEqual([
    '3<2 MapStateStarted',
    '4<3 MapIterationStarted M',
    '5<4 FailStateEntered I',
    '6<5 MapIterationFailed M',
    '7<5 MapStateStarted',
    '8<7 MapIterationStarted M',
    '9<8 FailStateEntered I',
    '10<9 MapIterationFailed M',
    '11<9 MapStateFailed',
    '12<11 ExecutionFailed',
  ]);
});

test('tasks that time out in a map are aborted, each in its iteration', () => {
  const { lines } = history(mapOf({ Type: 'Task', Resource: echo, TimeoutSeconds: 5, End: true }), { kind: 'alarm' });
  expect(lines.slice(11)).toEqual([
    '12<8 LambdaFunctionTimedOut',
    '13<11 LambdaFunctionTimedOut',
    '14<12 MapIterationFailed M',
    '15<12 TaskStateAborted',
    '16<12 MapIterationAborted M',
    '17<12 TaskStateAborted',
    '18<12 MapStateFailed',
    '19<18 ExecutionFailed',
  ]);
});

test('an evaluation that fails inside a map is told once', async () => {
  const States = mapOf(
    { Type: 'Pass', QueryLanguage: 'JSONata', Output: '{% $nope %}', End: true },
    { MaxConcurrency: 1 },
  );
  const types: string[] = [];
  const program = compileProgram({ StartAt: 'M', States });
  await drive(start(program, identity, ({ type }) => types.push(type)));
  expect(types.slice(4)).toEqual([
    'PassStateEntered',
    'EvaluationFailed',
    'MapIterationFailed',
    'MapStateFailed',
    'ExecutionFailed',
  ]);
});

test.each([
  ['MaxConcurrencyPath', ['2<0 MapStateEntered M', '3<2 ExecutionFailed']],
  ['ToleratedFailureCountPath', ['2<0 MapStateEntered M', '3<2 MapStateStarted', '4<3 ExecutionFailed']],
])('a map whose %s leads to no number', (field, expected) => {
  const processor = { ...branch('I', { Type: 'Pass', End: true }), ProcessorConfig: { Mode: 'DISTRIBUTED' } };
  const { lines } = history(mapOf({}, { [field]: '$.list', ItemProcessor: processor }));
  expect(lines.slice(1)).toEqual(expected);
});
