import { ListExecutionsCommand, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { longTest } from './support/long';
import type { Reply } from './support/servers/model-server';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { call } from './support/stories/transcript';

// What a run did is undone when it is cancelled, newest first, once each, whatever dies meanwhile.

const farAway = '2031-01-01T08:00:00Z';

describe('rolling back', () => {
  let vigil: Vigil;
  let party: ThirdParty;
  beforeEach(async () => {
    party = await startThirdParty();
    vigil = await startVigil();
  });
  afterEach(async () => {
    await vigil?.stop();
    await party.stop();
  });
  const pay = (id: string, cents: number) => call(id, 'pay', { url: party.url, cents });
  const paidAndAsleep = async (agent = 'tester', ...amounts: number[]) => {
    const paid = amounts.map((cents, index): Reply => pay(`c${index}`, cents));
    vigil.model.script([...paid, call('s', 'schedule', { at: farAway }), { text: 'As you wish.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start(agent, 'Pay them all');
    const { run } = await ada.asleep(id);
    return { ada, id, run: run! };
  };
  const cancelled = async (id: string) => {
    await vigil.advanceUntil(async () => (await (await vigil.user()).read(id)).status === 'cancelled');
    return (await vigil.user()).read(id);
  };

  test('undoes what was done, newest first, and says so; the talk goes on knowing it (R88, R90)', async () => {
    const { ada, id } = await paidAndAsleep('tester', 100, 200, 300);
    expect((await ada.cancel(id)).status).toBe('cancelling');
    const over = await cancelled(id);
    expect(over.run!.reason).toBe('Cancelled by the user. 3 of 3 effects undone.');
    expect(over.calls.map(({ status }) => status)).toEqual(['undone', 'undone', 'undone', 'cancelled']);
    expect(party.effectPaths).toEqual([
      '/pay/100',
      '/pay/200',
      '/pay/300',
      '/refund/300',
      '/refund/200',
      '/refund/100',
    ]);

    await ada.say(id, 'Never mind');
    await ada.finished(id);
    const results = vigil.model.requests.at(-1)!.messages.filter(({ role }) => role === 'tool');
    expect(results.map(({ content }) => content).slice(0, 3)).toEqual(
      Array(3).fill('This was done and has been undone since.'),
    );
  });

  longTest(
    'an undo that fails for good is reported for its step; the others are undone all the same (R88)',
    async () => {
      const { ada, id } = await paidAndAsleep('tester', 100, 200);
      party.failNext(...Array(3).fill(500));
      await ada.cancel(id);
      const over = await cancelled(id);
      expect(over.run!.reason).toBe('Cancelled by the user. 1 of 2 effects undone. Not undone: pay.');
      expect(over.calls.slice(0, 2)).toMatchObject([
        { status: 'undone' },
        { status: 'completed', undoError: 'The attempt failed: Error.' },
      ]);
      expect(party.effectPaths).toEqual(['/pay/100', '/pay/200', '/refund/100']);
    },
  );

  test('a call at work when the run is cancelled is let finish, and is undone then (R88)', async () => {
    const held = party.holdNext();
    vigil.model.script([pay('c', 100)]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Pay');
    await held;
    await ada.cancel(id);
    party.release();
    expect((await cancelled(id)).calls).toMatchObject([{ status: 'undone' }]);
    expect(party.effectPaths).toEqual(['/pay/100', '/refund/100']);
  });

  longTest('the same after an abort in the console (R88)', async () => {
    const { id, run } = await paidAndAsleep('tester', 100);
    const [execution] = await vigil.executions(run.id);
    await vigil.stepFunctions.send(new StopExecutionCommand({ executionArn: execution!.executionArn! }));
    const over = await cancelled(id);
    expect(over.run!.reason).toBe('The execution was stopped from outside. 1 of 1 effects undone.');
    expect(party.effectPaths).toEqual(['/pay/100', '/refund/100']);
  });

  test('a failed run is held for a retry, which goes on; its effects stand (R89, R115)', async () => {
    vigil.model.script([pay('c', 100), { status: 401 }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Pay');
    const failed = await ada.finished(id);
    expect(failed.status).toBe('failed');
    await vigil.advance('P6D');
    expect((await ada.read(id)).status).toBe('failed');
    vigil.model.script([call('s', 'schedule', { at: farAway }), { text: 'Done.' }]);
    expect((await ada.request('POST', `/conversations/${id}/retry`)).status).toBe(202);
    await ada.asleep(id);
    await vigil.advance('P30D');
    expect(await ada.read(id)).toMatchObject({ status: 'sleeping', calls: [{ status: 'completed' }, {}] });
    expect(party.effectPaths).toEqual(['/pay/100']);
  });

  test('when the hold is over, it is rolled back (R89)', async () => {
    vigil.model.script([pay('c', 100), { status: 401 }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Pay');
    await ada.finished(id);
    await vigil.advance('P8D');
    const over = await cancelled(id);
    expect(over.run!.reason).toMatch(/^It failed and was not retried in time: .* 1 of 1 effects undone\.$/);
    expect(party.effectPaths).toEqual(['/pay/100', '/refund/100']);
  });

  longTest('cancelling a failed run rolls it back at once, and the end of the hold changes nothing (R89)', async () => {
    vigil.model.script([pay('c', 100), { status: 401 }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Pay');
    await ada.finished(id);
    await ada.cancel(id);
    const over = await cancelled(id);
    await vigil.advance('P8D');
    expect((await ada.read(id)).run).toEqual(over.run);
    expect(party.effectPaths).toEqual(['/pay/100', '/refund/100']);
  });

  longTest(
    'a message after a failure takes the place of a retry: what was done stands, and falls with the run that goes on (R89)',
    async () => {
      vigil.model.script([pay('c', 100), { status: 401 }]);
      const ada = await vigil.user();
      const { id } = await ada.start('tester', 'Pay');
      await ada.finished(id);
      vigil.model.script([pay('d', 200), call('s', 'schedule', { at: farAway })]);
      await ada.say(id, 'Go on');
      await ada.asleep(id);
      await vigil.advance('P8D');
      expect((await ada.read(id)).status).toBe('sleeping');
      await ada.cancel(id);
      expect((await cancelled(id)).run!.reason).toBe('Cancelled by the user. 2 of 2 effects undone.');
      expect(party.effectPaths.slice(2)).toEqual(['/refund/200', '/refund/100']);
    },
  );

  longTest('with no hold it is rolled back as soon as it fails (R89)', async () => {
    vigil.model.script([pay('c', 100), { status: 401 }]);
    const ada = await vigil.user();
    const { id } = await ada.start('rash', 'Pay');
    const over = await cancelled(id);
    expect(over.run!.reason).toMatch(/^It failed: .* 1 of 1 effects undone\.$/);
    expect(party.effectPaths).toEqual(['/pay/100', '/refund/100']);
  });

  longTest('a rollback that is stopped in the console ends, and says what is not undone (R88)', async () => {
    const { ada, id } = await paidAndAsleep('tester', 100, 200);
    party.failNext(500, 500, 500, 500, 500, 500);
    await vigil.fault({ function: 'NextUndo', kind: 'throttle', at: 'before', times: 100 });
    await ada.cancel(id);
    const machine = vigil.stateMachineArn.replace('AgentLoop', 'Rollback');
    const running = async () =>
      (await vigil.stepFunctions.send(new ListExecutionsCommand({ stateMachineArn: machine, statusFilter: 'RUNNING' })))
        .executions ?? [];
    await ada.until(id, () => true);
    await vigil.advanceUntil(async () => (await running()).length === 1);
    const [execution] = await running();
    await vigil.stepFunctions.send(new StopExecutionCommand({ executionArn: execution!.executionArn! }));
    const over = await cancelled(id);
    expect(over.run!.reason).toContain('0 of 2 effects undone. Not undone: pay, pay.');
    expect(party.effectPaths).toEqual(['/pay/100', '/pay/200']);
  });
});
