import { startVigil, type Vigil } from './support/clouds/vigil';
import { stepsTo } from './support/history';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { deliver, send } from './support/servers/webhook';
import { nudgeToEnd } from './support/stories/patience';
import { call, resultsIn, unquoted, wordsOf } from './support/stories/transcript';

// What an outside system delivers. `order` tells it the address, and waits for the result; `order_later` answers at once, and the
// delivery is a message.

describe('an outside system', () => {
  let vigil: Vigil;
  let party: ThirdParty;
  beforeAll(async () => {
    [vigil, party] = await Promise.all([startVigil(), startThirdParty()]);
  });
  afterAll(() => Promise.all([vigil?.stop(), party?.stop()]));
  beforeEach(() => {
    party.bodies.length = 0;
  });

  const addresses = () => party.bodies.map((body) => (body as { webhookUrl: string }).webhookUrl);
  const address = () => addresses().at(-1)!;
  const ordering = (tool = 'order', path = '') => call('c', tool, { url: `${party.url}${path}` });
  const lastTold = () => unquoted(String(vigil.model.requests.at(-1)!.messages.at(-1)!.content));

  async function orderedLater() {
    vigil.model.script([ordering('order_later'), { text: 'I have ordered it.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Order one');
    const done = await ada.finished(id);
    expect(done.calls).toMatchObject([{ status: 'completed', result: { processing: true } }]);
    expect(done.callbacks).toMatchObject([{ kind: 'webhook', status: 'pending' }]);
    expect(done.timers).toEqual([]);
    const next = () => ada.until(id, ({ run, status }) => run?.id !== done.run!.id && status === 'done');
    return { ada, id, done, url: address(), next, calls: vigil.model.calls };
  }

  test('is waited for without holding anybody, twice in one reply; only what it signed is taken, once; the results are in call order (R28, R46, R51, R53, R57, R108, R124)', async () => {
    const orders = [ordering('order', '/1'), call('t', 'current_time', {}), ordering('order', '/2')];
    const toolCalls = orders.flatMap(({ toolCalls = [] }, index) =>
      toolCalls.map((one) => ({ ...one, id: `c${index}` })),
    );
    vigil.model.script([{ toolCalls }, { text: 'Both are here.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Order two');
    const waiting = await ada.waiting(id);
    expect(waiting.callbacks).toMatchObject(Array(2).fill({ kind: 'webhook', status: 'pending', tool: 'order' }));
    const [first, , second] = waiting.calls;
    expect(first).toMatchObject({ status: 'waiting', callbackId: expect.any(String) });
    expect((await ada.list()).conversations.find((one) => one.id === id)).toMatchObject({ status: 'waiting' });
    const places = party.effectPaths.slice(-2).map((path) => path.split('/')[1]);
    const [to, toSecond] = [addresses()[places.indexOf('1')]!, addresses()[places.indexOf('2')]!];
    await vigil.advance('P3D');

    const [start, token] = [to.slice(0, to.lastIndexOf('/') + 1), to.slice(to.lastIndexOf('/') + 1)];
    const [claims, signed] = token.split('.') as [string, string];
    const other = Buffer.from(JSON.stringify(['other', 'callback'])).toString('base64url');
    const flipped = `${signed.startsWith('A') ? 'B' : 'A'}${signed.slice(1)}`;
    const forged = [`${other}.${signed}`, `${claims}.${flipped}`, claims, `${claims}.`, `${token}.x`, `${token}x`, 'x'];
    for (const each of forged) expect([each, (await deliver(start + each, {})).status]).toEqual([each, 404]);
    // The bytes decide, whatever type they are announced as.
    for (const [body, type] of [
      ['not { JSON', 'application/json'],
      ['', 'application/json'],
      ['parcel=7', 'application/x-www-form-urlencoded'],
    ] as const)
      expect(await send(to, body, type)).toMatchObject({ status: 400, type: 'application/problem+json' });
    expect((await ada.read(id)).calls.filter(({ status }) => status === 'waiting')).toHaveLength(2);

    // Without a bearer token: the address is its own key.
    expect(await deliver(toSecond, 'second')).toMatchObject({ status: 202, body: { taken: true } });
    const half = await ada.until(id, ({ calls }) => calls.find((one) => one.id === second!.id)!.status === 'completed');
    expect(half.status).toBe('waiting');
    const answers = await Promise.all([deliver(to, { parcel: 1 }), deliver(to, { parcel: 2 })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    const refused = answers.find(({ status }) => status === 409)!;
    expect(refused.type).toBe('application/problem+json');
    expect(refused.body).not.toHaveProperty('outcome');
    const done = await ada.finished(id);
    const parcel = answers[0]!.status === 202 ? 1 : 2;
    expect(done.calls).toMatchObject([{ status: 'completed', result: { parcel }, attempts: 1 }, {}, {}]);
    expect(resultsIn(vigil)).toEqual([JSON.stringify({ parcel }), expect.stringContaining('now'), 'second']);
    expect((await deliver(to, { parcel: 3 })).status).toBe(409);
    expect((await ada.read(id)).calls).toEqual(done.calls);
    // Three calls in a Map, then two that wait in another one, then the end.
    expect(await vigil.states(done.run!.id)).toHaveLength(3 + 2 * 3 + (3 + 2 * 2) + 3);
  });

  test('that delivers nothing in a week: a run that waits reads so, an idle agent hears of it once, and who comes later is refused (R47, R53, R140)', async () => {
    const later = await orderedLater();
    vigil.model.script([ordering()]);
    const { ada } = later;
    const { id } = await ada.start('tester', 'Order one');
    await ada.waiting(id);
    const url = address();
    vigil.model.script(({ messages }) => ({ text: `It has not come: ${messages.length}.` }));
    await vigil.advance('P8D');

    const done = await ada.finished(id);
    // The shop may have sent it all the same.
    const words = 'Nothing was delivered within a week. Whether it took effect is unknown: check before you try again.';
    expect(done.calls).toMatchObject([{ status: 'unknown', error: words }]);
    const told = await later.next();
    expect(told.messages.filter(({ role }) => role === 'system')).toMatchObject([
      {
        author: 'order_later',
        about: later.done.calls[0]!.id,
        text: expect.stringMatching(/Nothing was delivered within a week\.$/),
      },
    ]);
    expect(told.timers).toEqual([]);
    const heard = vigil.model.requests.slice(-2).map(({ messages }) => unquoted(String(messages.at(-1)!.content)));
    expect(heard).toEqual(Array(2).fill(expect.stringContaining('Nothing was delivered within a week.')));
    for (const [conversation, to] of [
      [done, url],
      [told, later.url],
    ] as const) {
      expect(conversation.callbacks).toMatchObject([{ status: 'expired' }]);
      expect(await deliver(to, { parcel: 7 })).toMatchObject({
        status: 409,
        body: { detail: 'This has expired and can no longer be answered.' },
      });
      expect((await ada.read(conversation.id)).messages).toEqual(conversation.messages);
    }
    expect(vigil.model.calls).toBe(later.calls + 3);
  });

  test('that delivers while the tool still runs: that is the result, all of it, and the tool is not run again', async () => {
    const held = party.holdNext();
    vigil.model.script([ordering(), { text: 'It is here.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Order one');
    await held;
    const parcel = 'x'.repeat(90_000);
    expect((await deliver(address(), { parcel })).status).toBe(202);
    party.release();
    const done = await ada.finished(id);
    expect(done.calls).toMatchObject([{ status: 'completed', attempts: 1 }]);
    expect(resultsIn(vigil)).toEqual([JSON.stringify({ parcel })]);
    expect(addresses()).toHaveLength(1);
    expect(await vigil.states(done.run!.id)).toEqual(stepsTo('order', 'Done'));
  });

  test('that delivers days after the run: a message about the call wakes the idle agent, once; to what is deleted, nothing is delivered (R46, R47, R52, R124)', async () => {
    const { ada, id, done, url, next, calls } = await orderedLater();
    await vigil.advance('P3D');
    vigil.model.append({ text: 'Your parcel is here.' });
    const answers = await Promise.all([1, 2].map((parcel) => deliver(url, { parcel })));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    const woken = await next();
    const told = woken.messages.filter(({ role }) => role === 'system');
    expect(told).toMatchObject([{ author: 'order_later', about: done.calls[0]!.id }]);
    expect(told[0]!.text).toMatch(/^The work that order_later started on .* is done\. .*\{"parcel":[12]\}$/);
    expect(lastTold()).toContain(told[0]!.text);
    expect(woken.callbacks).toMatchObject([{ status: 'answered' }]);
    expect(wordsOf(woken).at(-1)).toEqual(['tester', 'Your parcel is here.']);

    const gone = await orderedLater();
    expect((await ada.request('DELETE', `/conversations/${gone.id}`)).status).toBeLessThan(300);
    expect((await deliver(gone.url, { parcel: 7 })).status).toBe(404);
    // One was delivered, the other is deleted: nothing is said when the week is over.
    await vigil.advance('P8D');
    expect((await ada.read(id)).messages).toEqual(woken.messages);
    expect(vigil.model.calls).toBe(calls + 3);
  });

  test('that delivers after all attempts failed: it is news (R46, R47)', async () => {
    const ada = await vigil.user();
    party.failNext(500, 500, 500, 500, 500);
    vigil.model.script([ordering('order_later'), { text: 'It did not work.' }, { text: 'Oh!' }]);
    const failing = await ada.start('tester', 'Order one');
    expect((await nudgeToEnd(vigil, failing.id)).calls).toMatchObject([{ status: 'unknown' }]);
    const { calls } = vigil.model;
    expect((await deliver(address(), 'after all')).status).toBe(202);
    await ada.until(failing.id, () => vigil.model.calls === calls + 1);
    expect(lastTold()).toMatch(/"after all"$/);
  });
});
