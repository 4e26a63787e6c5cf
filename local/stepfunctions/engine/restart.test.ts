import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type MovedClock, movedClock } from '../../moved-clock';
import { type ExecutionStatusChange, type StepFunctions, startStepFunctions } from '../index';

type Body = Record<string, string>;

const machine = (states: object, startAt = Object.keys(states)[0]) =>
  JSON.stringify({ StartAt: startAt, States: states });
const functionArn = (name: string) => `arn:aws:lambda:us-east-1:123456789012:function:${name}`;

describe('an engine on a folder', () => {
  let directory: string;
  let clock: MovedClock;
  let engine: StepFunctions;
  let invoked: string[];
  let events: ExecutionStatusChange['detail'][];
  /** What functions answer; undefined leaves them at work for ever. */
  let answer: (name: string, payload: string) => string | undefined;

  beforeEach(async () => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), 'vigil-engine-'));
    clock = movedClock();
    invoked = [];
    events = [];
    answer = (_name, payload) => payload;
    await start();
  });
  afterEach(async () => {
    await engine.stop();
    clock.stop();
    fs.rmSync(directory, { recursive: true });
  });

  async function start(options: { segmentSize?: number } = {}): Promise<void> {
    engine = await startStepFunctions({
      directory,
      clock,
      services: {
        async invokeLambda({ functionName, payload }) {
          const name = functionName.split(':').at(-1)!;
          invoked.push(name);
          const payloadOut = answer(name, payload);
          return payloadOut === undefined ? new Promise(() => undefined) : { payload: payloadOut };
        },
      },
      onStatusChange: async ({ detail }) => void events.push(detail),
      ...options,
    });
  }
  async function restart(options?: { segmentSize?: number }): Promise<void> {
    await engine.stop();
    await start(options);
  }
  async function call(action: string, body: object): Promise<Body> {
    const { status, body: answered } = await engine.call(action, body);
    if (status !== 200) throw new Error(JSON.stringify(answered));
    return answered as Body;
  }
  async function create(name: string, definition: string): Promise<string> {
    return (await call('CreateStateMachine', { name, definition, roleArn: 'arn:aws:iam::123456789012:role/r' }))
      .stateMachineArn!;
  }
  const begin = async (stateMachineArn: string, name: string, input = '{}') =>
    (await call('StartExecution', { stateMachineArn, name, input })).executionArn!;
  const types = async (executionArn: string) => {
    const { events: found } = (await call('GetExecutionHistory', { executionArn })) as unknown as {
      events: { type: string }[];
    };
    return found.map(({ type }) => type);
  };
  async function until(what: () => Promise<boolean> | boolean): Promise<void> {
    for (let i = 0; i < 200; i += 1) {
      if (await what()) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error('did not come true');
  }
  const ended = (executionArn: string) =>
    until(async () => (await call('DescribeExecution', { executionArn })).status !== 'RUNNING');

  test('a sleeper sleeps on until the same time', async () => {
    const arn = await create('sleeper', machine({ Sleep: { Type: 'Wait', Seconds: 3600, End: true } }));
    const execution = await begin(arn, 'one');
    clock.advance(1_800_000);
    await restart();
    expect(await types(execution)).toEqual(['ExecutionStarted', 'WaitStateEntered']);
    clock.advance(1_799_000);
    expect((await call('DescribeExecution', { executionArn: execution })).status).toBe('RUNNING');
    clock.advance(1_000);
    await ended(execution);
    expect(await types(execution)).toEqual([
      'ExecutionStarted',
      'WaitStateEntered',
      'WaitStateExited',
      'ExecutionSucceeded',
    ]);
  });

  test('a task that was under way is made again, in the same attempt and without a trace in the history', async () => {
    answer = () => undefined;
    const arn = await create('worker', machine({ Work: { Type: 'Task', Resource: functionArn('work'), End: true } }));
    const execution = await begin(arn, 'one');
    await until(() => invoked.length === 1);
    const before = await types(execution);
    answer = () => '"done"';
    await restart();
    await ended(execution);
    expect(invoked).toEqual(['work', 'work']);
    expect(await types(execution)).toEqual([
      ...before,
      'LambdaFunctionSucceeded',
      'TaskStateExited',
      'ExecutionSucceeded',
    ]);
  });

  test('a token given out before works after, once', async () => {
    let token = '';
    answer = (_name, payload) => {
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
    expect(invoked).toEqual(['ask']);
    await call('SendTaskSuccess', { taskToken: token, output: '"yes"' });
    expect((await call('DescribeExecution', { executionArn: execution })).output).toBe('"yes"');
    const { status, body } = await engine.call('SendTaskSuccess', { taskToken: token, output: '"again"' });
    expect([status, (body as Body).__type]).toEqual([400, 'TaskTimedOut']);
    const forged = Buffer.from('1:1:nonsense').toString('base64url');
    expect((await engine.call('SendTaskSuccess', { taskToken: forged, output: '1' })).body).toMatchObject({
      __type: 'InvalidToken',
    });
  });

  test('a back-off goes on where it was', async () => {
    answer = () => {
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
    clock.advance(60_000);
    await until(() => invoked.length === 2);
    await until(async () => (await types(execution)).filter((type) => type === 'LambdaFunctionFailed').length === 2);
    await restart();
    clock.advance(119_000);
    expect(invoked).toHaveLength(2);
    answer = () => '"done"';
    clock.advance(1_000);
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
    clock.advance(61_000);
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
    clock.advance(61_000);
    await ended(execution);
    await expect(begin(arn, 'one', '{"a":1}')).rejects.toThrow('ExecutionAlreadyExists');
    const twice = await Promise.all([begin(arn, 'two'), begin(arn, 'two')]);
    expect(twice[0]).toBe(twice[1]);
  });

  test('a status event that the listener refused is told again, also by the next engine', async () => {
    const arn = await create('told', machine({ Done: { Type: 'Succeed' } }));
    await engine.stop();
    let refused = 0;
    engine = await startStepFunctions({
      directory,
      clock,
      services: { invokeLambda: async () => ({ payload: '' }) },
      onStatusChange: async () => {
        refused += 1;
        throw new Error('not now');
      },
    });
    await begin(arn, 'one');
    await until(() => refused > 0);
    await restart();
    await until(() => events.length === 2);
    expect(events.map(({ name, status }) => [name, status])).toEqual([
      ['one', 'RUNNING'],
      ['one', 'SUCCEEDED'],
    ]);
    await restart();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(events).toHaveLength(2);
  });

  test('finished executions leave the journal, and can still be listed, described and read', async () => {
    await restart({ segmentSize: 20_000 });
    const arn = await create(
      'many',
      machine({ Work: { Type: 'Task', Resource: functionArn('work'), ResultPath: '$.r', End: true } }),
    );
    const sleeper = await begin(
      await create('sleeper', machine({ Sleep: { Type: 'Wait', Seconds: 3600, End: true } })),
      'one',
    );
    const pad = 'x'.repeat(500);
    const executions: string[] = [];
    for (let i = 0; i < 150; i += 1) executions.push(await begin(arn, `run-${i}`, JSON.stringify({ i, pad })));
    for (const execution of executions) await ended(execution);
    await until(async () => {
      await begin(arn, `more-${Math.random()}`);
      return journalSize() < 120_000;
    });
    for (const again of [false, true]) {
      if (again) await restart({ segmentSize: 20_000 });
      expect(JSON.parse((await call('DescribeExecution', { executionArn: executions[3]! })).output!)).toMatchObject({
        i: 3,
        r: { i: 3 },
      });
      expect(await types(executions[3]!)).toHaveLength(7);
      await expect(begin(arn, 'run-3', '{}')).rejects.toThrow('ExecutionAlreadyExists');
      expect((await list(arn)).filter((name) => name.startsWith('run-'))).toEqual(
        executions.map((_, i) => `run-${149 - i}`),
      );
    }
    clock.advance(3_600_000);
    await ended(sleeper);
    expect(await types(sleeper)).toEqual([
      'ExecutionStarted',
      'WaitStateEntered',
      'WaitStateExited',
      'ExecutionSucceeded',
    ]);
  });

  test('an expression without an end fails its own execution, and holds up no other for long', async () => {
    const endless = '{% ( $f := function($n) { $f($n + 1) }; $f(0) ) %}';
    const definition = {
      QueryLanguage: 'JSONata',
      StartAt: 'Loop',
      States: { Loop: { Type: 'Pass', Output: endless, End: true } },
    };
    const execution = await begin(await create('endless', JSON.stringify(definition)), 'one');
    await ended(execution);
    expect(await call('DescribeExecution', { executionArn: execution })).toMatchObject({
      status: 'FAILED',
      error: 'States.QueryEvaluationError',
      cause: expect.stringContaining('more than 1000000 steps'),
    });
  });

  const journalSize = () =>
    fs
      .readdirSync(directory)
      .filter((name) => name.endsWith('.log'))
      .reduce((sum, name) => sum + Math.min(fs.statSync(path.join(directory, name)).size, 20_000), 0);

  async function list(stateMachineArn: string): Promise<string[]> {
    const names: string[] = [];
    for (let nextToken: string | undefined; ; ) {
      const page = (await call('ListExecutions', { stateMachineArn, nextToken, maxResults: 40 })) as unknown as {
        executions: { name: string }[];
        nextToken?: string;
      };
      names.push(...page.executions.map(({ name }) => name));
      nextToken = page.nextToken;
      if (nextToken === undefined) return names;
    }
  }
});
