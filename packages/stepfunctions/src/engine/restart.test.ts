import { type Body, EngineFixture, functionArn, machine } from '../../test/engine-fixture';
import { startStepFunctions } from '../start';

describe('an engine that is started again on its folder', () => {
  const fixture = new EngineFixture();
  const { restart, call, create, begin, types, until, ended } = fixture;

  test('a second engine on its folder is refused in one line, and nothing of the first is lost', async () => {
    const arn = await create('sleeper', machine({ Sleep: { Type: 'Wait', Seconds: 3600, End: true } }));
    const execution = await begin(arn, 'one');
    const services = { invokeLambda: () => Promise.reject(new Error('not called')) };
    const second = startStepFunctions({ directory: fixture.directory, services });
    await expect(second).rejects.toThrow(
      `${fixture.directory} is in use by another engine (process ${process.pid}): stop that one, or take another folder.`,
    );
    fixture.clock.advance(3_600_000);
    await ended(execution);
    await restart();
    expect((await call('DescribeExecution', { executionArn: execution })).status).toBe('SUCCEEDED');
  });

  test('a task that was under way is made again, in the same attempt and without a trace in the history', async () => {
    fixture.answer = () => undefined;
    const arn = await create('worker', machine({ Work: { Type: 'Task', Resource: functionArn('work'), End: true } }));
    const execution = await begin(arn, 'one');
    await until(() => fixture.invoked.length === 1);
    const before = await types(execution);
    fixture.answer = () => '"done"';
    await restart();
    await ended(execution);
    expect(fixture.invoked).toEqual(['work', 'work']);
    expect(await types(execution)).toEqual([
      ...before,
      'LambdaFunctionSucceeded',
      'TaskStateExited',
      'ExecutionSucceeded',
    ]);
  });

  test('a token given out before works after, once', async () => {
    let token = '';
    fixture.answer = (_name, payload) => {
      token = JSON.parse(payload).token;
      return '{}';
    };
    const arn = await create(
      'asker',
      machine({
        Ask: {
          Type: 'Task',
          Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
          Parameters: { FunctionName: 'ask', Payload: { 'token.$': '$$.Task.Token' } },
          End: true,
        },
      }),
    );
    const execution = await begin(arn, 'one');
    await until(async () => (await types(execution)).includes('TaskSubmitted'));
    await restart();
    expect(fixture.invoked).toEqual(['ask']);
    await call('SendTaskSuccess', { taskToken: token, output: '"yes"' });
    expect((await call('DescribeExecution', { executionArn: execution })).output).toBe('"yes"');
    const { status, body } = await fixture.engine.call('SendTaskSuccess', { taskToken: token, output: '"again"' });
    expect([status, (body as Body).__type]).toEqual([400, 'TaskTimedOut']);
    const forged = Buffer.from('1:1:nonsense').toString('base64url');
    expect((await fixture.engine.call('SendTaskSuccess', { taskToken: forged, output: '1' })).body).toMatchObject({
      __type: 'InvalidToken',
    });
  });

  test('a back-off goes on where it was', async () => {
    fixture.answer = () => {
      throw Object.assign(new Error('later'), { name: 'TooManyRequestsException', status: 429 });
    };
    const Retry = [
      { ErrorEquals: ['Lambda.TooManyRequestsException'], IntervalSeconds: 60, MaxAttempts: 5, BackoffRate: 2 },
    ];
    const arn = await create(
      'retrier',
      machine({ Work: { Type: 'Task', Resource: functionArn('work'), Retry, End: true } }),
    );
    const execution = await begin(arn, 'one');
    await until(async () => (await types(execution)).includes('LambdaFunctionFailed'));
    fixture.clock.advance(60_000);
    await until(() => fixture.invoked.length === 2);
    await until(async () => (await types(execution)).filter((type) => type === 'LambdaFunctionFailed').length === 2);
    await restart();
    fixture.clock.advance(119_000);
    expect(fixture.invoked).toHaveLength(2);
    fixture.answer = () => '"done"';
    fixture.clock.advance(1_000);
    await ended(execution);
    expect((await call('DescribeExecution', { executionArn: execution })).output).toBe('"done"');
  });

  test('an execution keeps the definition with which it began, also across an update and a restart', async () => {
    const version = (result: string) =>
      machine({ Sleep: { Type: 'Wait', Seconds: 60, Next: 'Say' }, Say: { Type: 'Pass', Result: result, End: true } });
    const stateMachineArn = await create('changing', version('old'));
    const execution = await begin(stateMachineArn, 'one');
    await call('UpdateStateMachine', { stateMachineArn, definition: version('new') });
    await restart();
    const second = await begin(stateMachineArn, 'two');
    fixture.clock.advance(61_000);
    await ended(execution);
    await ended(second);
    expect((await call('DescribeExecution', { executionArn: execution })).output).toBe('"old"');
    expect((await call('DescribeExecution', { executionArn: second })).output).toBe('"new"');
    expect((await call('DescribeStateMachineForExecution', { executionArn: execution })).definition).toBe(
      version('old'),
    );
  });

  test('starting a name again: the same while it runs with the same input, an error otherwise, also after a restart', async () => {
    const arn = await create('named', machine({ Sleep: { Type: 'Wait', Seconds: 60, End: true } }));
    const execution = await begin(arn, 'one', '{"a":1}');
    expect(await begin(arn, 'one', '{"a":1}')).toBe(execution);
    await expect(begin(arn, 'one', '{"a":2}')).rejects.toThrow('ExecutionAlreadyExists');
    await restart();
    expect(await begin(arn, 'one', '{"a":1}')).toBe(execution);
    fixture.clock.advance(61_000);
    await ended(execution);
    await expect(begin(arn, 'one', '{"a":1}')).rejects.toThrow('ExecutionAlreadyExists');
    const twice = await Promise.all([begin(arn, 'two'), begin(arn, 'two')]);
    expect(twice[0]).toBe(twice[1]);
  });

  test('a status event that the listener refused is told again, also by the next engine', async () => {
    const arn = await create('told', machine({ Done: { Type: 'Succeed' } }));
    let refused = 0;
    await listening(async () => {
      refused += 1;
      throw new Error('not now');
    });
    await begin(arn, 'one');
    await until(() => refused > 0);
    await restart();
    await until(() => fixture.events.length === 2);
    expect(fixture.events.map(({ name, status }) => [name, status])).toEqual([
      ['one', 'RUNNING'],
      ['one', 'SUCCEEDED'],
    ]);
    await restart();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(fixture.events).toHaveLength(2);
  });

  test('a status event that the listener takes after the engine has stopped is told again, and written nowhere', async () => {
    const arn = await create('told', machine({ Wait: { Type: 'Wait', Seconds: 3600, End: true } }));
    let heard = 0;
    let take = () => {};
    const taken = new Promise<void>((resolve) => {
      take = resolve;
    });
    const listener = () => {
      heard += 1;
      return taken;
    };
    await listening(listener);
    await begin(arn, 'one');
    await until(() => heard === 1);
    await fixture.engine.stop();
    take();
    // A write would fail now: the journal is closed.
    await new Promise((resolve) => setTimeout(resolve, 50));
    fixture.engine = await listened(listener);
    await until(() => heard === 2);
  });

  /** An engine in place of the running one, whose status events go to a listener of the test. */
  async function listening(listener: () => Promise<void>): Promise<void> {
    await fixture.engine.stop();
    fixture.engine = await listened(listener);
  }

  const listened = (onStatusChange: () => Promise<void>) =>
    startStepFunctions({
      directory: fixture.directory,
      clock: fixture.clock,
      services: { invokeLambda: async () => ({ payload: '' }) },
      onStatusChange,
    });
});
