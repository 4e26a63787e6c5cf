import { EngineFixture, machine } from '../../test/engine-fixture';

const asleep = machine({ Sleep: { Type: 'Wait', Seconds: 1000, End: true } });

describe('a list', () => {
  const fixture = new EngineFixture();
  const { call, create, begin } = fixture;
  type Page = { executions: { executionArn: string; name: string }[]; nextToken?: string };
  const executions = async (body: object) => (await call('ListExecutions', body)) as unknown as Page;

  test('misses none of what is running when each page of it is stopped', async () => {
    const stateMachineArn = await create('m', asleep);
    for (let i = 0; i < 30; i += 1) await begin(stateMachineArn, `e${i}`);
    let stopped = 0;
    for (let nextToken: string | undefined; ; ) {
      const page = await executions({ stateMachineArn, statusFilter: 'RUNNING', maxResults: 10, nextToken });
      for (const { executionArn } of page.executions) await call('StopExecution', { executionArn });
      stopped += page.executions.length;
      nextToken = page.nextToken;
      if (nextToken === undefined) break;
    }
    expect(stopped).toBe(30);
  });

  test('has what was there once, whatever begins meanwhile', async () => {
    const stateMachineArn = await create('m', asleep);
    for (let i = 0; i < 25; i += 1) await begin(stateMachineArn, `e${i}`);
    const names: string[] = [];
    for (let nextToken: string | undefined, turn = 0; ; turn += 1) {
      const page = await executions({ stateMachineArn, maxResults: 10, nextToken });
      names.push(...page.executions.map(({ name }) => name));
      await begin(stateMachineArn, `later${turn}`);
      nextToken = page.nextToken;
      if (nextToken === undefined) break;
    }
    expect(names).toEqual(Array.from({ length: 25 }, (_, i) => `e${24 - i}`));
  });

  test.each<[string, string, string, (name: string) => Promise<unknown>, (name: string) => Promise<unknown>]>([
    [
      'ListActivities',
      'activities',
      'name',
      (name) => call('CreateActivity', { name }),
      (name) => call('DeleteActivity', { activityArn: `arn:aws:states:us-east-1:123456789012:activity:${name}` }),
    ],
    [
      'ListStateMachines',
      'stateMachines',
      'name',
      (name) => create(name, asleep),
      (name) =>
        call('DeleteStateMachine', { stateMachineArn: `arn:aws:states:us-east-1:123456789012:stateMachine:${name}` }),
    ],
  ])('%s goes on behind its last entry, also where that is gone', async (action, field, key, add, remove) => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await add(name);
    const found: string[] = [];
    for (let nextToken: string | undefined; ; ) {
      const page = (await call(action, { maxResults: 2, nextToken: nextToken as never })) as never as Record<
        string,
        never
      >;
      const names = (page[field] as unknown as Record<string, string>[]).map((each) => each[key]!);
      found.push(...names);
      for (const name of names) await remove(name);
      nextToken = page.nextToken;
      if (nextToken === undefined) break;
    }
    expect(found).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('takes the tokens that it gave, and no others', async () => {
    const stateMachineArn = await create('m', asleep);
    const other = await create('n', asleep);
    for (let i = 0; i < 3; i += 1) await begin(stateMachineArn, `e${i}`);
    const { nextToken } = await executions({ stateMachineArn, maxResults: 1 });
    const offset = Buffer.from('1').toString('base64url');
    for (const body of [
      { stateMachineArn: other, nextToken },
      { stateMachineArn, nextToken: offset },
      { stateMachineArn, nextToken: 'x' },
      { stateMachineArn, statusFilter: 'FAILED', nextToken },
    ])
      await expect(executions(body)).rejects.toThrow('InvalidToken');
    expect((await executions({ stateMachineArn, nextToken })).executions).toHaveLength(2);
  });

  test('a worker that has gone takes no task', async () => {
    const activity = (await call('CreateActivity', { name: 'a' })).activityArn!;
    const gone = new AbortController();
    const polled = fixture.engine.call('GetActivityTask', { activityArn: activity }, gone.signal);
    await new Promise((resolve) => setTimeout(resolve, 20));
    gone.abort();
    expect(await polled).toEqual({ status: 200, body: {} });
    const arn = await create('m', machine({ Task: { Type: 'Task', Resource: activity, End: true } }));
    await begin(arn, 'e');
    expect((await call('GetActivityTask', { activityArn: activity })).taskToken).toEqual(expect.any(String));
  });
});
