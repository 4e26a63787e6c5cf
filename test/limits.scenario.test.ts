import { startVigil, type Vigil } from './support/clouds/vigil';
import { call } from './support/stories/transcript';

// Limits hold before each model call, say which one it was, and can be raised.

describe('a budget (R112)', () => {
  let vigil: Vigil;
  afterEach(() => vigil?.stop());
  const retry = async (id: string) => (await vigil.user()).request('POST', `/conversations/${id}/retry`);
  const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };
  const clock = (id: string) => ({ ...call(id, 'current_time', {}), usage });

  test('of tokens ends the run before the call that it would pass; the next message begins a new one', async () => {
    vigil = await startVigil({ script: [clock('a'), clock('b'), { text: 'Never.', usage }] });
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
    vigil.model.script([{ text: 'Fresh.', usage }]);
    await ada.say(id, 'Again');
    expect(await ada.until(id, ({ status }) => status === 'done')).toMatchObject({
      usage: { costMicrodollars: 4_500 },
    });
  });

  test('of money, set by the deployment; raised, the run goes on from where it stopped', async () => {
    const script = [clock('a'), clock('b'), clock('c'), { text: 'Done.', usage }];
    const prices = JSON.stringify({ 'test-model': [1, 10] });
    vigil = await startVigil({ script, variables: { VIGIL_MAX_RUN_MICRODOLLARS: '3000', VIGIL_PRICES: prices } });
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Go');
    expect((await ada.finished(id)).run).toMatchObject({
      status: 'limited',
      step: 2,
      reason: expect.stringContaining('4000 of 3000 microdollars of this run'),
    });
    await vigil.kill();
    await vigil.restart(undefined, { VIGIL_MAX_RUN_MICRODOLLARS: '100000' });
    await retry(id);
    const done = await (await vigil.user()).finished(id);
    expect(done.run).toMatchObject({ status: 'done', step: 4, usage: { modelCalls: 4, costMicrodollars: 8_000 } });
    expect(vigil.model.calls).toBe(4);
  });

  test('of time ends a run that has lasted too long', async () => {
    vigil = await startVigil({ script: [call('s', 'schedule', { at: '2031-01-01T08:00:00Z' })] });
    const ada = await vigil.user();
    const { id } = await ada.start('thrifty', 'Sleep');
    await ada.asleep(id);
    await vigil.advance('P2000D');
    expect((await ada.finished(id)).run).toMatchObject({
      status: 'limited',
      reason: expect.stringMatching(/^budget exhausted: \d+ of 7200 seconds of this run are used/),
    });
  });

  test('of money cannot hold for a model without a price: it is not asked, and a price lets the run go on', async () => {
    vigil = await startVigil({
      script: [{ text: 'Hi.', usage }],
      variables: { VIGIL_MAX_USER_MICRODOLLARS: '100000' },
    });
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Hello');
    expect((await ada.finished(id)).run).toMatchObject({
      status: 'limited',
      reason: expect.stringContaining('no price for the model "test-model"'),
    });
    expect(vigil.model.calls).toBe(0);
    await vigil.kill();
    await vigil.restart(undefined, { VIGIL_PRICES: JSON.stringify({ 'test-model': [1, 10] }) });
    await retry(id);
    expect((await (await vigil.user()).finished(id)).status).toBe('done');
  });

  test('is not got round by cutting off each reply before its end: what came so far counts (R81)', async () => {
    vigil = await startVigil({ variables: { VIGIL_MAX_USER_DAY_TOKENS: '4000' } });
    const ada = await vigil.user();
    vigil.model.script(() => ({ text: 'Kyoto is lovely in May. Book early. Bring good shoes.', holdAfter: 34 }));
    const { id, run } = await ada.start('tester', 'Tell me about Kyoto');
    await ada.until(id, ({ messages }) => messages.some(({ text }) => text.startsWith('Kyoto')));
    await ada.cancel(id);
    const cut = await ada.until(id, ({ usage: { inputTokens } }) => inputTokens > 1_000);
    expect(cut.messages.at(-1)).toMatchObject({ status: 'cancelled', usage: { outputTokens: expect.any(Number) } });
    expect((await vigil.ended(run!.id)).map(({ status }) => status)).toEqual(['ABORTED']);

    const second = await ada.start('tester', 'Tell me about Kyoto');
    expect((await ada.finished(second.id)).run).toMatchObject({
      status: 'limited',
      reason: expect.stringContaining('tokens of this user today'),
    });
    expect(vigil.model.calls).toBe(1);
  });

  test('of a user counts all of their runs in a month, and nobody else’s', async () => {
    const usage = { prompt_tokens: 100_000, completion_tokens: 10_000, total_tokens: 110_000 };
    const script = () => ({ text: 'Hi.', usage });
    const prices = JSON.stringify({ 'test-model': [1, 10] });
    const variables = { VIGIL_MAX_USER_MICRODOLLARS: '390000', VIGIL_PRICES: prices };
    vigil = await startVigil({ script, variables });
    const [ada, eve] = await Promise.all([vigil.user(), vigil.user('eve')]);
    for (let count = 0; count < 2; count++) {
      const { id } = await ada.start('tester', 'Hello');
      expect((await ada.finished(id)).status).toBe('done');
    }
    const third = await ada.start('tester', 'Hello');
    expect((await ada.finished(third.id)).run).toMatchObject({
      status: 'limited',
      reason: expect.stringContaining('400000 of 390000 microdollars of this user this month'),
    });
    const hers = await eve.start('tester', 'Hello');
    expect((await eve.finished(hers.id)).status).toBe('done');
    await vigil.advance('P32D');
    await retry(third.id);
    expect((await (await vigil.user()).finished(third.id)).status).toBe('done');
  });
});
