import type { HomePage } from 'vigil-client/shared';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { reminderStory, wish } from './support/stories/reminder-story';
import { call, wordsOf } from './support/stories/transcript';

// Conversations over the public API: whose they are, what starts what, and in which order.

describe('conversations', () => {
  let vigil: Vigil;
  beforeAll(async () => {
    vigil = await startVigil();
  });
  afterAll(() => vigil?.stop());
  beforeEach(() => vigil.model.script(() => ({ text: 'Hello.' })));

  test('messages to a busy agent are answered in order, by one run; no other conversation waits for it (R59, R60, R76)', async () => {
    vigil.model.script(({ messages }) => {
      const last = String(messages.at(-1)!.content);
      if (last === 'First') return { text: 'One.', holdAfter: 1 };
      return { text: last === 'Third' ? 'Two and three.' : 'Fine.' };
    });
    const ada = await vigil.user();
    const { id, run } = await ada.start('reminder', 'First');
    await vigil.model.held();
    await ada.say(id, 'Second');
    await ada.say(id, 'Third');
    const others = await Promise.all(['a', 'b', 'c', 'd'].map((name) => ada.start('reminder', name)));
    for (const other of others) expect((await ada.finished(other.id)).status).toBe('done');
    expect((await ada.read(id)).status).toBe('running');
    vigil.model.release();
    const done = await ada.finished(id);
    expect(done.run!.id).toBe(run!.id);
    expect(wordsOf(done).map(([, text]) => text)).toEqual(['First', 'One.', 'Second', 'Third', 'Two and three.']);
    expect(await vigil.executions(run!.id)).toHaveLength(1);
  });

  test('arranged and found by their owner alone; deleted, nothing of one runs (R87, R124, R160, R161)', async () => {
    vigil.model.script([
      call('r', 'remind_later', { message: 'Tea', at: null, delay_seconds: 3_600 }),
      call('s', 'schedule', { at: '2031-01-01T08:00:00Z' }),
    ]);
    const [ada, eve] = await Promise.all([vigil.user('keeper'), vigil.user('eve')]);
    const { id } = await ada.start('tester', 'Stretch');
    const { run } = await ada.asleep(id);
    vigil.model.script(() => ({ text: 'The flat is in Lisbon.' }));
    const flat = await ada.start('reminder', 'Where is the flat?');
    await ada.finished(flat.id);
    const arrange = (one: string, body: object) => ada.request('PATCH', `/conversations/${one}`, body);
    const kept = await arrange(id, { title: ' Stretch\u202e ', pinned: true });
    expect(kept).toMatchObject({ status: 200, body: { id, title: 'Stretch', pinned: true, status: 'sleeping' } });
    expect(await ada.request('GET', '/search?q=LISBON%20flat')).toMatchObject({
      status: 200,
      body: { found: [{ conversation: { id: flat.id }, seq: 2, author: 'reminder' }] },
    });
    expect(await eve.request('GET', '/search?q=Lisbon')).toMatchObject({ body: { found: [] } });
    expect((await eve.request('PATCH', `/conversations/${id}`, { title: 'Mine' })).status).toBe(404);
    expect((await eve.request('DELETE', `/conversations/${id}`)).status).toBe(404);
    // Twice: broken off, it would go on.
    for (const _ of [1, 2]) expect((await ada.request('DELETE', `/conversations/${id}`)).status).toBe(204);
    expect((await ada.request('GET', `/conversations/${id}`)).status).toBe(404);
    expect((await ada.list()).conversations.map((one) => one.id)).toEqual([flat.id]);
    expect((await vigil.ended(run!.id)).map(({ status }) => status)).toEqual(['ABORTED']);
    const calls = vigil.model.calls;
    await vigil.advance('P2000D');
    expect(vigil.model.calls).toBe(calls);
  });

  test('an id that you choose never tells whether somebody else has chosen it (R124, R25)', async () => {
    const [ada, eve] = await Promise.all([vigil.user('ada'), vigil.user('eve')]);
    const hers = await ada.start('reminder', 'A secret', 'trip-2');
    await ada.finished(hers.id);
    const forked = await ada.request('POST', `/conversations/${hers.id}/fork`, { step: 1, id: 'fork-2' });
    expect(forked.status).toBe(201);
    const own = await eve.start('reminder', 'Hi', 'free');
    await eve.finished(own.id);
    // What she may know of Ada's conversations, beside ids that nobody has.
    const guesses = ['trip-2', hers.id, 'fork-2', (forked.body as { id: string }).id, 'nobody', `${hers.id}0`];
    for (const id of guesses) {
      const begun = await eve.request('POST', '/conversations', { agent: 'reminder', id });
      expect([begun.status, (begun.body as { messages: unknown[] }).messages]).toEqual([201, []]);
      const copied = await eve.request('POST', `/conversations/${own.id}/fork`, { step: 1, id: `${id}-f`.slice(-46) });
      expect([copied.status, JSON.stringify(copied.body)]).toEqual([201, expect.not.stringContaining('secret')]);
    }
    expect((await ada.read(hers.id)).messages[0]).toMatchObject({ text: 'A secret' });
    const long = await eve.request('POST', '/conversations', { agent: 'reminder', id: 'x'.repeat(47) });
    expect([long.status, JSON.stringify(long.body)]).toEqual([400, expect.stringContaining('at most 46 characters')]);
  });

  test('one request has the first pages of all that a page shows first (R156, R162)', async () => {
    vigil.model.script(reminderStory);
    const [ada, eve] = await Promise.all([vigil.user('homely'), vigil.user('elsewhere')]);
    const { id } = await ada.start('reminder', wish);
    await ada.asleep(id);
    const at = async (path: string) => (await ada.request('GET', path)).body;
    // The index lags by moments.
    let home: unknown;
    do home = await at('/home');
    while ((home as HomePage).active.conversations.length === 0);
    expect(home).toEqual({
      conversations: await at('/conversations'),
      active: await at('/conversations?state=active'),
      failed: await at('/conversations?state=failed'),
      ...((await at('/invitations')) as object),
      approvals: await at('/approvals'),
      timers: await at('/timers'),
      shared: await at('/conversations?state=shared'),
      usage: ((await at('/usage')) as { usage: object[] }).usage,
      isDeveloper: false,
    });
    expect((home as HomePage).conversations.conversations).toMatchObject([{ id, status: 'sleeping' }]);
    expect((await eve.request('GET', '/home')).body).toMatchObject({
      conversations: { conversations: [] },
      active: { conversations: [] },
    });
    await ada.cancel(id);
  });
});
