import { ListExecutionsCommand, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { startVigil, type Vigil } from './support/clouds/vigil';
import type { Reply } from './support/servers/model-server';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { nudgeToEnd } from './support/stories/patience';
import { call, wordsOf } from './support/stories/transcript';

// A run that failed is held: it goes on from where it stopped, with nothing done again, or what it did is undone. So it is when a run
// is cancelled: newest first, once each.

const farAway = '2031-01-01T08:00:00Z';
const refused: Reply = { status: 401 };

let vigil: Vigil;
let party: ThirdParty;
beforeAll(async () => {
  vigil = await startVigil();
});
afterAll(() => vigil?.stop());
beforeEach(async () => {
  party = await startThirdParty();
});
afterEach(() => party?.stop());

const pay = (id: string, cents: number) => call(id, 'pay', { url: party.url, cents });
const sleep = call('s', 'schedule', { at: farAway });
const retry = async (id: string, user = 'ada') =>
  (await vigil.user(user)).request('POST', `/conversations/${id}/retry`);
const cancelled = async (id: string) => {
  await vigil.advanceUntil(async () => (await (await vigil.user()).read(id)).status === 'cancelled');
  return (await vigil.user()).read(id);
};

describe('rolling back (R88)', () => {
  test('lets a call at work finish, undoes newest first, and says what it could not; the talk goes on knowing it (R90)', async () => {
    const ada = await vigil.user();
    const replies = [pay('a', 100), pay('b', 200), pay('c', 300)];
    vigil.model.script((_request, index) => {
      if (index === 2) void party.holdNext();
      return replies[index] ?? { text: 'As you wish.' };
    });
    const { id } = await ada.start('tester', 'Pay them all');
    await ada.until(id, () => party.effects === 3);
    expect((await ada.cancel(id)).status).toBe('cancelling');
    party.failNext(...Array(3).fill(500));
    party.release();
    const over = await cancelled(id);
    expect(over.run!.reason).toBe('Cancelled by the user. 2 of 3 effects undone. Not undone: pay.');
    expect(over.calls).toMatchObject([
      { status: 'undone' },
      { status: 'undone' },
      { status: 'completed', undoError: 'The attempt failed: Error.' },
    ]);
    expect(party.effectPaths).toEqual(['/pay/100', '/pay/200', '/pay/300', '/refund/200', '/refund/100']);

    await ada.say(id, 'Never mind');
    await ada.finished(id);
    const results = vigil.model.requests.at(-1)!.messages.filter(({ role }) => role === 'tool');
    expect(results.map(({ content }) => content).slice(0, 2)).toEqual(
      Array(2).fill('This was done and has been undone since.'),
    );
  });

  test('follows an abort in the console; a rollback that is aborted, too, says what is not undone; the talk goes on (R66)', async () => {
    const stop = (executionArn?: string) => vigil.stepFunctions.send(new StopExecutionCommand({ executionArn }));
    vigil.model.script([pay('a', 100), pay('b', 200), sleep]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Pay them all');
    const { run } = await ada.asleep(id);
    await vigil.fault({ function: 'Pay', kind: 'throttle', at: 'before', times: 100 });
    await stop((await vigil.executions(run!.id))[0]!.executionArn);
    const stateMachineArn = vigil.stateMachineArn.replace('AgentLoop', 'Rollback');
    const rollbacks = new ListExecutionsCommand({ stateMachineArn, statusFilter: 'RUNNING' });
    const running = async () => (await vigil.stepFunctions.send(rollbacks)).executions ?? [];
    await vigil.advanceUntil(async () => (await running()).length === 1);
    await stop((await running())[0]!.executionArn);
    const over = await cancelled(id);
    expect(over.run!.reason).toMatch(
      /^The execution was stopped from outside\..* 0 of 2 effects undone\. Not undone: pay, pay\.$/,
    );
    expect(party.effectPaths).toEqual(['/pay/100', '/pay/200']);
    await vigil.clearFaults();
    vigil.model.script([{ text: 'I am here.' }]);
    await ada.say(id, 'Hello?');
    expect(wordsOf(await ada.finished(id)).at(-1)).toEqual(['tester', 'I am here.']);
  });
});

describe('a run that failed (R89, R115)', () => {
  async function failedAfterPaying(...more: Reply[]) {
    vigil.model.script([pay('c', 100), refused, ...more]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Pay');
    expect((await nudgeToEnd(vigil, id)).status).toBe('failed');
    return { ada, id };
  }

  test('is held, goes on with its effects when it is retried, and is rolled back when a hold is over', async () => {
    const { ada, id } = await failedAfterPaying(pay('d', 200), refused);
    await vigil.advance('P6D');
    expect((await ada.read(id)).status).toBe('failed');
    expect((await retry(id)).status).toBe(202);
    const again = await ada.until(id, ({ status, run }) => status === 'failed' && run?.segment === 2);
    // The first hold would be over.
    await vigil.advance('P6D');
    expect(await ada.read(id)).toEqual(again);
    expect(again.calls).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
    await vigil.advance('P2D');
    expect((await cancelled(id)).run!.reason).toMatch(
      /^It failed and was not retried in time: .* 2 of 2 effects undone\.$/,
    );
    expect(party.effectPaths).toEqual(['/pay/100', '/pay/200', '/refund/200', '/refund/100']);
  });

  test('goes on with a message as with a retry; cancelled, all is rolled back at once, and the end of a hold changes nothing', async () => {
    const { ada, id } = await failedAfterPaying();
    const at = new Date(+(await vigil.now()) + 9 * 86_400_000).toISOString();
    vigil.model.script([pay('d', 200), call('s', 'schedule', { at }), refused]);
    await ada.say(id, 'Go on');
    await ada.asleep(id);
    await vigil.advance('P8D');
    expect((await ada.read(id)).status).toBe('sleeping');
    await vigil.advance('P2D');
    await ada.until(id, ({ status }) => status === 'failed');
    await ada.cancel(id);
    const over = await cancelled(id);
    expect(over.run!.reason).toMatch(/ 2 of 2 effects undone\.$/);
    await vigil.advance('P8D');
    expect((await ada.read(id)).run).toEqual(over.run);
    expect(party.effectPaths).toEqual(['/pay/100', '/pay/200', '/refund/200', '/refund/100']);
  });

  test('is rolled back as soon as it fails where there is no hold', async () => {
    vigil.model.script([pay('c', 100), refused]);
    const { id } = await (await vigil.user()).start('rash', 'Pay');
    expect((await cancelled(id)).run!.reason).toMatch(/^It failed: .* 1 of 1 effects undone\.$/);
    expect(party.effectPaths).toEqual(['/pay/100', '/refund/100']);
  });

  test('goes on at the step whose model call failed, once, however often it is asked; others may not, and then there is nothing to retry', async () => {
    vigil.model.script([call('c1', 'current_time', {}), refused]);
    const { id } = await (await vigil.user()).start('tester', 'What time is it?');
    const failed = await nudgeToEnd(vigil, id);
    expect(failed).toMatchObject({ status: 'failed', run: { step: 1 } });
    const calls = vigil.model.calls;
    expect((await retry(id, 'eve')).status).toBe(404);

    vigil.model.script([{ text: 'Tea time.' }]);
    const both = await Promise.all([retry(id), retry(id)]);
    expect(both.every(({ status }) => status === 202 || status === 409)).toBe(true);
    expect(both.find(({ status }) => status === 202)).toMatchObject({
      body: { status: 'running', run: { segment: 2, id: failed.run!.id } },
    });
    const done = await nudgeToEnd(vigil, id);
    expect(done.run).toMatchObject({ status: 'done', step: 2, segment: 2 });
    expect(done.run!.reason).toBeUndefined();
    expect(wordsOf(done)).toEqual([
      ['user', 'What time is it?'],
      ['tester', 'Tea time.'],
    ]);
    expect(done.messages.map(({ status }) => status)).toEqual(['complete', 'complete', 'complete']);
    expect(vigil.model.calls - calls).toBe(1);
    const before = ['CallModel', 'Route', 'current_time', 'CallModel', 'Settle', 'Failed'];
    expect(await vigil.states(done.run!.id)).toEqual([...before, 'CallModel', 'Route', 'Done']);
    expect(await vigil.executions(done.run!.id)).toHaveLength(2);
    expect(await retry(id)).toMatchObject({
      status: 409,
      body: {
        title: 'Conflict',
        detail: 'Only a run that failed or reached a limit can be retried; this one is done.',
      },
    });
  });

  test('goes on at the tool that ended it: that is called again, the model is not; a limit that stays is reached again', async () => {
    vigil.model.script([call('c1', 'misbehave', { way: 'terminal once' }), { text: 'It works now.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Try it');
    expect(await nudgeToEnd(vigil, id)).toMatchObject({
      status: 'failed',
      run: { reason: 'This account is closed for good.' },
      calls: [{ attempts: 1 }],
    });
    await retry(id);
    const done = await nudgeToEnd(vigil, id);
    expect(done).toMatchObject({ status: 'done', calls: [{ status: 'completed', attempts: 2 }] });
    expect(vigil.model.requests.at(-1)!.messages.filter(({ role }) => role === 'tool')).toHaveLength(1);

    vigil.model.script((_request, index) => call(`c${index}`, 'current_time', {}));
    const { id: limited } = await ada.start('brief', 'Go on and on');
    expect(await nudgeToEnd(vigil, limited)).toMatchObject({ status: 'limited' });
    await retry(limited);
    const again = await ada.until(limited, ({ status, run }) => status === 'limited' && run?.segment === 2);
    expect(again.run).toMatchObject({ step: 5 });
  });
});
