import { startVigil, type Vigil } from './support/clouds/vigil';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { type ModelServer, startModelServer } from './support/servers/model-server';

// A provider that is down for a day of the cloud's clock, and an agent with a second one.

describe('a provider that is down for a day', () => {
  let vigil: Vigil;
  let first: ModelServer;
  let second: ModelServer;
  let asked: { server: string; words: string; at: number }[] = [];
  const isDown = { first: false, second: false };
  let hasNoCredit = false;
  /** In seconds. */
  const pause = { first: 7_200, second: 5_400 };

  beforeAll(async () => {
    [first, second] = await Promise.all([startModelServer(), startModelServer()]);
  });
  afterAll(() => Promise.all([first.stop(), second.stop()]));
  beforeEach(async () => {
    asked = [];
    for (const server of [first, second]) server.begin({});
    vigil = await startVigil({
      variables: { OTHER_SERVER_BASE_URL: first.url, OTHER_API_KEY: 'k-other', NEAR_SERVER_BASE_URL: second.url },
    });
    first.script((request) => answer('first', request));
    second.script((request) => answer('second', request));
  });
  afterEach(() => vigil?.stop());

  async function answer(server: 'first' | 'second', { messages }: ChatRequest): Promise<Reply> {
    const words = String(messages.find(({ role }) => role === 'user')?.content);
    asked.push({ server, words, at: (await vigil.now()).getTime() });
    if (hasNoCredit) return { status: 402 };
    if (isDown[server]) return { status: 503, headers: { 'retry-after': String(pause[server]) } };
    return { text: `I am the ${server}.` };
  }
  /** The pauses of a conversation's requests to a server, in seconds. */
  const pausesOf = (server: string, words: string) => {
    const times = asked.filter((one) => one.server === server && one.words === words).map(({ at }) => at);
    return times.slice(1).map((at, index) => (at - times[index]!) / 1_000);
  };
  const texts = ['One', 'Two'];

  test('all runs continue on the second, say why, and return to the first (R203)', async () => {
    const ada = await vigil.user();
    isDown.first = true;
    const ids = await Promise.all(texts.map(async (text) => (await ada.start('listed', text)).id));
    for (const id of ids) {
      const { messages } = await ada.finished(id);
      expect(messages.at(-1)).toMatchObject({
        text: 'I am the second.',
        model: 'gpt-6.1-terra',
        insteadOf: [{ model: 'deep-model', reason: "The model's server failed (503).", since: expect.any(String) }],
      });
    }
    isDown.first = false;
    await vigil.advance('P1D');
    for (const id of ids) {
      await ada.say(id, 'And a day later?');
      const last = (await ada.finished(id)).messages.at(-1);
      expect(last).toMatchObject({ text: 'I am the first.', model: 'deep-model' });
      expect(last).not.toHaveProperty('insteadOf');
    }
    // The first is asked once before the pause that it wants, and in the later message once.
    expect(texts.map((text) => pausesOf('first', text).length)).toEqual([1, 1]);
  });

  test('both: all runs wait, say what for, and end when one is back; none is asked too soon, not for its owner either, and nothing is paid twice (R202, R208, R255)', async () => {
    const ada = await vigil.user();
    const retry = async (id: string) => {
      const { run } = await ada.until(id, (seen) => seen.run?.modelWait !== undefined);
      const { nextAt } = run!.modelWait!;
      return (await ada.request('POST', `/conversations/${id}/retry-model`, { nextAt })).status;
    };
    Object.assign(isDown, { first: true, second: true });
    const ids = await Promise.all(texts.map(async (text) => (await ada.start('listed', text)).id));
    for (const id of ids) {
      // Its server asks for the pause.
      expect(await retry(id)).toBe(409);
      expect((await ada.read(id)).run).toMatchObject({
        status: 'running',
        segment: 1,
        modelWait: { model: 'gpt-6.1-terra', reason: expect.any(String) },
      });
    }
    await ada.say(ids[0]!, 'Are you there?');
    await vigil.advance('P1D');
    for (const id of ids) expect(await ada.read(id)).toMatchObject({ status: 'running' });
    isDown.second = false;
    await vigil.advance('PT4H');
    for (const id of ids) {
      const { status, messages, usage, run } = await ada.finished(id);
      expect({ status, last: messages.at(-1)!.text }).toEqual({ status: 'done', last: 'I am the second.' });
      expect(usage.modelCalls).toBe(id === ids[0] ? 2 : 1);
      expect(await vigil.states(run!.id)).toContain('Sleep');
    }
    for (const text of texts)
      for (const server of ['first', 'second'] as const) {
        expect(pausesOf(server, text).length).toBeGreaterThan(8);
        const tooSoon = pausesOf(server, text).filter((seconds) => seconds < pause[server] - 2);
        // The message that came meanwhile is answered after the first reply.
        expect(tooSoon.length).toBe(server === 'second' && text === 'One' ? 1 : 0);
      }

    // Where no server asks for a pause, its owner has it asked again, once.
    isDown.first = false;
    hasNoCredit = true;
    const { id } = await ada.start('listed', 'Four');
    const { run } = await ada.until(id, (seen) => seen.run?.modelWait !== undefined);
    hasNoCredit = false;
    const { nextAt } = run!.modelWait!;
    for (const _ of [1, 2])
      expect((await ada.request('POST', `/conversations/${id}/retry-model`, { nextAt })).status).toBe(202);
    expect(await ada.finished(id)).toMatchObject({ status: 'done', run: { segment: 2 }, usage: { modelCalls: 1 } });
    expect((await vigil.executions(run!.id)).map(({ status }) => status)).toEqual(['ABORTED', 'SUCCEEDED']);
    expect(asked.flatMap(({ words, server }) => (words === 'Four' ? [server] : []))).toEqual([
      'first',
      'second',
      'first',
    ]);
  });
});
