import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StopExecutionCommand } from '@aws-sdk/client-sfn';
import type { HomePage } from 'vigil-client/shared';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { longTest } from './support/long';
import { reminderStory, wish } from './support/stories/reminder-story';
import { wordsOf } from './support/stories/transcript';

// Conversations over the public API: whose they are, what starts what, and in which order.

describe('conversations', () => {
  let vigil: Vigil;
  beforeAll(async () => {
    vigil = await startVigil();
  });
  afterAll(() => vigil?.stop());
  beforeEach(() => vigil.model.script(() => ({ text: 'Hello.' })));

  test('two starts with one id at once, and one after the end: one run, and all callers get the same conversation (R25)', async () => {
    const ada = await vigil.user();
    const before = vigil.model.calls;
    const both = await Promise.all([ada.start('reminder', 'Hi', 'trip-1'), ada.start('reminder', 'Hi', 'trip-1')]);
    const done = await ada.finished(both[0].id);
    const late = await ada.start('reminder', 'Hi', 'trip-1');
    expect(new Set([...both, done, late].map(({ run }) => run!.id)).size).toBe(1);
    expect(late).toMatchObject({ status: 'done', run: { status: 'done' } });
    expect(await vigil.executions(done.run!.id)).toHaveLength(1);
    expect(vigil.model.calls - before).toBe(1);
    for (const id of ['trip-1', done.id]) {
      const again = await ada.request('POST', '/conversations', { agent: 'reminder', text: 'Hi', id });
      expect(again).toMatchObject({ status: 200, body: { id: done.id } });
    }
  });

  test('the result is read later, by id, from anywhere (R26)', async () => {
    const { id } = await (await vigil.user()).start('reminder', 'Hi');
    await (await vigil.user()).finished(id);
    const elsewhere = await (await vigil.user()).read(id);
    expect(elsewhere.messages.at(-1)).toMatchObject({ text: 'Hello.', status: 'complete' });
    expect((await (await vigil.user()).read(id, 1)).messages.map(({ seq }) => seq)).toEqual([2]);
  });

  test('messages sent while the agent is busy are answered in order, by one run, without a second loop (R59, R76)', async () => {
    vigil.model.script([{ text: 'One.', holdAfter: 1 }, { text: 'Two and three.' }]);
    const ada = await vigil.user();
    const { id, run } = await ada.start('reminder', 'First');
    await vigil.model.held();
    await ada.say(id, 'Second');
    await ada.say(id, 'Third');
    vigil.model.release();
    const done = await ada.finished(id);
    expect(done.run!.id).toBe(run!.id);
    expect(wordsOf(done).map(([, text]) => text)).toEqual(['First', 'One.', 'Second', 'Third', 'Two and three.']);
    expect(await vigil.executions(run!.id)).toHaveLength(1);
  });

  test('renamed, pinned, archived and found again by what was said; the next message brings it back (R160, R161)', async () => {
    vigil.model.script(reminderStory);
    const ada = await vigil.user('keeper');
    const { id } = await ada.start('reminder', wish);
    await ada.asleep(id);
    vigil.model.script(() => ({ text: 'The flat is in Lisbon.' }));
    const flat = await ada.start('reminder', 'Where is the flat?');
    await ada.finished(flat.id);
    const arrange = (one: string, body: object) => ada.request('PATCH', `/conversations/${one}`, body);
    const kept = await arrange(id, { title: ' Stretch\u202e ', pinned: true });
    expect(kept).toMatchObject({ status: 200, body: { id, title: 'Stretch', pinned: true, status: 'sleeping' } });
    expect((await ada.list()).conversations.map((one) => one.id)).toEqual([id, flat.id]);
    await arrange(flat.id, { archived: true });
    expect((await ada.list()).conversations.map((one) => one.id)).toEqual([id]);
    expect(await ada.request('GET', '/conversations?state=archived')).toMatchObject({
      body: { conversations: [{ id: flat.id, archived: true }] },
    });
    expect(await ada.request('GET', '/search?q=LISBON%20flat')).toMatchObject({
      status: 200,
      body: { found: [{ conversation: { id: flat.id }, seq: 2, author: 'reminder' }] },
    });
    expect(await (await vigil.user('eve')).request('GET', '/search?q=Lisbon')).toMatchObject({ body: { found: [] } });
    expect(await arrange(flat.id, { pinned: true, archived: true })).toMatchObject({ status: 400 });
    expect(await (await vigil.user('eve')).request('PATCH', `/conversations/${id}`, { title: 'Mine' })).toMatchObject({
      status: 404,
    });
    await ada.say(flat.id, 'And the rent?');
    expect((await ada.list()).conversations.map((one) => one.id)).toEqual([id, flat.id]);
    await ada.cancel(id);
  });

  test('what is not yours is not there (R58, R124, R62)', async () => {
    const [ada, eve] = await Promise.all([vigil.user('ada'), vigil.user('eve')]);
    const { id } = await ada.start('reminder', 'A secret');
    await ada.finished(id);
    const attempts = await Promise.all([
      eve.request('GET', `/conversations/${id}`),
      eve.request('POST', `/conversations/${id}/messages`, { text: 'Hi' }),
      eve.request('DELETE', `/conversations/${id}`),
      eve.request('POST', `/conversations/${id}/fork`, { step: 1 }),
    ]);
    for (const { status, type, body } of attempts) {
      expect([status, type]).toEqual([404, 'application/problem+json']);
      expect(JSON.stringify(body)).not.toContain('secret');
    }
    expect((await eve.list()).conversations).toEqual([]);
    expect((await fetch(`${vigil.url}/conversations/${id}`)).status).toBe(401);
    expect((await fetch(`${vigil.url}/conversations`, { headers: { authorization: 'Bearer x.y.z' } })).status).toBe(
      401,
    );
  });

  longTest('an id that you choose never tells whether somebody else has chosen it (R124, R25)', async () => {
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

  test('an unknown path is a problem, too; the OpenAPI document needs no token (R179)', async () => {
    const ada = await vigil.user();
    expect(await ada.request('GET', '/nonsense')).toMatchObject({
      status: 404,
      body: { detail: 'There is no GET /nonsense.' },
    });
    const openapi = await fetch(`${vigil.url}/openapi.json`);
    expect(await openapi.json()).toEqual(JSON.parse(readFileSync(join(__dirname, '../docs/openapi.json'), 'utf8')));
  });

  longTest(
    'an execution that is stopped from outside ends its run as cancelled, and the conversation goes on (R66)',
    async () => {
      vigil.model.script(reminderStory);
      const ada = await vigil.user();
      const { id } = await ada.start('reminder', wish);
      const { run } = await ada.asleep(id);
      const [execution] = await vigil.executions(run!.id);
      await vigil.stepFunctions.send(new StopExecutionCommand({ executionArn: execution!.executionArn }));
      expect((await ada.finished(id)).run).toMatchObject({
        status: 'cancelled',
        reason: 'The execution was stopped from outside.',
      });
      vigil.model.script([{ text: 'I am here.' }]);
      await ada.say(id, 'Hello?');
      expect((await ada.until(id, ({ status }) => status === 'done')).messages.at(-1)).toMatchObject({
        text: 'I am here.',
      });
    },
  );

  longTest('many conversations at once: one that is stuck delays no other (R60)', async () => {
    let stuck = true;
    vigil.model.script(async ({ messages }) => {
      while (stuck && JSON.stringify(messages).includes('Get stuck'))
        await new Promise((resolve) => setTimeout(resolve, 10));
      return { text: 'Fine.' };
    });
    const ada = await vigil.user();
    const blocked = await ada.start('reminder', 'Get stuck');
    const others = await Promise.all(
      Array.from({ length: 12 }, (_, index) => ada.start('reminder', `Number ${index}`)),
    );
    for (const { id } of others) expect((await ada.finished(id)).status).toBe('done');
    expect((await ada.read(blocked.id)).status).toBe('running');
    stuck = false;
    expect((await ada.finished(blocked.id)).status).toBe('done');
  });
});
