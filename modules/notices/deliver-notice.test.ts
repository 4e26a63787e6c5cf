import type { SignInToken } from '../../core/conversations/approvals/grant';
import { endGrants } from '../../core/conversations/approvals/grants-ended';
import { putCallback } from '../../core/conversations/calls/callback';
import { key } from '../../core/conversations/rows/keys';
import {
  callbackRow,
  callRow,
  type StoredCall,
  type StoredCallback,
  type StoredStanding,
  type StoredTimer,
  standingRow,
  timerRow,
} from '../../core/conversations/rows/rows';
import { createConversation } from '../../core/conversations/runs/conversation';
import { writeSettings } from '../../core/conversations/runs/user-settings';
import { readMeta, type Table, write } from '../../core/conversations/store/table';
import { openConnection } from '../../core/people/live/connections';
import { conversationTopic, subscribe } from '../../core/people/live/subscriptions';
import { setWatched } from '../../core/people/live/watching';
import { storedCall } from '../../test/support/page/rows';
import { dyingEverywhere } from '../../test/support/tables/mortal-table';
import { tableOfTests } from '../../test/support/tables/table';
import { type Deliverer, type Delivery, deliverNotice } from './deliver-notice';
import type { Notice } from './notice';
import { defaultSettings, type NoticeSettings } from './notice-settings';
import type { Notification } from './notification';
import { addDevice, endReach, mostDevices, readReach, removeDevice, writeNoticeSettings } from './reach';
import { reachKey } from './rows';

const table = tableOfTests();

const now = new Date('2026-03-01T08:00:00.000Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const at = now.toISOString();
let users = 0;

/** A token of Ada's sign-in, a quarter of an hour long. */
const tokenAt = (when: Date, id: string): SignInToken => {
  const issuedAt = when.getTime() / 1_000;
  return { id, signIn: 'ada’s', signedInAt: now.getTime() / 1_000, issuedAt, until: issuedAt + 900 };
};
const first = tokenAt(now, 'first');
const second = tokenAt(now, 'second');
const deviceCalled = (id: string) => ({
  id,
  endpoint: `https://push.example/${id}`,
  p256dh: '',
  auth: '',
  addedAt: at,
});

/** What a page does: it registers with one token and confirms with the next. */
async function addConfirmed(user: string, id: string): Promise<void> {
  for (const token of [first, second]) await addDevice(table, user, deviceCalled(id), { token, now });
}
async function setNotices(user: string, settings: NoticeSettings, address?: string): Promise<void> {
  for (const token of [first, second]) await writeNoticeSettings(table, user, { settings, address }, { token, now });
}

/** A user with two devices, a conversation, and an approval that waits in it. */
async function reachable(settings: Partial<NoticeSettings> = {}, address?: string, devices = ['phone', 'laptop']) {
  const user = `ada.${++users}`;
  const { meta } = await createConversation(table, { id: `c${users}`, user, agent: 'bank', text: 'Pay Bob' }, now);
  const { conversationId } = meta;
  const callback: StoredCallback = {
    id: 'x',
    version: 1,
    runId: 'r',
    kind: 'approval',
    prompt: 'Really pay?',
    tool: 'transfer',
    status: 'pending',
    createdAt: at,
    expiresAt: later(86_400).toISOString(),
    decider: `user:${user}`,
    arguments: { to: 'Bob', cents: 500 },
  };
  await write(table, conversationId, [putCallback(callback)]);
  for (const id of devices) await addConfirmed(user, id);
  await setNotices(user, { ...defaultSettings, ...settings }, address);
  const notice: Notice = {
    id: `${conversationId}/x`,
    user,
    kind: 'approval',
    conversationId,
    callbackId: 'x',
    at,
  };
  return { user, conversationId, notice, callback };
}

/** What the devices' services say next, by device; `taken` unless something is set. */
let says: Record<string, Delivery[]> = {};
let shown: (Notification & { device: string })[] = [];
beforeEach(() => {
  says = {};
  shown = [];
});

const sendTo = (device: string, notification: Notification): Delivery => {
  const delivery = says[device]?.shift() ?? 'taken';
  if (delivery === 'taken') shown.push({ device, ...notification });
  return delivery;
};
const deliverer = (of: Table = table): Deliverer => ({
  table: of,
  live: of,
  push: async ({ id }, notification) => sendTo(id, notification),
  mail: async (address, notification) => sendTo(address, notification),
});
const deliver = (notice: Notice, when = now, of?: Table) => deliverNotice(deliverer(of), notice, when);
const devices = () => shown.map(({ device }) => device).sort();

describe('a notice', () => {
  test('reaches each device once, however often and concurrently it is delivered (R154)', async () => {
    const { notice } = await reachable();
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => deliver(notice)));
    expect(devices()).toEqual(['laptop', 'phone']);
    for (const one of outcomes)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ name: 'NotDelivered' });
    expect(await deliver(notice)).toMatchObject({ next: 'done' });
    expect(devices()).toEqual(['laptop', 'phone']);
  });

  test('of an assigned approval reaches the assignee without a word of it, and nobody it is no longer assigned to (R253)', async () => {
    const { conversationId, callback, user: owner } = await reachable();
    const fay = `fay.${users}`;
    await addConfirmed(fay, 'pad');
    await setNotices(fay, { ...defaultSettings, words: true });
    const assign = (to: string, step = 0) =>
      write(table, conversationId, [
        {
          sk: key.callback('x'),
          set: { assigned: { to, by: owner, at, step } },
          onlyIf: { status: callback.status },
        },
      ]);
    const id = `${conversationId}/assigned/${fay}`;
    const notice: Notice = { id, user: fay, kind: 'approval', conversationId, callbackId: 'x', isAssigned: true, at };
    const holder = { user: owner, deciders: [], groups: [], until: now.getTime() / 1_000 + 900 };
    await openConnection(table, conversationId, holder, now);
    await subscribe(table, conversationId, conversationTopic(conversationId), holder, now);
    await setWatched(table, conversationId, { conversationId, visible: true, turn: 1 }, now);
    await assign('eva');
    await deliver(notice);
    expect(shown).toEqual([]);
    await assign(fay);
    await deliver({ ...notice, isAssigned: undefined });
    expect(shown).toEqual([]);
    await deliver(notice);
    // Fay may have left the group meanwhile.
    const body = 'The bank agent waits for your approval of transfer.';
    expect(shown).toMatchObject([{ device: 'pad', path: '/#/', body }]);
    expect(shown[0]).not.toHaveProperty('shown');
  });

  test('of a call that was allowed for later says what and how often, quotes its arguments with words only, and can be muted (R252)', async () => {
    const { user, conversationId, notice: other } = await reachable({}, undefined, ['phone']);
    const uses = [{ conversationId, callId: 'r.1.0', at, amounts: { cents: 90_000 } }];
    const standing: StoredStanding = {
      id: 'sa_1',
      version: 2,
      tool: 'transfer',
      agent: 'bank',
      same: { to: 'Bob' },
      mayDiffer: [],
      calls: 3,
      uses,
      money: { cents: { perCall: 90_000, inAll: 270_000, currency: 'USD' } },
      createdAt: at,
      expiresAt: later(86_400).toISOString(),
      madeFrom: { conversationId, callbackId: 'x' },
    };
    const call: StoredCall = storedCall('r.1.0', at, {
      arguments: { to: 'Bob', cents: 90_000 },
      user,
      standing: 'sa_1',
    });
    await write(table, conversationId, [
      { pk: key.user(user), sk: key.standing('sa_1'), put: standingRow(standing) },
      { sk: key.call('r.1.0'), put: callRow(call) },
    ]);
    const about = { ...other, kind: 'allowed' as const, callbackId: undefined, callId: 'r.1.0' };
    await deliver({ ...about, id: 'plain' });
    await setNotices(user, { ...defaultSettings, allowed: false, words: true });
    await deliver({ ...about, id: 'muted' });
    await setNotices(user, { ...defaultSettings, words: true });
    await deliver({ ...about, id: 'words' });
    const plain = 'The bank agent calls transfer, as you have allowed. 1 of 3 calls are used.';
    expect(shown.map(({ id, body }) => [id, body])).toEqual([
      ['plain', plain],
      ['words', `${plain} · amount: $900.00 · to: "Bob"`],
    ]);
    expect(shown[0]!.title).toBe('Not asked');
  });

  test('waits as long as the device’s service says, and is given up after a day (R198)', async () => {
    const { notice } = await reachable({}, undefined, ['phone']);
    says = { phone: [{ notBefore: later(600) }, { notBefore: later(90_000) }] };
    expect(await deliver(notice)).toEqual({ ...notice, next: 'wait', until: later(600).toISOString() });
    await expect(deliver(notice, later(600))).rejects.toMatchObject({ name: 'NotDelivered' });
    expect(await deliver(notice, later(700))).toMatchObject({ next: 'done' });
    expect(devices()).toEqual(['phone']);
  });

  test('removes a device that is gone, and gives up one that refuses it (R154)', async () => {
    const { notice, user } = await reachable();
    says = { phone: ['gone'], laptop: ['refused'] };
    expect(await deliver(notice)).toMatchObject({ next: 'done' });
    expect((await readReach(table, user, now)).devices.map(({ id }) => id)).toEqual(['laptop']);
    await deliver(notice);
    expect(shown).toEqual([]);
  });

  test('is delivered whenever the process dies, and a device that gets it twice gets the same id (R154)', async () => {
    let deaths = 0;
    await dyingEverywhere(table, async (dies) => {
      const { notice } = await reachable({}, undefined, ['phone']);
      shown = [];
      const died = await dies((on) => deliver(notice, now, on));
      await deliver(notice, later(61));
      expect(shown.length).toBeGreaterThanOrEqual(1);
      expect(shown.length).toBeLessThanOrEqual(died ? 2 : 1);
      expect(new Set(shown.map(({ id }) => id))).toEqual(new Set([notice.id]));
      if (died) deaths++;
    });
    expect(deaths).toBeGreaterThan(10);
  });

  test('is not sent if its user does not want its kind, if the callback is closed, or if the conversation is another’s (R154)', async () => {
    const { notice, user, conversationId, callback } = await reachable({ approvals: false });
    await deliver(notice);
    await setNotices(user, defaultSettings);
    await deliver({ ...notice, user: (await reachable()).user });
    await deliver(notice, later(86_401));
    const answered = callbackRow({ ...callback, status: 'answered' });
    await write(table, conversationId, [{ sk: key.callback('x'), put: answered }]);
    await deliver(notice);
    expect(shown).toEqual([]);
  });

  test('waits until the quiet hours end, by the user’s clock (R154)', async () => {
    const { notice, user } = await reachable({ quietHours: { from: '08:30', to: '09:15' } });
    expect(await deliver(notice)).toMatchObject({ next: 'done' });
    shown = [];
    await writeSettings(table, user, { timeZone: 'Europe/Berlin' });
    const next = { ...notice, id: 'next' };
    const waiting = await deliver(next);
    expect(waiting).toEqual({ ...next, next: 'wait', until: '2026-03-01T08:15:00.000Z' });
    expect(shown).toEqual([]);
    expect(await deliver(next, new Date(waiting.until!))).toMatchObject({ next: 'done' });
    expect(devices()).toEqual(['laptop', 'phone']);
  });

  test('speaks the language of each device, and the user’s by e-mail and where a device does not say its own (R154, R256)', async () => {
    const { user, notice } = await reachable({ mail: true }, 'ada@example.com', ['old']);
    for (const [id, language] of Object.entries({ tablet: 'de-AT', phone: 'es-419', laptop: 'en', desk: 'fr-FR' }))
      for (const token of [first, second])
        await addDevice(table, user, { ...deviceCalled(id), language }, { token, now });
    await writeSettings(table, user, { language: 'de-CH' });
    await deliver(notice);
    const said = Object.fromEntries(
      shown.map(({ device, title, language, buttons }) => [device, [title, language, buttons]]),
    );
    const english = ['Approval needed', undefined, undefined];
    const german = ['Genehmigung nötig', 'de', { approve: 'Genehmigen', deny: 'Ablehnen' }];
    expect(said).toEqual({
      laptop: english,
      desk: english,
      tablet: german,
      old: german,
      'ada@example.com': german,
      phone: ['Aprobación necesaria', 'es', { approve: 'Aprobar', deny: 'Rechazar' }],
    });
    expect(new Set(shown.map(({ id }) => id)).size).toBe(1);
  });

  test('quotes and is approved from in any language: what was shown is one digest (R154, R194, R256)', async () => {
    const { user, notice } = await reachable({ words: true }, undefined, ['laptop']);
    for (const token of [first, second])
      await addDevice(table, user, { ...deviceCalled('tablet'), language: 'de' }, { token, now });
    await deliver(notice);
    const [one, other] = shown;
    expect(one!.shown).toBeDefined();
    expect([other!.shown, other!.body]).toEqual([one!.shown, one!.body]);
  });

  test('goes by e-mail, once, to whom asks for it (R154)', async () => {
    const { notice } = await reachable({ mail: true }, 'ada@example.com');
    says = { 'ada@example.com': ['failed'] };
    await expect(deliver(notice)).rejects.toMatchObject({ name: 'NotDelivered' });
    for (const _ of [1, 2]) await deliver(notice);
    expect(devices()).toEqual(['ada@example.com', 'laptop', 'phone']);
  });
});

describe('what a notification says', () => {
  const said = async (notice: Notice) => {
    shown = [];
    await deliver(notice);
    const { device: _, ...rest } = shown[0]!;
    return rest;
  };

  test('has them if its user asks for it; an approval can be given there only if all of it is shown (R154, R146)', async () => {
    const { notice, conversationId, callback } = await reachable({ words: true });
    expect(await said(notice)).toMatchObject({
      title: 'Approval needed',
      body: 'Really pay? · cents: 500 · to: "Bob" · Asked by bank for transfer.',
      shown: expect.any(String),
    });
    for (const to of ['B\u202eob', 'Bob'.repeat(200)]) {
      const row = callbackRow({ ...callback, arguments: { to } });
      await write(table, conversationId, [{ sk: key.callback('x'), put: row }]);
      const { shown: digest, body } = await said({ ...notice, id: to });
      expect(digest === undefined).toBe(to.length > 100);
      expect(body.length).toBeLessThanOrEqual(300);
      expect(body).not.toContain('\u202e');
    }
  });

  test('quotes a reminder, a question, a failure and an answer (R154)', async () => {
    const { notice, conversationId, user, callback } = await reachable({ words: true });
    const timer: StoredTimer = {
      id: 't',
      version: 1,
      kind: 'once',
      nextAt: at,
      status: 'done',
      fired: 1,
      createdAt: at,
      text: 'Stretch',

      conversationId,
      callId: 't',
      author: 'remind_later',
      user,
      segment: 1,
      segmentStartedAt: at,
      segmentFired: 1,
    };
    const meta = (await readMeta(table, conversationId))!;
    const reply = { seq: 2, version: 1, role: 'assistant', author: 'bank', text: 'Paid.', status: 'complete' };
    await write(table, conversationId, [
      { sk: key.timer('t'), put: timerRow(timer) },
      { sk: key.message(2), put: { ...reply, createdAt: at } },
      { sk: key.callback('q'), put: callbackRow({ ...callback, id: 'q', kind: 'question', prompt: 'How much?' }) },
      { sk: key.meta, put: { ...meta, run: { ...meta.run!, status: 'failed', reason: 'No account.' } } },
    ]);
    const bodies = [];
    for (const more of [
      { kind: 'reminder', timerId: 't', callbackId: undefined },
      { kind: 'question', callbackId: 'q' },
      { kind: 'failure', callbackId: undefined },
      { kind: 'answer', callbackId: undefined, readSeq: 1 },
    ] as const)
      bodies.push((await said({ ...notice, ...more, id: more.kind })).body);
    expect(bodies).toEqual(['Stretch', 'bank asks: "How much?"', 'No account.', 'Paid.']);

    // A picture alone is an answer too, and no earlier words are.
    const file = { type: 'file', id: `f_${'a'.repeat(43)}`, mediaType: 'image/png', size: 1, filename: 'cat.png' };
    const drawn = { ...reply, seq: 3, text: '', parts: [file], createdAt: at };
    await write(table, conversationId, [{ sk: key.message(3), put: drawn }]);
    expect((await said({ ...notice, kind: 'answer', callbackId: undefined, readSeq: 1, id: 'drawn' })).body).toBe(
      'cat.png',
    );

    // The answer to a reminder is not noticed, because the reminder was.
    const due = { seq: 3, version: 1, role: 'system', author: 'remind_later', text: 'Due', status: 'complete' };
    await write(table, conversationId, [{ sk: key.message(3), put: { ...due, about: 't', createdAt: at } }]);
    shown = [];
    const answer: Notice = { ...notice, kind: 'answer', callbackId: undefined, id: 'of a reminder', readSeq: 3 };
    await deliver(answer);
    expect(shown).toEqual([]);
    await setNotices(user, { ...defaultSettings, reminders: false });
    await deliver(answer);
    expect(shown).toHaveLength(2);
  });
});

describe('a device is a grant', () => {
  const ids = async (user: string, when = now) => (await readReach(table, user, when)).devices.map(({ id }) => id);
  const days = (count: number) => later(count * 86_400);

  test('devices that register at once are all kept, a device once; the 21st is refused, and none makes room (R195)', async () => {
    const by = { token: first, now };
    await Promise.all(['a', 'b', 'c', 'a'].map((id) => addDevice(table, 'many', deviceCalled(id), by)));
    expect((await ids('many')).sort()).toEqual(['a', 'b', 'c']);
    for (const _ of [1, 2]) await removeDevice(table, 'many', 'b', by);
    for (let number = 3; number <= mostDevices; number++)
      await addDevice(table, 'many', deviceCalled(String(number)), by);
    const full = await ids('many');
    await expect(addDevice(table, 'many', deviceCalled('last'), by)).rejects.toMatchObject({
      name: 'WrongState',
      message: 'You have 20 of 20 devices. Remove one, and register again.',
    });
    await addDevice(table, 'many', deviceCalled('a'), by);
    expect((await ids('many')).sort()).toEqual(full.sort());
    // Those of one token end with it, and their places are free again.
    await addDevice(table, 'many', deviceCalled('last'), { token: tokenAt(days(1), 'next'), now: days(1) });
    expect(await ids('many', days(1))).toEqual(['last']);
  });

  test('one that a stolen token registers ends with the token, and never gets words (R195)', async () => {
    const { user, notice } = await reachable({ words: true }, undefined, ['phone']);
    for (const _ of [1, 2]) await addDevice(table, user, deviceCalled('thief'), { token: first, now });
    await deliver(notice);
    const bodyAt = (name: string) => shown.find(({ device }) => device === name)?.body;
    expect(bodyAt('phone')).toContain('to: "Bob"');
    expect(bodyAt('thief')).toBe('The bank agent waits for your approval of transfer.');
    shown = [];
    await deliver({ ...notice, id: 'later' }, later(901));
    expect(devices()).toEqual(['phone']);
  });

  test('the devices that were there before are told of a new one at once, whatever the settings (R195)', async () => {
    const off = { reminders: false, approvals: false, questions: false, failures: false, answers: false };
    const quietHours = { from: '00:00', to: '23:59' };
    const { user } = await reachable({ ...off, quietHours, mail: true }, 'ada@example.com', ['phone']);
    await addDevice(table, user, deviceCalled('thief'), { token: first, now });
    await deliver({ id: 'd', user, kind: 'grant', deviceId: 'thief', at });
    expect(devices()).toEqual(['ada@example.com', 'phone']);
    expect(shown[0]).toMatchObject({ kind: 'grant', title: 'New device', path: '/#/' });
  });

  test('a device that came after a new one, before its notice was delivered, is not told of it (R195)', async () => {
    const { user } = await reachable({}, undefined, ['phone']);
    for (const name of ['tablet', 'later']) await addDevice(table, user, deviceCalled(name), { token: first, now });
    await deliver({ id: 'd', user, kind: 'grant', deviceId: 'tablet', devicesBefore: ['phone'], at });
    expect(devices()).toEqual(['phone']);
  });

  test('what a stolen token removes is told of that, and of what it grants next, until it ends (R195)', async () => {
    const { user, notice } = await reachable({ mail: true }, 'ada@example.com', ['phone']);
    const by = { token: second, now };
    await removeDevice(table, user, 'phone', by);
    await writeNoticeSettings(table, user, { settings: defaultSettings }, by);
    await addDevice(table, user, deviceCalled('thief'), by);
    await removeDevice(table, user, 'thief', by);
    await addDevice(table, user, deviceCalled('thief'), by);
    await deliver({ id: 'r', user, kind: 'grant', isRemoval: true, at });
    expect(devices()).toEqual(['ada@example.com', 'phone', 'thief']);
    expect(shown[0]).toMatchObject({ kind: 'grant', title: 'Notifications turned off', path: '/#/' });
    shown = [];
    await deliver({ id: 'd', user, kind: 'grant', deviceId: 'thief', at });
    expect(devices()).toEqual(['ada@example.com', 'phone']);
    shown = [];
    await deliver(notice);
    expect(devices()).toEqual(['thief']);
    shown = [];
    await deliver({ id: 'late', user, kind: 'grant', isRemoval: true, at }, later(901));
    expect(devices()).toEqual([]);
  });

  test('ending all grants leaves nothing, and no token from before grants anything again (R195)', async () => {
    const { user } = await reachable({ words: true, mail: true }, 'ada@example.com');
    await endGrants(table, user, later(60));
    await endReach(table, user, { token: second, now: later(60) });
    expect(await readReach(table, user, later(60))).toMatchObject({
      devices: [],
      settings: { words: false, mail: false },
    });
    const stolen = { token: second, now: later(61) };
    const refused = { name: 'WrongState', message: expect.stringContaining('Sign in again') };
    await expect(addDevice(table, user, deviceCalled('thief'), stolen)).rejects.toMatchObject(refused);
    for (const more of [{ words: true }, { mail: true }])
      await expect(
        writeNoticeSettings(table, user, { settings: { ...defaultSettings, ...more } }, stolen),
      ).rejects.toMatchObject(refused);
    await addDevice(table, user, deviceCalled('phone'), { token: tokenAt(later(61), 'new'), now: later(62) });
    expect(await ids(user, later(62))).toEqual(['phone']);
  });

  test('all that an app without notifications has ended has ended when it lists them again (R195, R277)', async () => {
    const { user } = await reachable({ words: true, mail: true }, 'ada@example.com');
    await endGrants(table, user, later(60));
    const ended = { devices: [], settings: { words: false, mail: false } };
    expect(await readReach(table, user, later(61))).toMatchObject(ended);
    await addDevice(table, user, deviceCalled('tablet'), { token: tokenAt(later(61), 'new'), now: later(62) });
    expect(await ids(user, later(62))).toEqual(['tablet']);
  });

  test.each([1, 2, 3])(
    'a device whose registration is at request %i when all grants end is refused, and is not there (R195)',
    async (request) => {
      const { user } = await reachable();
      const by = { token: second, now: later(60) };
      let count = 0;
      const send = async (command: never) => {
        count += 1;
        if (count === request) {
          await endGrants(table, user, by.now);
          await endReach(table, user, by);
        }
        return table.client.send(command);
      };
      const beside: Table = { ...table, client: { send } as unknown as Table['client'] };
      await expect(addDevice(beside, user, deviceCalled('thief'), by)).rejects.toMatchObject({ name: 'WrongState' });
      expect(count).toBeGreaterThanOrEqual(request);
      expect(await ids(user, later(61))).toEqual([]);
    },
  );

  test('one from before devices ended lasts two weeks from when its page registered it last (R195)', async () => {
    await write(table, 'old', [{ ...reachKey('old'), put: { version: 1, devices: [deviceCalled('phone')] } }]);
    expect([await ids('old', days(13)), await ids('old', days(15))]).toEqual([['phone'], []]);
  });
});
