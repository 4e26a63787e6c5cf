import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { functionArn, machine, roleArn, SharedEngine } from '../../test/engine-fixture';

const echo = functionArn('echo');

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
  const file = path.join(os.tmpdir(), `vigil-mocks-${process.pid}.json`);
  beforeAll(() => fs.writeFileSync(file, JSON.stringify(mocks)));
  afterAll(() => fs.rmSync(file));
  const { begin, call, clock, create } = new SharedEngine({ mockConfiguration: file });
  const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

  test('a mocked test case answers in the place of the service, call by call', async () => {
    const Retry = [{ ErrorEquals: ['Lambda.TooManyRequestsException'], IntervalSeconds: 1, BackoffRate: 1 }];
    const machineArn = await create('mocked', machine({ Call: { Type: 'Task', Resource: echo, Retry, End: true } }));
    const executionArn = await begin(`${machineArn}#Retried`);
    for (let i = 0; i < 2; i += 1) {
      await settled();
      clock.advance(1_100);
    }
    await settled();
    expect(await call('DescribeExecution', { executionArn })).toMatchObject({
      status: 'SUCCEEDED',
      output: '{"fine":true}',
    });
    await expect(begin(`${machineArn}#Other`)).rejects.toThrow('no test case Other');
  });

  test('versions keep their definition, and start it', async () => {
    const definition = (n: number) => machine({ P: { Type: 'Pass', Result: n, End: true } });
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
    const machineArn = await create('asks', machine({ Ask: { Type: 'Task', Resource: activityArn, End: true } }));
    const eventsOf = async (name: string) => {
      const executionArn = await begin(machineArn, name);
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
    const executionArn = await begin(await create('redriven', machine(states)));
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
