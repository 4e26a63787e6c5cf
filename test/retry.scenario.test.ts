import { startVigil, type Vigil } from './support/clouds/vigil';
import { longTest } from './support/long';
import { nudgeToEnd } from './support/stories/patience';
import { call, wordsOf } from './support/stories/transcript';

// A run that failed goes on from where it stopped, in its next segment, with nothing done again.

describe('retry (R115)', () => {
  let vigil: Vigil;
  beforeAll(async () => {
    vigil = await startVigil();
  });
  afterAll(() => vigil?.stop());
  const retry = async (id: string) => (await vigil.user()).request('POST', `/conversations/${id}/retry`);

  test('goes on at the step whose model call failed: the steps before it are not paid again', async () => {
    vigil.model.script([call('c1', 'current_time', {}), { status: 401 }]);
    const { id } = await (await vigil.user()).start('tester', 'What time is it?');
    const failed = await nudgeToEnd(vigil, id);
    expect(failed).toMatchObject({ status: 'failed', run: { step: 1 } });
    const calls = vigil.model.calls;

    vigil.model.script([{ text: 'Tea time.' }]);
    expect(await retry(id)).toMatchObject({
      status: 202,
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
    expect(await vigil.states(done.run!.id)).toEqual([
      'CallModel',
      'Route',
      'current_time',
      'CallModel',
      'Settle',
      'Failed',
      'CallModel',
      'Route',
      'Done',
    ]);
  });

  test('goes on at the tool that ended the run: it is called again, the model is not', async () => {
    vigil.model.script([call('c1', 'misbehave', { way: 'terminal once' }), { text: 'It works now.' }]);
    const { id } = await (await vigil.user()).start('tester', 'Try it');
    expect(await nudgeToEnd(vigil, id)).toMatchObject({ status: 'failed', calls: [{ attempts: 1 }] });
    await retry(id);
    const done = await nudgeToEnd(vigil, id);
    expect(done).toMatchObject({ status: 'done', calls: [{ status: 'completed', attempts: 2 }] });
    expect(vigil.model.requests.at(-1)!.messages.filter(({ role }) => role === 'tool')).toHaveLength(1);
  });

  longTest('of a run that reached its limit reaches it again, unless the limit was raised', async () => {
    vigil.model.script((_request, index) => call(`c${index}`, 'current_time', {}));
    const { id } = await (await vigil.user()).start('brief', 'Go on and on');
    expect(await nudgeToEnd(vigil, id)).toMatchObject({ status: 'limited' });
    await retry(id);
    const again = await (await vigil.user()).until(id, ({ status, run }) => status === 'limited' && run?.segment === 2);
    expect(again.run).toMatchObject({ step: 5 });
  });

  test('is refused where there is nothing to go on with, and to others', async () => {
    vigil.model.script([{ text: 'Fine.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Hello');
    await ada.finished(id);
    expect(await retry(id)).toMatchObject({
      status: 409,
      body: {
        title: 'Conflict',
        detail: 'Only a run that failed or reached a limit can be retried; this one is done.',
      },
    });
    expect((await (await vigil.user('eve')).request('POST', `/conversations/${id}/retry`)).status).toBe(404);
  });

  longTest('twice at once is one', async () => {
    vigil.model.script([{ status: 401 }]);
    const { id } = await (await vigil.user()).start('tester', 'Hello');
    await nudgeToEnd(vigil, id);
    vigil.model.script([{ text: 'Hello to you.' }]);
    const both = await Promise.all([retry(id), retry(id)]);
    expect(both.every(({ status }) => status === 202 || status === 409)).toBe(true);
    const done = await nudgeToEnd(vigil, id);
    expect(done.run).toMatchObject({ status: 'done', segment: 2 });
    expect(await vigil.executions(done.run!.id)).toHaveLength(2);
  });
});
