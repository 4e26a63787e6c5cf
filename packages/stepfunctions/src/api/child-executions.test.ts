import { EngineFixture, functionArn, machine } from '../../test/engine-fixture';

type Child = { executionArn: string; name: string; status: string };

const definition = machine({
  M: {
    Type: 'Map',
    Label: 'L',
    ToleratedFailureCount: 1,
    ItemProcessor: {
      ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
      StartAt: 'Check',
      States: {
        Check: { Type: 'Choice', Choices: [{ Variable: '$', StringEquals: 'bad', Next: 'Fails' }], Default: 'Work' },
        Work: { Type: 'Task', Resource: functionArn('work'), End: true },
        Fails: { Type: 'Fail', Error: 'Bad', Cause: 'c' },
      },
    },
    End: true,
  },
});

describe("a distributed map's child execution", () => {
  const fixture = new EngineFixture();
  const { call, create, begin, ended, types, restart } = fixture;
  async function children(executionArn: string, more: object = {}): Promise<Child[]> {
    const { mapRuns } = (await call('ListMapRuns', { executionArn })) as unknown as {
      mapRuns: { mapRunArn: string }[];
    };
    const { mapRunArn } = mapRuns[0]!;
    return ((await call('ListExecutions', { mapRunArn, ...more })) as unknown as { executions: Child[] }).executions;
  }

  test('is listed by its run, newest first, and described', async () => {
    const parent = await begin(await create('m', definition), 'e', '["good","bad"]');
    await ended(parent);
    const [bad, good] = (await children(parent)) as [Child, Child];
    expect([good.status, bad.status]).toEqual(['SUCCEEDED', 'FAILED']);
    expect(good.executionArn).toBe(`arn:aws:states:us-east-1:123456789012:execution:m/L:${good.name}`);
    expect(await call('DescribeExecution', { executionArn: good.executionArn })).toMatchObject({
      stateMachineArn: 'arn:aws:states:us-east-1:123456789012:stateMachine:m/L',
      mapRunArn: expect.stringContaining(':mapRun:m/L:'),
      status: 'SUCCEEDED',
      input: '"good"',
      output: '"good"',
      redriveStatus: 'NOT_REDRIVABLE',
    });
    expect(await call('DescribeExecution', { executionArn: bad.executionArn })).toMatchObject({
      status: 'FAILED',
      error: 'Bad',
      cause: 'c',
      redriveStatus: 'REDRIVABLE_BY_MAP_RUN',
    });
    const { executionArn } = good;
    const bare = await call('DescribeExecution', { executionArn, includedData: 'METADATA_ONLY' });
    expect(bare).toMatchObject({ inputDetails: { included: false }, outputDetails: { included: false } });
    expect(bare).not.toHaveProperty('output');
    expect(await call('DescribeStateMachineForExecution', { executionArn })).toMatchObject({
      stateMachineArn: 'arn:aws:states:us-east-1:123456789012:stateMachine:m',
      mapRunArn: expect.stringContaining(':mapRun:m/L:'),
      label: 'L',
    });
    expect(await children(parent, { statusFilter: 'FAILED', maxResults: 1 })).toEqual([bad]);
    expect(await children(parent, { maxResults: 1 })).toHaveLength(1);
  });

  test('has a history of its own, also after a restart, and its parent has none of it', async () => {
    const parent = await begin(await create('m', definition), 'e', '["good","bad"]');
    await ended(parent);
    await restart();
    const [bad, good] = (await children(parent)) as [Child, Child];
    expect(await types(good.executionArn)).toEqual([
      'ExecutionStarted',
      'ChoiceStateEntered',
      'ChoiceStateExited',
      'TaskStateEntered',
      'LambdaFunctionScheduled',
      'LambdaFunctionStarted',
      'LambdaFunctionSucceeded',
      'TaskStateExited',
      'ExecutionSucceeded',
    ]);
    const { events } = (await call('GetExecutionHistory', { executionArn: bad.executionArn })) as unknown as {
      events: { id: number; previousEventId: number; executionFailedEventDetails?: object }[];
    };
    expect(events.map(({ id, previousEventId }) => [id, previousEventId])).toEqual([
      [1, 0],
      [2, 0],
      [3, 2],
      [4, 3],
      [5, 4],
    ]);
    expect(events.at(-1)!.executionFailedEventDetails).toEqual({ error: 'Bad', cause: 'c' });
    expect((await types(parent)).filter((type) => /Choice|Task|Lambda/.test(type))).toEqual([]);
  });

  test('is aborted with its parent, and goes on when that is redriven', async () => {
    fixture.answer = () => undefined;
    const parent = await begin(await create('m', definition), 'e', '["good"]');
    await fixture.until(() => fixture.invoked.length === 1);
    const [child] = (await children(parent)) as [Child];
    expect(child.status).toBe('RUNNING');
    await call('StopExecution', { executionArn: parent });
    expect((await children(parent))[0]!.status).toBe('ABORTED');
    expect((await types(child.executionArn)).at(-1)).toBe('ExecutionAborted');
    fixture.answer = (_name, payload) => payload;
    await call('RedriveExecution', { executionArn: parent });
    await ended(parent);
    expect(await children(parent)).toEqual([
      expect.objectContaining({ executionArn: child.executionArn, status: 'SUCCEEDED', redriveCount: 1 }),
    ]);
    expect((await types(child.executionArn)).filter((type) => type.startsWith('Execution'))).toEqual([
      'ExecutionStarted',
      'ExecutionAborted',
      'ExecutionRedriven',
      'ExecutionSucceeded',
    ]);
  });

  test('tells of what fails inside it as every execution does', async () => {
    const pass = (Parameters: object) => ({ P: { Type: 'Pass', Parameters, End: true } });
    const child = (States: object, more: object = {}) => ({
      ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
      StartAt: 'Both',
      States: {
        Both: {
          Type: 'Parallel',
          Branches: [
            { StartAt: 'W', States: { W: { Type: 'Wait', Seconds: 60, End: true } } },
            { StartAt: 'P', States },
          ],
          End: true,
          ...more,
        },
      },
    });
    const historyOf = async (name: string, ItemProcessor: object) => {
      const map = { Type: 'Map', ToleratedFailureCount: 1, ItemProcessor, End: true };
      const parent = await begin(await create(name, machine({ M: map })), 'e', '[1]');
      await ended(parent);
      const [only] = (await children(parent)) as [Child];
      return (await types(only.executionArn)).slice(3);
    };
    const Catch = [{ ErrorEquals: ['States.ALL'], Next: 'Both' }];
    expect(await historyOf('runtime', child(pass({ 'm.$': '$.nope' }), { Catch }))).toEqual([
      'WaitStateEntered',
      'PassStateEntered',
      'ExecutionFailed',
    ]);
    expect(await historyOf('fail', child({ P: { Type: 'Fail', Error: 'Boom' } }))).toEqual([
      'WaitStateEntered',
      'FailStateEntered',
      'WaitStateAborted',
      'ParallelStateFailed',
      'ExecutionFailed',
    ]);
  });

  test('that there is not', async () => {
    const parent = await begin(await create('m', definition), 'e', '[]');
    await ended(parent);
    const executionArn = `arn:aws:states:us-east-1:123456789012:execution:m/L:${'0'.repeat(36)}`;
    await expect(call('DescribeExecution', { executionArn })).rejects.toThrow('ExecutionDoesNotExist');
    await expect(call('GetExecutionHistory', { executionArn })).rejects.toThrow('ExecutionDoesNotExist');
    await expect(call('ListExecutions', { mapRunArn: parent })).rejects.toThrow('InvalidArn');
  });
});
