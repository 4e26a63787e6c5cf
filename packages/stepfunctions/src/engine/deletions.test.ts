import fs from 'node:fs';
import { type Body, EngineFixture, functionArn, machine } from '../../test/engine-fixture';
import { startStepFunctions } from '../start';

const wait = (Seconds: number) =>
  machine({ Sleep: { Type: 'Wait', Seconds, Next: 'Done' }, Done: { Type: 'Succeed' } });
const cause = 'State machine m has been deleted.';

describe('a state machine that is deleted', () => {
  const fixture = new EngineFixture();
  const { restart, call, create, begin, types, until, ended } = fixture;
  const remove = (stateMachineArn: string) => call('DeleteStateMachine', { stateMachineArn });
  const gone = (stateMachineArn: string) =>
    until(async () => (await fixture.engine.call('DescribeStateMachine', { stateMachineArn })).status === 400);

  test.each([false, true])(
    'takes nothing new, fails its executions when they would go on, and is gone after the last (restarted: %p)',
    async (restarted) => {
      const again = async () => (restarted ? restart() : undefined);
      const stateMachineArn = await create('m', wait(60));
      const first = await begin(stateMachineArn, 'first');
      fixture.clock.advance(30_000);
      const last = await begin(stateMachineArn, 'last');
      await remove(stateMachineArn);
      await again();
      expect((await call('DescribeStateMachine', { stateMachineArn })).status).toBe('DELETING');
      await remove(stateMachineArn);
      const refused: [string, object][] = [
        ['StartExecution', { stateMachineArn, name: 'new' }],
        ['StartExecution', { stateMachineArn, name: 'first', input: '{}' }],
        ['UpdateStateMachine', { stateMachineArn, definition: wait(1) }],
        ['PublishStateMachineVersion', { stateMachineArn }],
        ['CreateStateMachine', { name: 'm', definition: wait(60), roleArn: 'arn:aws:iam::123456789012:role/r' }],
      ];
      for (const [action, body] of refused) await expect(call(action, body)).rejects.toThrow('StateMachineDeleting');

      fixture.clock.advance(30_000);
      await ended(first);
      const described = await call('DescribeExecution', { executionArn: first });
      expect(described).toMatchObject({ status: 'FAILED', error: 'States.Runtime', cause });
      expect(described.redriveStatusReason).toBe('State machine is in DELETING status');
      await expect(call('RedriveExecution', { executionArn: first })).rejects.toThrow('ExecutionNotRedrivable');
      expect(await types(first)).toEqual(['ExecutionStarted', 'WaitStateEntered', 'ExecutionFailed']);
      await again();
      expect(await types(first)).toEqual(['ExecutionStarted', 'WaitStateEntered', 'ExecutionFailed']);
      expect((await call('DescribeStateMachine', { stateMachineArn })).status).toBe('DELETING');

      fixture.clock.advance(30_000);
      await ended(last);
      await gone(stateMachineArn);
      await again();
      await gone(stateMachineArn);
      expect((await call('DescribeExecution', { executionArn: last })).cause).toBe(cause);
    },
  );

  test('is where it was for an engine that is started after each answer of a killed one', async () => {
    const stateMachineArn = await create('m', wait(60));
    const executionArn = await begin(stateMachineArn, 'one');
    await remove(stateMachineArn);
    expect(await afterKill(stateMachineArn, executionArn)).toEqual(['DELETING', 'RUNNING']);
    fixture.clock.advance(60_000);
    await ended(executionArn);
    // Whether the machine's own end was written or not, the next engine comes to it.
    expect(await afterKill(stateMachineArn, executionArn)).toEqual([undefined, 'FAILED']);
    await gone(stateMachineArn);
    await create('m', wait(60));
    expect(await afterKill(stateMachineArn, await begin(stateMachineArn, 'one'))).toEqual(['ACTIVE', 'RUNNING']);
  });

  /** What an engine says of both that starts on a copy of the folder as it is on disk now, without the first one's end. */
  async function afterKill(stateMachineArn: string, executionArn: string): Promise<unknown[]> {
    const copy = `${fixture.directory}-killed`;
    fs.cpSync(fixture.directory, copy, { recursive: true, filter: (file) => !file.endsWith('lock') });
    const services = { invokeLambda: () => Promise.reject(new Error('not called')) };
    const next = await startStepFunctions({ directory: copy, clock: fixture.clock, services });
    try {
      const machines = (await next.call('DescribeStateMachine', { stateMachineArn })).body as Body;
      const executions = (await next.call('DescribeExecution', { executionArn })).body as Body;
      return [machines.status, executions.status];
    } finally {
      await next.stop();
      fs.rmSync(copy, { recursive: true });
    }
  }

  test('is gone when its last execution is stopped, and at once where none runs', async () => {
    const stateMachineArn = await create('m', wait(3600));
    const executionArn = await begin(stateMachineArn, 'one');
    await remove(stateMachineArn);
    await call('StopExecution', { executionArn });
    await gone(stateMachineArn);
    expect((await call('DescribeExecution', { executionArn })).status).toBe('ABORTED');
    expect(await create('m', wait(1))).toBe(stateMachineArn);
    await remove(stateMachineArn);
    await expect(call('DescribeStateMachine', { stateMachineArn })).rejects.toThrow('StateMachineDoesNotExist');
  });

  test('lets a task end, and neither catches the failure nor tries again', async () => {
    fixture.answer = () => {
      throw new Error('broken');
    };
    const Retry = [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 60 }];
    const Catch = [{ ErrorEquals: ['States.ALL'], Next: 'Done' }];
    const Work = { Type: 'Task', Resource: functionArn('work'), Retry, Catch, Next: 'Done' };
    const stateMachineArn = await create('m', machine({ Work, Done: { Type: 'Succeed' } }));
    const executionArn = await begin(stateMachineArn, 'one');
    await until(async () => (await types(executionArn)).includes('LambdaFunctionFailed'));
    await remove(stateMachineArn);
    fixture.clock.advance(60_000);
    await ended(executionArn);
    expect(fixture.invoked).toEqual(['work']);
    expect(await call('DescribeExecution', { executionArn })).toMatchObject({ error: 'States.Runtime', cause });
  });

  test('is another one when it is created again: its executions are listed alone, and names are free', async () => {
    const names = async (stateMachineArn: string) =>
      (
        (await call('ListExecutions', { stateMachineArn })) as unknown as { executions: { name: string }[] }
      ).executions.map(({ name }) => name);
    await restart({ segmentSize: 20_000 });
    const arn = await create('m', machine({ Old: { Type: 'Succeed' } }));
    const pad = JSON.stringify('x'.repeat(2_000));
    for (let i = 0; i < 60; i += 1) await ended(await begin(arn, `e${i}`, pad));
    await remove(arn);
    for (const generation of [1, 2]) {
      expect(await create('m', machine({ New: { Type: 'Pass', Result: generation, End: true } }))).toBe(arn);
      expect(await names(arn)).toEqual([]);
      const execution = await begin(arn, 'e0', '1');
      await ended(execution);
      for (const segmentSize of [20_000, 20_001]) {
        expect((await call('DescribeExecution', { executionArn: execution })).output).toBe(String(generation));
        expect(await names(arn)).toEqual(['e0']);
        await restart({ segmentSize });
      }
      await remove(arn);
      expect((await call('DescribeExecution', { executionArn: `${execution.slice(0, -2)}e1` })).output).toBe(pad);
    }
  });
});
