import { movedClock } from '../clock/moved-clock';
import { type StepFunctions, startStepFunctions } from '../start';

type Body = Record<string, string>;
const roleArn = 'arn:aws:iam::123456789012:role/machine';

describe('a Task state starts another execution', () => {
  const clock = movedClock();
  let engine: StepFunctions;
  beforeEach(async () => {
    engine = await startStepFunctions({ clock, services: { invokeLambda: async ({ payload }) => ({ payload }) } });
  });
  afterEach(() => engine.stop());
  afterAll(() => clock.stop());

  async function call(action: string, body: object): Promise<Body> {
    const { status, body: answered } = await engine.call(action, body);
    if (status !== 200) throw new Error(JSON.stringify(answered));
    return answered as Body;
  }
  let count = 0;
  async function begin(states: object): Promise<string> {
    count += 1;
    const definition = JSON.stringify({ StartAt: Object.keys(states)[0], States: states });
    const { stateMachineArn } = await call('CreateStateMachine', { name: `m${count}`, roleArn, definition });
    return (await call('StartExecution', { stateMachineArn })).executionArn!;
  }
  async function ended(executionArn: string): Promise<Body> {
    for (let i = 0; i < 300; i += 1) {
      const described = await call('DescribeExecution', { executionArn });
      if (described.status !== 'RUNNING') return described;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error('still running');
  }
  const run = async (Resource: string, Parameters: object) =>
    ended(await begin({ Call: { Type: 'Task', Resource: `arn:aws:states:::${Resource}`, Parameters, End: true } }));

  let child: string;
  beforeEach(async () => {
    count += 1;
    const definition = JSON.stringify({
      StartAt: 'W',
      States: { W: { Type: 'Wait', Seconds: 60, Next: 'P' }, P: { Type: 'Pass', Result: { done: true }, End: true } },
    });
    child = (await call('CreateStateMachine', { name: `child${count}`, roleArn, definition })).stateMachineArn!;
  });
  const started = (pattern: string) => `arn:aws:states:::states:startExecution${pattern}`;
  const running = async () =>
    (await call('ListExecutions', { stateMachineArn: child })) as unknown as {
      executions: { name: string; status: string }[];
    };

  test('and goes on', async () => {
    const { output } = await run('states:startExecution', { StateMachineArn: child, Name: 'one', Input: { a: 1 } });
    expect(JSON.parse(output!).ExecutionArn).toBe(`${child.replace('stateMachine', 'execution')}:one`);
    const again = await run('states:startExecution', { StateMachineArn: child, Name: 'one', Input: { a: 2 } });
    expect(again).toMatchObject({ error: 'StepFunctions.ExecutionAlreadyExistsException' });
  });

  test.each<[string, unknown]>([
    ['.sync', '{"done":true}'],
    ['.sync:2', { done: true }],
  ])('and waits for its end (%s)', async (pattern, output) => {
    const parent = await begin({
      Call: { Type: 'Task', Resource: started(pattern), Parameters: { StateMachineArn: child }, End: true },
    });
    while ((await running()).executions.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    clock.advance(61_000);
    const described = await ended(parent);
    expect(JSON.parse(described.output!)).toMatchObject({ Status: 'SUCCEEDED', Output: output });
  });

  test.each<[string, object, string]>([
    ['an input that is no JSON', { Input: 'text' }, 'InvalidExecutionInputException'],
    ['an ARN that is none', { StateMachineArn: 'm' }, 'InvalidArnException'],
  ])('but not with %s', async (_what, parameters, error) => {
    const failed = await run('states:startExecution', { StateMachineArn: child, ...parameters });
    expect(failed.error).toBe(`StepFunctions.${error}`);
  });

  test('by the API with an input of JSON', async () => {
    await run('aws-sdk:sfn:startExecution', { StateMachineArn: child, Name: 'sdk', Input: { Key: { a: 1 } } });
    const executionArn = `${child.replace('stateMachine', 'execution')}:sdk`;
    expect((await call('DescribeExecution', { executionArn })).input).toBe('{"Key":{"a":1}}');
  });

  test('and goes on when the token is answered meanwhile', async () => {
    const Parameters = { StateMachineArn: child, Input: { 'token.$': '$$.Task.Token' } };
    const parent = await begin({ Call: { Type: 'Task', Resource: started('.sync'), Parameters, End: true } });
    while ((await running()).executions.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const [nested] = (await running()).executions as unknown as { executionArn: string }[];
    const { input } = await call('DescribeExecution', { executionArn: nested!.executionArn });
    const { token } = JSON.parse(input!) as { token: string };
    await call('SendTaskSuccess', { taskToken: token, output: '{"early":true}' });
    expect(await ended(parent)).toMatchObject({ status: 'SUCCEEDED', output: '{"early":true}' });
  });

  test('and takes it along when it is stopped', async () => {
    const parent = await begin({
      Call: { Type: 'Task', Resource: started('.sync'), Parameters: { StateMachineArn: child }, End: true },
    });
    while ((await running()).executions.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await call('StopExecution', { executionArn: parent });
    while ((await running()).executions[0]!.status === 'RUNNING')
      await new Promise((resolve) => setTimeout(resolve, 5));
    const [nested] = (await running()).executions as unknown as { executionArn: string; status: string }[];
    expect(nested!.status).toBe('ABORTED');
    const { cause } = await call('DescribeExecution', { executionArn: nested!.executionArn });
    expect(cause).toContain(`execution [${parent}] which was managing this resource was aborted`);
  });

  test.each(['.sync', '.sync:2'])('and fails with the description of one that fails (%s)', async (pattern) => {
    const definition = JSON.stringify({ StartAt: 'F', States: { F: { Type: 'Fail', Error: 'Boom', Cause: 'c' } } });
    const { stateMachineArn } = await call('CreateStateMachine', { name: `f${count}`, roleArn, definition });
    const failed = await run(`states:startExecution${pattern}`, { StateMachineArn: stateMachineArn, Input: { k: 1 } });
    expect(failed.error).toBe('States.TaskFailed');
    expect(JSON.parse(failed.cause!)).toMatchObject({ Error: 'Boom', Cause: 'c', Input: '{"k":1}', Status: 'FAILED' });
  });

  test('by the API as a whole', async () => {
    const { output } = await run('aws-sdk:sfn:describeStateMachine', { StateMachineArn: child });
    expect(JSON.parse(output!)).toMatchObject({
      StateMachineArn: child,
      Status: 'ACTIVE',
      CreationDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    const missing = await run('aws-sdk:sfn:describeStateMachine', { StateMachineArn: `${child}x` });
    expect(missing).toMatchObject({ error: 'Sfn.StateMachineDoesNotExistException' });
  });
});
