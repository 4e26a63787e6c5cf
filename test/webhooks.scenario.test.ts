import { startVigil, type Vigil } from './support/clouds/vigil';
import { stepsTo } from './support/history';
import { longTest } from './support/long';
import type { Reply } from './support/servers/model-server';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { deliver, send } from './support/servers/webhook';
import { call, resultsIn } from './support/stories/transcript';

// What an outside system delivers: to the call that waits for it. `order` tells it the address, and waits.

describe('a tool that waits for an outside system', () => {
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
  const ordering = (): Reply => call('c', 'order', { url: party.url });

  async function ordered() {
    vigil.model.script([ordering(), { text: 'It is here.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Order one');
    const waiting = await ada.waiting(id);
    return { ada, id, waiting, url: addresses()[0]! };
  }

  test('waits without holding anybody, takes what is delivered as the result, and costs a state (R46, R51, R57, R108)', async () => {
    const { ada, id, waiting, url } = await ordered();
    expect(waiting.callbacks).toMatchObject([{ kind: 'webhook', status: 'pending', tool: 'order' }]);
    expect(waiting.calls).toMatchObject([{ status: 'waiting', callbackId: waiting.callbacks[0]!.id }]);
    expect((await ada.list()).conversations.find((one) => one.id === id)).toMatchObject({ status: 'waiting' });
    await vigil.advance('P3D');
    // Without a bearer token: the address is its own key.
    expect(await deliver(url, { parcel: 7 })).toMatchObject({ status: 202, body: { taken: true } });
    const done = await ada.finished(id);
    expect(done.calls).toMatchObject([{ status: 'completed', result: { parcel: 7 }, attempts: 1 }]);
    expect(done.callbacks).toMatchObject([{ status: 'answered', outcome: { parcel: 7 } }]);
    expect(resultsIn(vigil)).toEqual(['{"parcel":7}']);
    expect(await vigil.states(done.run!.id)).toEqual(stepsTo('order', 'AwaitCallback', 'Done'));
  });

  test('delivered twice: the second is refused, and is not told what the first was (R53)', async () => {
    const { ada, id, url } = await ordered();
    const answers = await Promise.all([deliver(url, { parcel: 1 }), deliver(url, { parcel: 2 })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    const refused = answers.find(({ status }) => status === 409)!;
    expect(refused.type).toBe('application/problem+json');
    expect(refused.body).not.toHaveProperty('outcome');
    const done = await ada.finished(id);
    expect(done.calls[0]!.result).toEqual({ parcel: answers[0]!.status === 202 ? 1 : 2 });
    expect((await deliver(url, { parcel: 3 })).status).toBe(409);
    expect((await ada.read(id)).calls).toEqual(done.calls);
  });

  test('forged, altered or unreadable: refused, and the call waits on (R53, R124)', async () => {
    const { ada, id, url } = await ordered();
    const [start, token] = [url.slice(0, url.lastIndexOf('/') + 1), url.slice(url.lastIndexOf('/') + 1)];
    const [claims, signed] = token.split('.') as [string, string];
    const other = Buffer.from(JSON.stringify(['other', 'callback'])).toString('base64url');
    const flipped = `${signed.startsWith('A') ? 'B' : 'A'}${signed.slice(1)}`;
    const forged = [`${other}.${signed}`, `${claims}.${flipped}`, claims, `${claims}.`, `${token}.x`, `${token}x`, 'x'];
    for (const each of forged) expect([each, (await deliver(start + each, {})).status]).toEqual([each, 404]);
    // The bytes decide, whatever type they are announced as.
    const unreadable: [string, string][] = [
      ['not { JSON', 'application/json'],
      ['', 'application/json'],
      ['parcel=7', 'application/x-www-form-urlencoded'],
      ['parcel 7', 'text/plain'],
    ];
    for (const [body, type] of unreadable)
      expect(await send(url, body, type)).toMatchObject({ status: 400, type: 'application/problem+json' });
    expect((await ada.read(id)).calls).toMatchObject([{ status: 'waiting' }]);
    expect((await deliver(url, { parcel: 7 })).status).toBe(202);
    await ada.finished(id);
  });

  longTest(
    'nothing is delivered in a week: the model is told so, and whoever comes later is refused (R53, R140)',
    async () => {
      const { ada, id, url } = await ordered();
      await vigil.advance('P8D');
      const done = await ada.finished(id);
      // The shop may have sent it all the same.
      const words =
        'Nothing was delivered within a week. Whether it took effect is unknown: check before you try again.';
      expect(done.calls).toMatchObject([{ status: 'unknown', error: words }]);
      expect(done.callbacks).toMatchObject([{ status: 'expired' }]);
      expect(resultsIn(vigil)).toEqual([expect.stringContaining(words)]);
      expect(await deliver(url, { parcel: 7 })).toMatchObject({
        status: 409,
        body: { detail: 'This has expired and can no longer be answered.' },
      });
      expect((await ada.read(id)).messages).toEqual(done.messages);
    },
  );

  longTest(
    'delivered while the tool still runs: that is the result, all of it, and the tool is not run again',
    async () => {
      const held = party.holdNext();
      vigil.model.script([ordering(), { text: 'It is here.' }]);
      const ada = await vigil.user();
      const { id } = await ada.start('tester', 'Order one');
      await held;
      const parcel = 'x'.repeat(90_000);
      expect((await deliver(addresses()[0]!, { parcel })).status).toBe(202);
      party.release();
      const done = await ada.finished(id);
      expect(done.calls).toMatchObject([{ status: 'completed', attempts: 1 }]);
      expect(resultsIn(vigil)).toEqual([JSON.stringify({ parcel })]);
      expect(addresses()).toHaveLength(1);
      expect(await vigil.states(done.run!.id)).toEqual(stepsTo('order', 'Done'));
    },
  );

  longTest(
    'two of them and a quick tool in one reply: delivered in any order, the results are in call order (R28, R108)',
    async () => {
      const toolCalls = [
        { id: 'c1', name: 'order', arguments: { url: `${party.url}/1` } },
        { id: 'c2', name: 'current_time', arguments: {} },
        { id: 'c3', name: 'order', arguments: { url: `${party.url}/2` } },
      ];
      vigil.model.script([{ toolCalls }, { text: 'Both are here.' }]);
      const ada = await vigil.user();
      const { id } = await ada.start('tester', 'Order two');
      await ada.waiting(id);
      const places = party.effectPaths.slice(-2).map((path) => path.split('/')[1]);
      const [second, first] = [addresses()[places.indexOf('2')]!, addresses()[places.indexOf('1')]!];
      expect((await deliver(second, 'second')).status).toBe(202);
      expect((await ada.until(id, ({ calls }) => calls[2]!.status === 'completed')).status).toBe('waiting');
      expect((await deliver(first, 'first')).status).toBe(202);
      const done = await ada.finished(id);
      expect(resultsIn(vigil)).toEqual(['first', expect.stringContaining('now'), 'second']);
      const states = await vigil.states(done.run!.id);
      // Three calls in a Map, then two that wait in another one, then the end.
      expect(states.length).toEqual(3 + 2 * 3 + (3 + 2 * 2) + 3);
    },
  );
});
