import { startVigil, type Vigil } from './support/clouds/vigil';
import { longTest } from './support/long';
import type { Reply } from './support/servers/model-server';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { call, wordsOf } from './support/stories/transcript';

// A stop that was accepted always stops, in whatever state the run is; what was said so far stays.

const farAway = '2031-01-01T08:00:00Z';

describe('cancelling', () => {
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
  const cancelled = async (id: string) => (await vigil.user()).until(id, ({ status }) => status === 'cancelled');

  test('cuts the model off in mid-sentence: the words so far stay, no more come, and the talk goes on (R81, R82)', async () => {
    const text = 'Kyoto is lovely in May. Book early. Bring good shoes.';
    vigil.model.script([{ text, holdAfter: 34 }, { text: 'Gladly.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Tell me about Kyoto');
    await vigil.model.held();
    await ada.until(id, ({ messages }) => messages.some((message) => message.text.startsWith('Kyoto is lovely')));
    const { run } = await ada.cancel(id);
    vigil.model.release();
    const path = `/conversations/${id}/cancel`;
    expect(await ada.request('POST', path, { run: 'r' })).toMatchObject({ status: 400 });
    const over = await cancelled(id);
    expect(over.messages.at(-1)).toMatchObject({ status: 'cancelled', text: 'Kyoto is lovely in May. ' });
    expect(over.run).toMatchObject({ status: 'cancelled', reason: 'Cancelled by the user.' });
    expect((await vigil.ended(run!.id)).map(({ status }) => status)).toEqual(['ABORTED']);

    await ada.say(id, 'Something shorter, please');
    const done = await ada.finished(id);
    expect(done.messages.map(({ status, text: words }) => [status, words])).toEqual([
      ['complete', 'Tell me about Kyoto'],
      ['cancelled', 'Kyoto is lovely in May. '],
      ['complete', 'Something shorter, please'],
      ['complete', 'Gladly.'],
    ]);
    expect(
      vigil.model.requests
        .at(-1)!
        .messages.map(({ role, content }) => [role, content])
        .slice(1),
    ).toEqual([
      ['user', 'Tell me about Kyoto'],
      ['assistant', 'Kyoto is lovely in May. [cut off here]'],
      ['user', 'Something shorter, please'],
    ]);
    vigil.model.script([{ text: 'A third thing.', delayMs: 300 }]);
    await ada.say(id, 'And a third');
    // The first cancel, sent again since its answer was lost.
    expect(await ada.request('POST', path, { runId: run!.id })).toMatchObject({ status: 202 });
    expect((await ada.finished(id)).status).toBe('done');
  });

  test('in the first moment of a run stops it: nothing is said, nothing is done (R87)', async () => {
    // It is never released: however busy the machine is, no reply comes before the stop.
    vigil.model.script(() => ({ text: 'Too late.', holdAfter: 0 }));
    const ada = await vigil.user();
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const { id } = await ada.start('tester', 'Go', `first-${index}`);
        await ada.cancel(id);
        const over = await cancelled(id);
        expect(over.messages.filter(({ status }) => status === 'streaming')).toEqual([]);
        await vigil.ended(over.run!.id);
        const { run: after } = await ada.read(id);
        expect({ ...after, usage: undefined }).toEqual({ ...over.run, usage: undefined });
        // The request that was under way is counted once it is hung up, which may be later. There is no second one.
        expect(after!.usage.modelCalls).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('a sleeper: its execution ends, and the time comes without it (R87)', async () => {
    vigil.model.script([call('c', 'schedule', { at: farAway })]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Sleep');
    const { run } = await ada.asleep(id);
    await ada.cancel(id);
    expect((await cancelled(id)).calls).toMatchObject([{ status: 'cancelled' }]);
    expect((await vigil.ended(run!.id)).map(({ status }) => status)).toEqual(['ABORTED']);
    await vigil.advance('P2000D');
    expect(vigil.model.calls).toBe(1);
  });

  longTest('is refused where there is nothing to cancel, and to others', async () => {
    vigil.model.script([{ text: 'Hi.' }]);
    const [ada, eve] = await Promise.all([vigil.user(), vigil.user('eve')]);
    const { id } = await ada.start('tester');
    expect(await ada.request('POST', `/conversations/${id}/cancel`)).toMatchObject({ status: 409 });
    await ada.say(id, 'Hello');
    await ada.finished(id);
    const nothing = await ada.request('POST', `/conversations/${id}/cancel`);
    expect(nothing).toMatchObject({
      status: 409,
      body: { detail: 'There is nothing to cancel: the conversation is done.' },
    });
    expect((await eve.request('POST', `/conversations/${id}/cancel`)).status).toBe(404);
  });

  longTest('what is said while the rollback is at work begins the next run (R82)', async () => {
    const held = party.holdNext();
    const script = (said: number): Reply =>
      said === 0 ? call('c', 'pay', { url: party.url, cents: 500 }) : { text: `Reply ${said}.` };
    let said = 0;
    vigil.model.script(() => script(said++));
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Pay');
    await held;
    expect((await ada.cancel(id)).status).toBe('cancelling');
    await ada.say(id, 'And now something else');
    party.release();
    await vigil.advanceUntil(async () => (await ada.read(id)).status === 'done');
    const done = await ada.read(id);
    expect(wordsOf(done).at(-1)).toEqual(['tester', 'Reply 1.']);
    expect(done.calls).toMatchObject([{ status: 'undone' }]);
    expect(party.effectPaths.sort()).toEqual(['/pay/500', '/refund/500']);
  });
});
