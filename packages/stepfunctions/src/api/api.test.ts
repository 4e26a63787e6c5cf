import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { movedClock } from '../clock/moved-clock';
import { readSettings } from '../settings';
import { type StepFunctions, startStepFunctions } from '../start';
import { validateDefinition } from '../validation/validate';

type Body = Record<string, string>;
const echo = 'arn:aws:lambda:us-east-1:123456789012:function:echo';
const roleArn = 'arn:aws:iam::123456789012:role/r';

const mocks = {
  StateMachines: { mocked: { TestCases: { Retried: { Call: 'Throttled' } } } },
  MockedResponses: {
    Throttled: {
      '0-1': { Throw: { Error: 'Lambda.TooManyRequestsException', Cause: 'later' } },
      '2': { Return: { fine: true } },
    },
  },
};

describe('the API', () => {
  const clock = movedClock();
  const file = path.join(os.tmpdir(), `vigil-mocks-${process.pid}.json`);
  let engine: StepFunctions;

  beforeAll(async () => {
    fs.writeFileSync(file, JSON.stringify(mocks));
    engine = await startStepFunctions({
      clock,
      mockConfiguration: file,
      services: { invokeLambda: async ({ payload }) => ({ payload }) },
    });
  });
  afterAll(async () => {
    fs.rmSync(file);
    await engine.stop();
    clock.stop();
  });

  async function call(action: string, body: object): Promise<Body> {
    const { status, body: answered } = await engine.call(action, body);
    if (status !== 200) throw new Error(JSON.stringify(answered));
    return answered as Body;
  }
  const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

  test('a mocked test case answers in the place of the service, call by call', async () => {
    const Retry = [{ ErrorEquals: ['Lambda.TooManyRequestsException'], IntervalSeconds: 1, BackoffRate: 1 }];
    const definition = JSON.stringify({
      StartAt: 'Call',
      States: { Call: { Type: 'Task', Resource: echo, Retry, End: true } },
    });
    const { stateMachineArn } = await call('CreateStateMachine', { name: 'mocked', roleArn, definition });
    const { executionArn } = await call('StartExecution', {
      stateMachineArn: `${stateMachineArn}#Retried`,
      name: 'one',
    });
    for (let i = 0; i < 2; i += 1) {
      await settled();
      clock.advance(1_100);
    }
    await settled();
    expect(await call('DescribeExecution', { executionArn })).toMatchObject({
      status: 'SUCCEEDED',
      output: '{"fine":true}',
    });
    await expect(call('StartExecution', { stateMachineArn: `${stateMachineArn}#Other` })).rejects.toThrow(
      'no test case Other',
    );
  });

  test('versions keep their definition, and start it', async () => {
    const definition = (n: number) =>
      JSON.stringify({ StartAt: 'P', States: { P: { Type: 'Pass', Result: n, End: true } } });
    const { stateMachineArn, stateMachineVersionArn } = await call('CreateStateMachine', {
      name: 'v',
      roleArn,
      definition: definition(1),
      publish: true,
    });
    expect(stateMachineVersionArn).toBe(`${stateMachineArn}:1`);
    await call('UpdateStateMachine', { stateMachineArn, definition: definition(2) });
    expect(await call('PublishStateMachineVersion', { stateMachineArn })).toMatchObject({
      stateMachineVersionArn: `${stateMachineArn}:2`,
    });
    const { executionArn } = await call('StartExecution', { stateMachineArn: stateMachineVersionArn });
    expect(await call('DescribeExecution', { executionArn })).toMatchObject({ output: '1', stateMachineVersionArn });
    expect((await call('DescribeStateMachine', { stateMachineArn: `${stateMachineArn}:1` })).definition).toBe(
      definition(1),
    );
  });

  test('creating twice is idempotent, and an error with another definition', async () => {
    const body = { name: 'twice', roleArn, definition: '{"StartAt":"P","States":{"P":{"Type":"Succeed"}}}' };
    expect(await call('CreateStateMachine', body)).toEqual(await call('CreateStateMachine', body));
    await expect(
      call('CreateStateMachine', { ...body, definition: body.definition.replace('Succeed', 'Fail') }),
    ).rejects.toThrow('StateMachineAlreadyExists');
    await expect(call('CreateStateMachine', { ...body, name: 'with space' })).rejects.toThrow('InvalidName');
  });

  test('an activity that does not exist any more fails the state that asks for it', async () => {
    const { activityArn } = await call('CreateActivity', { name: 'gone' });
    const definition = JSON.stringify({
      StartAt: 'Ask',
      States: { Ask: { Type: 'Task', Resource: activityArn, End: true } },
    });
    const { stateMachineArn } = await call('CreateStateMachine', { name: 'asks', roleArn, definition });
    const eventsOf = async (name: string) => {
      const { executionArn } = await call('StartExecution', { stateMachineArn, name });
      await settled();
      const { events } = (await call('GetExecutionHistory', { executionArn })) as unknown as {
        events: { type: string; executionFailedEventDetails?: { cause: string } }[];
      };
      return events;
    };
    expect((await eventsOf('there')).map(({ type }) => type).slice(2)).toEqual(['ActivityScheduled']);
    await call('DeleteActivity', { activityArn });
    const [failed, ...more] = (await eventsOf('gone')).slice(2);
    expect([failed?.type, more]).toEqual(['ExecutionFailed', []]);
    expect(failed?.executionFailedEventDetails?.cause).toBe(
      `An error occurred while executing the state 'Ask' (entered at the event id #2). The activity ${activityArn} does not exist.`,
    );
  });

  test('a failed execution goes on from where it failed when it is redriven', async () => {
    const states = {
      A: { Type: 'Pass', Next: 'B' },
      B: { Type: 'Task', Resource: `${echo}:activity`, TimeoutSeconds: 5, End: true },
    };
    const { activityArn } = await call('CreateActivity', { name: 'redriven' });
    states.B.Resource = activityArn!;
    const { stateMachineArn } = await call('CreateStateMachine', {
      name: 'redriven',
      roleArn,
      definition: JSON.stringify({ StartAt: 'A', States: states }),
    });
    const { executionArn } = await call('StartExecution', { stateMachineArn, name: 'one' });
    clock.advance(6_000);
    await settled();
    expect(await call('DescribeExecution', { executionArn })).toMatchObject({
      status: 'FAILED',
      error: 'States.Timeout',
      redriveStatus: 'REDRIVABLE',
    });
    // Each look at the clock is a millisecond later.
    let looks = 0;
    const now = jest.spyOn(clock, 'now').mockImplementation(() => {
      looks += 1;
      return Date.now() + clock.offset() + looks;
    });
    const redrive = () => call('RedriveExecution', { executionArn });
    const [first, second] = await Promise.allSettled([redrive(), redrive()]);
    now.mockRestore();
    const { redriveDate } = await call('DescribeExecution', { executionArn });
    expect(first).toEqual({ status: 'fulfilled', value: { redriveDate } });
    expect(second).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('is RUNNING') } });
    const { taskToken } = await call('GetActivityTask', { activityArn });
    await call('SendTaskSuccess', { taskToken, output: '"second time"' });
    expect(await call('DescribeExecution', { executionArn })).toMatchObject({
      status: 'SUCCEEDED',
      output: '"second time"',
      redriveCount: 1,
    });
    await expect(call('RedriveExecution', { executionArn })).rejects.toThrow('ExecutionNotRedrivable');
  });
});

describe('a definition is refused for', () => {
  const state = (fields: object) => JSON.stringify({ StartAt: 'A', States: { A: fields } });
  test.each<[string, string]>([
    ['text that is no JSON', '{'],
    ['no start', '{"States":{"A":{"Type":"Succeed"}}}'],
    ['a start that is no state', '{"StartAt":"B","States":{"A":{"Type":"Succeed"}}}'],
    ['no states', '{"StartAt":"A","States":{}}'],
    ['an unknown type', state({ Type: 'Sleep', End: true })],
    ['neither Next nor End', state({ Type: 'Pass' })],
    ['a Next that leads nowhere', state({ Type: 'Pass', Next: 'B' })],
    ['a state that nobody reaches', '{"StartAt":"A","States":{"A":{"Type":"Succeed"},"B":{"Type":"Succeed"}}}'],
    ['a path that does not parse', state({ Type: 'Pass', InputPath: '$.a[', End: true })],
    [
      'an intrinsic function that there is not',
      state({ Type: 'Pass', Parameters: { 'a.$': 'States.Nothing()' }, End: true }),
    ],
    ['a ResultPath with a wildcard', state({ Type: 'Pass', ResultPath: '$.a[*]', End: true })],
    ['a Choice without choices', state({ Type: 'Choice', Choices: [] })],
    [
      'two comparisons in a rule',
      state({ Type: 'Choice', Choices: [{ Variable: '$.a', NumericEquals: 1, IsNull: true, Next: 'A' }] }),
    ],
    [
      'a comparison with a value of another type',
      state({ Type: 'Choice', Choices: [{ Variable: '$.a', NumericEquals: 'x', Next: 'A' }] }),
    ],
    ['two ways to wait', state({ Type: 'Wait', Seconds: 1, Timestamp: '2030-01-01T00:00:00Z', End: true })],
    [
      'States.ALL among others',
      state({ Type: 'Task', Resource: echo, Retry: [{ ErrorEquals: ['States.ALL', 'E'] }], End: true }),
    ],
    [
      'a heartbeat longer than the timeout',
      state({ Type: 'Task', Resource: echo, TimeoutSeconds: 5, HeartbeatSeconds: 5, End: true }),
    ],
    ['JSONPath fields in JSONata', state({ Type: 'Pass', QueryLanguage: 'JSONata', InputPath: '$', End: true })],
    ['JSONata that does not parse', state({ Type: 'Pass', QueryLanguage: 'JSONata', Output: '{% 1 + %}', End: true })],
    [
      'a ResultWriter, which is not built',
      state({
        Type: 'Map',
        ResultWriter: {},
        ItemProcessor: { ProcessorConfig: { Mode: 'DISTRIBUTED' }, StartAt: 'P', States: { P: { Type: 'Succeed' } } },
        End: true,
      }),
    ],
  ])('%s', (_what, definition) => {
    expect(validateDefinition(definition)).not.toEqual([]);
  });
});

test('the standalone server reads its variables, and says which one makes no sense', () => {
  expect(readSettings({ LAMBDA_ENDPOINT: 'http://127.0.0.1:4000/', WAIT_TIME_SCALE: '0.1' })).toMatchObject({
    port: 8083,
    accountId: '123456789012',
    waitTimeScale: 0.1,
    endpoints: { lambda: 'http://127.0.0.1:4000' },
  });
  expect(() => readSettings({ PORT: 'x' })).toThrow('PORT');
  expect(() => readSettings({ AWS_ACCOUNT_ID: '1' })).toThrow('AWS_ACCOUNT_ID');
  expect(() => readSettings({ SQS_ENDPOINT: 'somewhere' })).toThrow('SQS_ENDPOINT');
});
