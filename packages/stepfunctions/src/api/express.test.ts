import { type Body, functionArn, machine, roleArn, SharedEngine } from '../../test/engine-fixture';

describe('an Express state machine', () => {
  /** What the function answers, call by call; an error's name is thrown. */
  let answers: (object | string)[];

  const { call, clock } = new SharedEngine({
    services: {
      async invokeLambda() {
        const answer = answers.shift() ?? {};
        if (typeof answer === 'string')
          return {
            payload: JSON.stringify({ errorType: answer, errorMessage: 'said so' }),
            functionError: 'Unhandled',
          };
        return { payload: JSON.stringify(answer) };
      },
    },
  });

  async function run(name: string, States: object): Promise<Body> {
    const body = { name, roleArn, definition: machine(States), type: 'EXPRESS' };
    const { stateMachineArn } = await call('CreateStateMachine', body);
    return call('StartSyncExecution', { stateMachineArn, name: 'run', input: '{"a":1}' });
  }
  const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
  const Call = { Type: 'Task', Resource: functionArn('f'), End: true };

  test('runs for five minutes at most', async () => {
    const ended = run('long', { Wait: { Type: 'Wait', Seconds: 301, End: true } });
    await settled();
    clock.advance(300_000);
    expect(await ended).toMatchObject({ status: 'TIMED_OUT' });
  });

  test('tries its task again', async () => {
    answers = ['Busy', { fine: true }];
    const Retry = [{ ErrorEquals: ['Busy'], IntervalSeconds: 1 }];
    const ended = run('retry', { Call: { ...Call, Retry } });
    while (answers.length > 1) await settled();
    await settled();
    clock.advance(1_100);
    expect(await ended).toMatchObject({ status: 'SUCCEEDED', output: '{"fine":true}' });
    expect(answers).toEqual([]);
  });

  test('catches what its task fails with', async () => {
    answers = ['Broken'];
    const Catch = [{ ErrorEquals: ['Broken'], Next: 'Caught', ResultPath: null }];
    const States = { Call: { ...Call, Catch }, Caught: { Type: 'Pass', Result: 'caught', End: true } };
    expect(await run('catch', States)).toMatchObject({ status: 'SUCCEEDED', output: '"caught"' });
  });

  test('knows its own ARN, the one that its caller is told', async () => {
    const { executionArn, output } = await run('context', {
      P: { Type: 'Pass', Parameters: { 'x.$': '$$' }, End: true },
    });
    const { Execution } = (JSON.parse(output!) as { x: { Execution: Body } }).x;
    expect(executionArn).toMatch(/^arn:aws:states:us-east-1:123456789012:express:context:run:[0-9a-f-]{36}$/);
    expect(Execution).toMatchObject({ Id: executionArn, Name: 'run' });
    expect(Execution).not.toHaveProperty('RedriveCount');
  });

  test('is started by another, twice by the same name', async () => {
    answers = [];
    const stateMachineArn = 'arn:aws:states:us-east-1:123456789012:stateMachine:child';
    await run('child', { Call });
    const Start = {
      Type: 'Task',
      Resource: 'arn:aws:states:::states:startExecution',
      Parameters: { StateMachineArn: stateMachineArn, Name: 'same' },
    };
    const { status, output } = await run('parent', { A: { ...Start, Next: 'B' }, B: { ...Start, End: true } });
    expect(status).toBe('SUCCEEDED');
    expect(JSON.parse(output!)).toMatchObject({ ExecutionArn: expect.stringContaining(':express:child:same:') });
  });
});
