import { startVigil, type Vigil } from './support/clouds/vigil';
import { longTest } from './support/long';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { deliver } from './support/servers/webhook';
import { call, resultsIn, unquoted, wordsOf } from './support/stories/transcript';

// What comes later, when nobody waits for it: `order_later` answers at once, and the delivery is a message.

describe('a tool whose outside system answers later', () => {
  let vigil: Vigil;
  let party: ThirdParty;
  beforeEach(async () => {
    [vigil, party] = await Promise.all([startVigil(), startThirdParty()]);
  });
  afterEach(() => Promise.all([vigil?.stop(), party?.stop()]));

  const address = () => (party.bodies.at(-1) as { webhookUrl: string }).webhookUrl;
  const ordering = () => call('c', 'order_later', { url: party.url });
  const lastTold = () => unquoted(String(vigil.model.requests.at(-1)!.messages.at(-1)!.content));

  async function ordered() {
    vigil.model.script([ordering(), { text: 'I have ordered it.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Order one');
    const done = await ada.finished(id);
    expect(done.calls).toMatchObject([{ status: 'completed', result: { processing: true } }]);
    expect(done.callbacks).toMatchObject([{ kind: 'webhook', status: 'pending' }]);
    expect(done.timers).toEqual([]);
    return { ada, id, done, url: address() };
  }

  test('the run ends; days later the delivery is a message about the call, and wakes the idle agent (R46, R47, R52)', async () => {
    const { ada, id, done, url } = await ordered();
    await vigil.advance('P3D');
    vigil.model.append({ text: 'Your parcel is here.' });
    const answers = await Promise.all([1, 2].map((parcel) => deliver(url, { parcel })));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    const woken = await ada.until(id, ({ run, status }) => run?.id !== done.run!.id && status === 'done');
    const told = woken.messages.filter(({ role }) => role === 'system');
    expect(told).toMatchObject([{ author: 'order_later', about: done.calls[0]!.id }]);
    expect(told[0]!.text).toMatch(/^The work that order_later started on .* is done\. .*\{"parcel":[12]\}$/);
    expect(lastTold()).toContain(told[0]!.text);
    expect(woken.callbacks).toMatchObject([{ status: 'answered' }]);
    expect(wordsOf(woken).at(-1)).toEqual(['tester', 'Your parcel is here.']);

    // It was delivered: nothing is said when the week is over.
    await vigil.advance('P8D');
    expect((await ada.read(id)).messages).toEqual(woken.messages);
    expect(vigil.model.calls).toBe(3);
  });

  test('nothing is delivered in a week: the idle agent hears of it, once, and whoever comes later is refused (R47)', async () => {
    const { ada, id, done, url } = await ordered();
    vigil.model.append({ text: 'It has not come.' });
    await vigil.advance('P8D');
    const told = await ada.until(id, ({ run, status }) => run?.id !== done.run!.id && status === 'done');
    expect(told.callbacks).toMatchObject([{ status: 'expired' }]);
    expect(told.messages.filter(({ role }) => role === 'system')).toMatchObject([
      {
        author: 'order_later',
        about: done.calls[0]!.id,
        text: expect.stringMatching(/Nothing was delivered within a week\.$/),
      },
    ]);
    expect(lastTold()).toContain('Nothing was delivered within a week.');
    expect(await deliver(url, {})).toMatchObject({
      status: 409,
      body: { detail: 'This has expired and can no longer be answered.' },
    });
    expect(told.timers).toEqual([]);
    expect(vigil.model.calls).toBe(3);
  });

  longTest('it wakes a run that sleeps, and feeds one that is busy (R46, R56)', async () => {
    const at = new Date((await vigil.now()).getTime() + 20 * 86_400_000).toISOString();
    const other = await startThirdParty();
    vigil.model.script([
      ordering(),
      call('s', 'schedule', { at }),
      { text: 'It is here, before I had to look.' },
      ordering(),
      call('m', 'hit', { url: other.url }),
      { text: 'And so is the second.' },
    ]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Order one and look in three weeks');
    await ada.asleep(id);
    expect((await deliver(address(), 'first')).status).toBe(202);
    const woken = await ada.finished(id);
    expect(woken.run!.segment).toBe(2);
    expect(resultsIn(vigil).at(-1)).toMatch(/^Interrupted/);
    expect(lastTold()).toMatch(/"first"$/);

    const seen = woken.messages.filter(({ sources }) => sources).map(({ seq }) => seq);
    expect((await ada.request('POST', `/conversations/${id}/trust`, { messages: seen })).status).toBe(200);
    const atWork = other.holdNext();
    await ada.say(id, 'And another one');
    await atWork;
    expect((await deliver(address(), 'second')).status).toBe(202);
    other.release();
    const done = await ada.until(id, ({ run, status }) => run?.id !== woken.run!.id && status === 'done');
    expect(done.run!.step).toBe(3);
    expect(lastTold()).toMatch(/"second"$/);
    await other.stop();
  });

  longTest('a call whose attempts all failed: a delivery that comes all the same is news (R47)', async () => {
    party.failNext(500, 500, 500, 500, 500);
    vigil.model.script([ordering(), { text: 'It did not work.' }, { text: 'Oh!' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Order one');
    for (let tries = 0; tries < 60 && (await ada.read(id)).status !== 'done'; tries++) await vigil.advance('PT1M');
    expect((await ada.finished(id)).calls).toMatchObject([{ status: 'unknown' }]);
    expect((await deliver(address(), 'after all')).status).toBe(202);
    await ada.until(id, () => vigil.model.calls === 3);
    expect(lastTold()).toMatch(/"after all"$/);
  });

  test('what is deleted stays deleted: nothing can be delivered to it (R124)', async () => {
    const { ada, id, url } = await ordered();
    expect((await ada.request('DELETE', `/conversations/${id}`)).status).toBeLessThan(300);
    expect((await deliver(url, { parcel: 7 })).status).toBe(404);
    await vigil.advance('P8D');
    expect(vigil.model.calls).toBe(2);
  });
});
