import { EngineFixture, functionArn, machine } from '../../test/engine-fixture';

type Run = Record<string, unknown> & { itemCounts: object; executionCounts: object };
type Child = { executionArn: string; name: string; status: string };

const work = (more: object = {}) =>
  machine({
    M: {
      Type: 'Map',
      ItemProcessor: {
        ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
        StartAt: 'Check',
        States: {
          Check: {
            Type: 'Choice',
            Choices: [{ Variable: '$', StringEquals: 'bad', Next: 'Fails' }],
            Default: 'Work',
          },
          Work: { Type: 'Task', Resource: functionArn('work'), End: true },
          Fails: { Type: 'Fail', Error: 'Bad', Cause: 'c' },
        },
      },
      End: true,
      ...more,
    },
  });

const mapRunsOf = async ({ call }: EngineFixture, executionArn: string) =>
  ((await call('ListMapRuns', { executionArn })) as unknown as { mapRuns: { mapRunArn: string }[] }).mapRuns;

describe('a map run', () => {
  const fixture = new EngineFixture();
  const { call, create, begin, until, ended, types, restart } = fixture;
  /** The runs of an execution, described. */
  const runsOf = async (executionArn: string): Promise<Run[]> => {
    const mapRuns = await mapRunsOf(fixture, executionArn);
    const described = mapRuns.map(({ mapRunArn }) => call('DescribeMapRun', { mapRunArn }));
    return (await Promise.all(described)) as unknown as Run[];
  };

  test('counts items and child executions, and says how it ended', async () => {
    const arn = await begin(
      await create('m', work({ MaxConcurrency: 1, ToleratedFailurePercentage: 50 })),
      'e',
      '[1,"bad",3]',
    );
    await ended(arn);
    const [run] = await runsOf(arn);
    expect(run).toMatchObject({
      executionArn: arn,
      status: 'SUCCEEDED',
      maxConcurrency: 1,
      toleratedFailurePercentage: 50,
      toleratedFailureCount: 0,
      redriveCount: 0,
      itemCounts: { total: 3, succeeded: 2, failed: 1, pending: 0, running: 0, resultsWritten: 3 },
    });
    const batched = await begin(await create('b', work({ ItemBatcher: { MaxItemsPerBatch: 2 } })), 'e', '[1,2,3]');
    await ended(batched);
    expect((await runsOf(batched))[0]).toMatchObject({
      itemCounts: { total: 3, succeeded: 3 },
      executionCounts: { total: 2, succeeded: 2 },
    });
    expect(await mapRunsOf(fixture, arn)).toEqual([
      expect.objectContaining({
        executionArn: arn,
        stateMachineArn: expect.stringMatching(/:stateMachine:m\/[0-9a-f-]{36}$/),
      }),
    ]);
  });

  test('that is under way takes other limits, which hold after a restart', async () => {
    fixture.answer = () => undefined;
    const arn = await begin(await create('m', work({ MaxConcurrency: 1 })), 'e', '[1,2,3]');
    await until(() => fixture.invoked.length === 1);
    const [{ mapRunArn }] = (await runsOf(arn)) as [Run];
    await call('UpdateMapRun', { mapRunArn, maxConcurrency: 2, toleratedFailureCount: 1 });
    await until(() => fixture.invoked.length === 2);
    await restart();
    const [run] = await runsOf(arn);
    expect(run).toMatchObject({
      status: 'RUNNING',
      maxConcurrency: 2,
      toleratedFailureCount: 1,
      executionCounts: { running: 2, pending: 1, total: 3 },
    });
    expect(run).not.toHaveProperty('stopDate');
  });

  test('is aborted with its execution, and goes on when that is redriven', async () => {
    fixture.answer = (_name, payload) => (payload === '1' ? payload : undefined);
    const arn = await begin(await create('m', work({ MaxConcurrency: 2 })), 'e', '[1,2,3,4]');
    await until(() => fixture.invoked.length === 3);
    await call('StopExecution', { executionArn: arn });
    expect((await runsOf(arn))[0]).toMatchObject({
      status: 'ABORTED',
      itemCounts: { succeeded: 1, aborted: 2, pending: 1, running: 0 },
    });
    fixture.answer = (_name, payload) => payload;
    await call('RedriveExecution', { executionArn: arn });
    await ended(arn);
    expect((await runsOf(arn))[0]).toMatchObject({
      status: 'SUCCEEDED',
      redriveCount: 1,
      itemCounts: { succeeded: 4, aborted: 0, pending: 0 },
    });
    expect(await types(arn)).toContain('MapRunRedriven');
  });

  test('that there is not, and limits that make no sense', async () => {
    const arn = await begin(await create('m', work()), 'e', '[1]');
    await ended(arn);
    const [{ mapRunArn }] = (await runsOf(arn)) as [Run];
    const unknown = `${String(mapRunArn).slice(0, -12)}ffffffffffff`;
    await expect(call('DescribeMapRun', { mapRunArn: unknown })).rejects.toThrow('ResourceNotFound');
    await expect(call('UpdateMapRun', { mapRunArn })).rejects.toThrow('At least one of these is required');
    await expect(call('UpdateMapRun', { mapRunArn, maxConcurrency: -1 })).rejects.toThrow(
      "Value '-1' at 'maxConcurrency'",
    );
  });
});

describe("a distributed map's child execution", () => {
  const fixture = new EngineFixture();
  const definition = work({ Label: 'L', ToleratedFailureCount: 1 });
  const { call, create, begin, ended, types, restart } = fixture;
  async function children(executionArn: string, more: object = {}): Promise<Child[]> {
    const [{ mapRunArn }] = (await mapRunsOf(fixture, executionArn)) as [{ mapRunArn: string }];
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
