import { type Body, roleArn, SharedEngine } from '../../test/engine-fixture';

// A Task state starts an Express execution by `aws-sdk:sfn:startSyncExecution` and waits for it.

describe('a Task state runs an Express execution and waits', () => {
  const refused: string[] = [];
  let serial = 0;
  const { call, clock } = new SharedEngine({
    authorize({ action, resource }) {
      if (refused.includes(`${action} on ${resource}`)) throw new Error('');
    },
  });
  async function create(States: object, type: string, more: object = {}): Promise<string> {
    serial += 1;
    const definition = JSON.stringify({ ...more, StartAt: Object.keys(States)[0], States });
    return (await call('CreateStateMachine', { name: `m${serial}`, roleArn, definition, type })).stateMachineArn!;
  }
  /** Runs a Standard machine that waits for an Express one. `tick` is called while it runs. */
  async function parentOf(child: string, tick: () => void = () => undefined): Promise<Body> {
    const Arguments = { StateMachineArn: child, Input: '{% $string($states.input) %}' };
    const Resource = 'arn:aws:states:::aws-sdk:sfn:startSyncExecution';
    const parent = await create(
      { Call: { Type: 'Task', QueryLanguage: 'JSONata', Resource, Arguments, End: true } },
      'STANDARD',
    );
    const { executionArn } = await call('StartExecution', { stateMachineArn: parent, input: '{"a":1}' });
    for (;;) {
      const described = await call('DescribeExecution', { executionArn });
      if (described.status !== 'RUNNING') return described;
      tick();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  const answered = async (child: string, tick?: () => void) => JSON.parse((await parentOf(child, tick)).output!);

  test('its answer has the output as text, and what is billed', async () => {
    const child = await create({ P: { Type: 'Pass', Parameters: { 'b.$': '$.a' }, End: true } }, 'EXPRESS');
    expect(await answered(child)).toMatchObject({
      Status: 'SUCCEEDED',
      Output: '{"b":1}',
      Input: '{"a":1}',
      StateMachineArn: child,
      BillingDetails: { BilledMemoryUsedInMB: 64, BilledDurationInMilliseconds: 100 },
      StartDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
  });

  test('one that fails or times out is an answer, too: the task does not fail', async () => {
    const failing = await create({ F: { Type: 'Fail', Error: 'Broken', Cause: 'said so' } }, 'EXPRESS');
    const failed = await answered(failing);
    expect(failed).toMatchObject({ Status: 'FAILED', Error: 'Broken', Cause: 'said so' });
    expect(failed).not.toHaveProperty('Output');
    const sleeping = await create({ W: { Type: 'Wait', Seconds: 200, End: true } }, 'EXPRESS', { TimeoutSeconds: 100 });
    expect(await answered(sleeping, () => clock.advance(10_000))).toMatchObject({ Status: 'TIMED_OUT' });
  });

  test('it needs the right to start this machine, and an Express one', async () => {
    const child = await create({ S: { Type: 'Succeed' } }, 'EXPRESS');
    refused.push(`states:StartSyncExecution on ${child}`);
    expect(await parentOf(child)).toMatchObject({ status: 'FAILED', error: 'Sfn.SfnException' });
    const standard = await create({ S: { Type: 'Succeed' } }, 'STANDARD');
    expect(await parentOf(standard)).toMatchObject({ error: 'Sfn.StateMachineTypeNotSupportedException' });
  });
});
