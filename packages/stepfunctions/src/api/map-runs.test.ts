import { EngineFixture, functionArn, machine } from '../../test/engine-fixture';

type Run = Record<string, unknown> & { itemCounts: object; executionCounts: object };

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
          Fails: { Type: 'Fail', Error: 'Bad' },
        },
      },
      End: true,
      ...more,
    },
  });

describe('a map run', () => {
  const fixture = new EngineFixture();
  const { call, create, begin, until, ended, types, restart } = fixture;
  /** The runs of an execution, described. */
  const runsOf = async (executionArn: string): Promise<Run[]> => {
    const { mapRuns } = (await call('ListMapRuns', { executionArn })) as unknown as {
      mapRuns: { mapRunArn: string }[];
    };
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
    const { mapRuns } = (await call('ListMapRuns', { executionArn: arn })) as unknown as { mapRuns: object[] };
    expect(mapRuns).toEqual([
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
