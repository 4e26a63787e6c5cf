import type { User } from './support/api-client';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { call } from './support/stories/transcript';

// Limits hold before each model call, say which one it was, and can be raised. Their sums, also of processes that die and of
// replies that are cut off, are in core/machines/step/budget.test.ts.

describe('a budget (R112)', () => {
  let vigil: Vigil;
  afterEach(() => vigil?.stop());
  const retry = async (id: string) => (await vigil.user()).request('POST', `/conversations/${id}/retry`);
  const costing = (prompt: number, completion: number) => ({
    usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
  });

  test('of tokens ends the run before the call that it would pass, and one of time a run that sleeps too long; the next message begins a new one', async () => {
    const usage = costing(1_000, 100);
    const clock = (id: string) => ({ ...call(id, 'current_time', {}), ...usage });
    vigil = await startVigil({ script: [clock('a'), clock('b'), { text: 'Never.', ...usage }] });
    const ada = await vigil.user();
    const { id } = await ada.start('thrifty', 'Go');
    const over = await ada.finished(id);
    expect(over.run).toMatchObject({
      status: 'limited',
      reason: 'budget exhausted: 2200 of 2000 tokens of this run are used. Raise the limit and retry.',
    });
    expect(over.run!.usage).toMatchObject({ inputTokens: 2_000, outputTokens: 200, costMicrodollars: 3_000 });
    await retry(id);
    expect((await ada.finished(id)).status).toBe('limited');
    expect(vigil.model.calls).toBe(2);
    vigil.model.script([
      { text: 'Fresh.', ...usage },
      { ...call('s', 'schedule', { at: '2031-01-01T08:00:00Z' }), ...usage },
    ]);
    await ada.say(id, 'Again');
    const fresh = await ada.until(id, ({ status }) => status === 'done');
    expect(fresh).toMatchObject({ usage: { costMicrodollars: 4_500 } });
    await ada.say(id, 'Sleep');
    await ada.asleep(id);
    await vigil.advance('P2000D');
    expect((await ada.finished(id)).run).toMatchObject({
      status: 'limited',
      reason: expect.stringMatching(/^budget exhausted: \d+ of 7200 seconds of this run are used/),
    });
  });

  test('of money holds for a run and for a user’s month; raised, or in the next month, the run goes on from where it stopped', async () => {
    const usage = costing(100_000, 10_000);
    const clock = (id: string) => ({ ...call(id, 'current_time', {}), ...usage });
    const variables = {
      VIGIL_PRICES: JSON.stringify({ 'test-model': [1, 10] }),
      VIGIL_MAX_RUN_MICRODOLLARS: '300000',
      VIGIL_MAX_USER_MICRODOLLARS: '390000',
    };
    vigil = await startVigil({ script: [clock('a'), clock('b')], variables });
    const { id } = await (await vigil.user()).start('tester', 'Go');
    expect((await (await vigil.user()).finished(id)).run).toMatchObject({
      status: 'limited',
      step: 2,
      reason: expect.stringContaining('400000 of 300000 microdollars of this run'),
    });
    await vigil.kill();
    await vigil.restart(undefined, { ...variables, VIGIL_MAX_RUN_MICRODOLLARS: '10000000' });
    const [ada, eve] = await Promise.all([vigil.user(), vigil.user('eve')]);
    await retry(id);
    const reason = expect.stringContaining('400000 of 390000 microdollars of this user this month');
    expect((await ada.finished(id)).run).toMatchObject({ status: 'limited', reason });
    vigil.model.script([{ text: 'Hi.', ...usage }, clock('c'), { text: 'Done.', ...usage }]);
    const hers = await eve.start('tester', 'Hello');
    expect((await eve.finished(hers.id)).status).toBe('done');
    await vigil.advance('P32D');
    await retry(id);
    const done = await (await vigil.user()).finished(id);
    expect(done.run).toMatchObject({ status: 'done', step: 4, usage: { modelCalls: 4, costMicrodollars: 800_000 } });
    expect(vigil.model.calls).toBe(5);
  });
});

interface Entry {
  per: string;
  what: string;
  used: number;
  most?: number;
}

describe('of what a user has at once (R149)', () => {
  let vigil: Vigil;
  afterEach(() => vigil?.stop());
  const usage = async (user: User) => ((await user.request('GET', '/usage')).body as { usage: Entry[] }).usage;
  const refusal = (name: string, most: number, variable: string) => ({
    status: 429,
    type: expect.stringContaining('application/problem+json'),
    body: { status: 429, detail: expect.stringContaining(variable), limit: { name, used: most, most, variable } },
  });

  test('of twenty starts at once, five succeed; an end makes room, and all other limits are on and far away', async () => {
    const variables = { VIGIL_MAX_USER_RUNS: '5', VIGIL_MAX_USER_CONVERSATIONS: '6' };
    vigil = await startVigil({ script: () => call('s', 'schedule', { at: '2031-01-01T08:00:00Z' }), variables });
    const ada = await vigil.user();
    const start = (id: string, text?: string) => ada.request('POST', '/conversations', { agent: 'tester', text, id });
    const ids = Array.from({ length: 20 }, (_, index) => `run${index}`);
    const answers = await Promise.all(ids.map((id) => start(id, 'Sleep')));
    const begun = answers.flatMap(({ status, body }) => (status === 201 ? (body as { id: string }).id : []));
    expect(begun).toHaveLength(5);
    const [refused] = answers.filter(({ status }) => status !== 201);
    expect(refused).toMatchObject(refusal('runs', 5, 'VIGIL_MAX_USER_RUNS'));
    expect((await ada.list()).conversations).toHaveLength(5);
    // A repeated request finds what the first one made.
    const chosen = ids[answers.findIndex(({ status }) => status === 201)]!;
    expect((await start(chosen, 'Sleep')).status).toBe(200);

    const { id: empty } = await ada.start('tester');
    expect(await start('another')).toMatchObject(refusal('conversations', 6, 'VIGIL_MAX_USER_CONVERSATIONS'));
    const say = () => ada.request('POST', `/conversations/${empty}/messages`, { text: 'Hello' });
    expect(await say()).toMatchObject(refusal('runs', 5, 'VIGIL_MAX_USER_RUNS'));
    expect((await ada.read(empty)).messages).toEqual([]);

    await ada.cancel(begun[0]!);
    expect((await say()).status).toBe(202);
    // Twice, for an answer may have been lost.
    for (const _ of [1, 2]) expect((await ada.request('DELETE', `/conversations/${begun[1]}`)).status).toBe(204);
    const entries = await usage(ada);
    const usedNow = (name: string) => entries.find(({ what, per }) => what === name && per === 'now')!.used;
    expect([usedNow('runs'), usedNow('conversations')]).toEqual([4, 5]);
    const others = entries.filter(({ what, per }) => per !== 'month' && !['runs', 'conversations'].includes(what));
    expect(others.every(({ used, most }) => most !== undefined && used <= most / 50)).toBe(true);
    const variable = 'VIGIL_MAX_USER_DAY_STEPS';
    expect(others).toContainEqual(expect.objectContaining({ what: 'steps', per: 'day', most: 3_000, variable }));
  });
});
