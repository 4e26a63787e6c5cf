import { startVigil, type Vigil } from './support/clouds/vigil';
import { call } from './support/stories/transcript';

// What one user can use, have and start at once: the limits hold when everything begins at the same moment, and when a process dies.

interface Entry {
  per: string;
  what: string;
  used: number;
  most?: number;
}

describe('the limits of a user (R149)', () => {
  let vigil: Vigil;
  afterEach(() => vigil?.stop());
  const user = () => vigil.user();
  const usage = async (what: string, per = 'now') => {
    const { body } = await (await user()).request('GET', '/usage');
    return (body as { usage: Entry[] }).usage.find((entry) => entry.what === what && entry.per === per)!;
  };
  const refusal = (name: string, most: number, variable: string) => ({
    status: 429,
    type: expect.stringContaining('application/problem+json'),
    body: { status: 429, detail: expect.stringContaining(variable), limit: { name, used: most, most, variable } },
  });

  test('of steps: of thirty runs at once, five make their model call', async () => {
    vigil = await startVigil({ script: () => ({ text: 'Hi.' }), variables: { VIGIL_MAX_USER_DAY_STEPS: '5' } });
    const ada = await user();
    const begun = await Promise.all(Array.from({ length: 30 }, () => ada.start('tester', 'Hello')));
    const ends = await Promise.all(begun.map(({ id }) => ada.finished(id)));
    expect(vigil.model.calls).toBe(5);
    expect(ends.filter(({ status }) => status === 'done')).toHaveLength(5);
    expect(ends.find(({ status }) => status === 'limited')!.run!.reason).toBe(
      'budget exhausted: 5 of 5 steps of this user today are used. Wait until tomorrow (UTC) or raise VIGIL_MAX_USER_DAY_STEPS, and retry.',
    );
    expect(await usage('steps', 'day')).toMatchObject({ used: 5, most: 5 });
    expect(await usage('runs')).toMatchObject({ used: 0 });
  });

  test('of steps, after a kill -9 within the model call: the reserved step is made, once, and no other one', async () => {
    const text = 'Kyoto is lovely in May. Book early.';
    const script = [{ text, holdAfter: 0 }, { text }, { text: 'Never.' }];
    vigil = await startVigil({ script, variables: { VIGIL_MAX_USER_DAY_STEPS: '1' } });
    const one = await (await user()).start('tester', 'Tell me about Kyoto');
    await vigil.model.held();
    expect(await usage('steps', 'day')).toMatchObject({ used: 1 });
    await vigil.kill();
    await vigil.restart();
    const ada = await user();
    expect(await ada.finished(one.id)).toMatchObject({ status: 'done' });
    const two = await ada.start('tester', 'And about Rome?');
    expect(await ada.finished(two.id)).toMatchObject({ status: 'limited' });
    expect(await usage('steps', 'day')).toMatchObject({ used: 1 });
    expect(vigil.model.calls).toBe(2);
  });

  test('of active runs and conversations: of twenty starts at once, five succeed; an end makes room', async () => {
    const variables = { VIGIL_MAX_USER_RUNS: '5', VIGIL_MAX_USER_CONVERSATIONS: '6' };
    vigil = await startVigil({ script: () => call('s', 'schedule', { at: '2031-01-01T08:00:00Z' }), variables });
    const ada = await user();
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
    expect((await ada.request('DELETE', `/conversations/${begun[1]}`)).status).toBe(204);
    // Again, for its answer may have been lost.
    expect((await ada.request('DELETE', `/conversations/${begun[1]}`)).status).toBe(204);
    expect([(await usage('runs')).used, (await usage('conversations')).used]).toEqual([4, 5]);
  });

  test('are on by default, and none is near', async () => {
    vigil = await startVigil({ script: () => ({ text: 'Hi.' }) });
    const ada = await user();
    const { id } = await ada.start('tester', 'Hello');
    await ada.finished(id);
    const { body } = await ada.request('GET', '/usage');
    const entries = (body as { usage: Entry[] }).usage.filter(({ per }) => per !== 'month');
    expect(entries.every(({ used, most }) => most !== undefined && used <= most / 50)).toBe(true);
    expect(await usage('steps', 'day')).toMatchObject({ used: 1, most: 3_000, variable: 'VIGIL_MAX_USER_DAY_STEPS' });
  });
});
