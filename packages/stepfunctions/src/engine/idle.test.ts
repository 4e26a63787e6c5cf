import { EngineFixture, functionArn, machine } from '../../test/engine-fixture';

describe('an engine is idle (R249)', () => {
  const fixture = new EngineFixture();
  const { call, create, begin, until, ended, restart } = fixture;
  const idle = () => fixture.engine.isIdle();
  const work = { Type: 'Task', Resource: functionArn('work'), End: true };

  test('when its executions wait for a time, and not from the alarm to the end of what that starts', async () => {
    expect(idle()).toBe(true);
    const sleep = { Type: 'Wait', Seconds: 3_600, Next: 'Work' };
    const execution = await begin(await create('sleeper', machine({ Sleep: sleep, Work: work })), 'one');
    await until(idle);
    expect((await call('DescribeExecution', { executionArn: execution })).status).toBe('RUNNING');
    const due = fixture.clock.next()!;
    fixture.clock.advance(due - fixture.clock.now());
    expect(idle()).toBe(false);
    await until(idle);
    expect((await call('DescribeExecution', { executionArn: execution })).status).toBe('SUCCEEDED');
    expect(fixture.events.map(({ status }) => status)).toEqual(['RUNNING', 'SUCCEEDED']);
  });

  test('not while a function works, also after a restart', async () => {
    fixture.answer = () => undefined;
    const execution = await begin(await create('worker', machine({ Work: work })), 'one');
    await until(() => fixture.invoked.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(idle()).toBe(false);
    fixture.answer = () => '"done"';
    await restart();
    expect(idle()).toBe(false);
    await ended(execution);
    await until(idle);
  });

  test('when a function has given away its token, and when it has failed and is tried again later', async () => {
    const resource = 'arn:aws:states:::lambda:invoke.waitForTaskToken';
    const parameters = { FunctionName: 'ask', Payload: { 'token.$': '$$.Task.Token' } };
    const ask = { Type: 'Task', Resource: resource, Parameters: parameters, End: true };
    await begin(await create('asker', machine({ Ask: ask })), 'one');
    await until(() => fixture.invoked.length === 1 && idle());

    fixture.answer = () => {
      throw new Error('broken');
    };
    const retry = [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 60, MaxAttempts: 2 }];
    const execution = await begin(await create('trier', machine({ Work: { ...work, Retry: retry } })), 'two');
    await until(() => fixture.invoked.length === 2 && idle());
    expect((await call('DescribeExecution', { executionArn: execution })).status).toBe('RUNNING');
  });
});
