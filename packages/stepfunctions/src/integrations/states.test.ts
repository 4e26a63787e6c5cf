import { machine, SharedEngine } from '../../test/engine-fixture';

describe('a Task state starts another execution', () => {
  const { call, create, ended, play } = new SharedEngine();
  const run = async (Resource: string, Parameters: object) =>
    ended(await play({ Call: { Type: 'Task', Resource: `arn:aws:states:::${Resource}`, Parameters, End: true } }));

  let child: string;
  let count = 0;
  beforeEach(async () => {
    count += 1;
    const W = { Type: 'Wait', Seconds: 60, Next: 'P' };
    child = await create(`child${count}`, machine({ W, P: { Type: 'Pass', Result: { done: true }, End: true } }));
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
    const parent = await play({ Call: { Type: 'Task', Resource: started('.sync'), Parameters, End: true } });
    while ((await running()).executions.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const [nested] = (await running()).executions as unknown as { executionArn: string }[];
    const { input } = await call('DescribeExecution', { executionArn: nested!.executionArn });
    const { token } = JSON.parse(input!) as { token: string };
    await call('SendTaskSuccess', { taskToken: token, output: '{"early":true}' });
    expect(await ended(parent)).toMatchObject({ status: 'SUCCEEDED', output: '{"early":true}' });
  });

  test('and takes it along when it is stopped', async () => {
    const parent = await play({
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
