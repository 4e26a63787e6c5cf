import assert from 'node:assert';
import { defineAgent } from '../../core/conversations/agent/agent';
import { registry } from '../../core/conversations/agent/registry';
import { readTimers } from '../../core/conversations/calls/timer';
import { deleteConversation } from '../../core/conversations/conversation/delete';
import { readMeta } from '../../core/conversations/store/table';
import { cancelTimer, changeTimer } from '../../core/conversations/timers/change-timer';
import { tableOfTests } from '../../test/support/tables/table';
import type { Schedule } from './agent-field';
import { scheduleChanges } from './declared-schedules';

// What the code declares, and what becomes of it when the code, the users or the rows change.

const now = new Date('2027-01-01T08:00:00.000Z');
const table = tableOfTests();
let serial = 0;

/** A deployment whose agent has these schedules. */
const deployed = (agent: string, ...schedules: Schedule[]) =>
  registry([
    defineAgent({ name: agent, purpose: 'p', instructions: 'i', model: 'm', tools: [], schedules }),
    // Something is deployed, even if it has no schedules.
  ]);

function given() {
  const agent = `chaser-${++serial}`;
  const [ada, grace] = [`ada-${serial}`, `grace-${serial}`];
  /** Applies the code, as Reconcile does. */
  const apply = async (...schedules: Schedule[]) => {
    const { changes, failed } = await scheduleChanges(table, deployed(agent, ...schedules), 50);
    const own = changes.filter(({ schedule }) => schedule.startsWith(`${agent}/`));
    const made = [];
    for (const change of own) made.push(await change.make(table, now));
    return { did: own.map(({ does }) => does), ids: own.map((one) => one.conversationId), made, failed };
  };
  const timer = async (id: string) => (await readTimers(table, id))[0]!;
  const weekly = (more: Partial<Schedule> = {}): Schedule => ({
    name: 'weekly-chase',
    cron: '0 9 * * 1',
    timeZone: 'Europe/Berlin',
    text: 'Chase.',
    for: () => [ada],
    ...more,
  });
  return { agent, ada, grace, apply, timer, weekly };
}

test('each user gets a conversation with a recurring timer, once, whoever applies it at the same time (R250)', async () => {
  const { agent, ada, grace, apply, timer, weekly } = given();
  const both = weekly({ for: async () => [ada, grace, ada] });
  const applied = await Promise.all([apply(both), apply(both)]);
  expect(applied.flatMap(({ made }) => made.filter(Boolean))).toHaveLength(2);
  const [id] = applied[0]!.ids;
  expect(await readMeta(table, id!)).toMatchObject({ owner: ada, agent, title: 'Weekly chase' });
  expect(await timer(id!)).toMatchObject({
    schedule: `${agent}/weekly-chase`,
    name: 'weekly-chase',
    rule: '0 9 * * 1',
    timeZone: 'Europe/Berlin',
    text: 'Chase.',
    status: 'active',
    nextAt: '2027-01-04T08:00:00.000Z',
    author: 'schedule',
  });
  expect((await apply(both)).did).toEqual([]);
});

test('changed code changes the timers, which stay paused if they are, and resets what it leaves out (R250)', async () => {
  const { ada, apply, timer, weekly } = given();
  const { ids } = await apply(weekly({ overlap: 'skip' }));
  const id = ids[0]!;
  await changeTimer(table, id, (await timer(id)).id, { paused: true }, { user: ada, now });
  const { cron: _, timeZone: __, ...rest } = weekly({ every: 'PT6H', text: 'Chase more.' });
  expect((await apply(rest)).did).toEqual(['change']);
  expect(await timer(id)).toMatchObject({
    rule: 'every 21600 seconds',
    text: 'Chase more.',
    status: 'paused',
    overlap: 'one',
  });
  expect((await apply(rest)).did).toEqual([]);
});

test('a schedule that the code or its function no longer has ends; declared again, it begins anew (R250)', async () => {
  const { ada, grace, apply, timer, weekly } = given();
  const { ids } = await apply(weekly({ for: () => [ada, grace] }));
  const left = await apply(weekly({ for: () => [grace] }));
  expect(left).toMatchObject({ did: ['end'], ids: [ids[0]] });
  expect(await timer(ids[0]!)).toMatchObject({ status: 'cancelled' });
  expect(await timer(ids[1]!)).toMatchObject({ status: 'active' });
  expect((await apply()).did).toEqual(['end']);
  expect((await apply()).did).toEqual([]);
  const again = await apply(weekly());
  expect(again.did).toEqual(['create']);
  expect(again.ids[0]).not.toBe(ids[0]);
  expect(await timer(again.ids[0]!)).toMatchObject({ status: 'active' });
});

test('what its user has cancelled or deleted does not come back, and changed code does not bring it back (R250)', async () => {
  const { ada, grace, apply, timer, weekly } = given();
  const both = { for: () => [ada, grace] };
  const { ids } = await apply(weekly(both));
  await cancelTimer(table, ids[0]!, (await timer(ids[0]!)).id, { user: ada });
  await deleteConversation(table, new Map(), ids[1]!, grace, now);
  expect((await apply(weekly(both))).did).toEqual([]);
  await apply(weekly({ ...both, text: 'Other.' }));
  expect((await Promise.all(ids.map(timer))).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
});

test.each<[string, Schedule['for']]>([
  ['throws', () => Promise.reject(new Error('down'))],
  ['returns no list', () => 'ada' as never],
  ['returns something that is no id', () => ['a b']],
])('a function that %s changes nothing, and is reported (R250)', async (_, broken) => {
  const { agent, apply, timer, weekly } = given();
  const { ids } = await apply(weekly());
  const { did, failed } = await apply(weekly({ for: broken }));
  expect([did, [...failed.keys()]]).toEqual([[], [`${agent}/weekly-chase`]]);
  expect(await timer(ids[0]!)).toMatchObject({ status: 'active' });
});

test('a timer and what is known of its schedule change together, or not at all (R250)', async () => {
  const { ada, apply, timer, weekly } = given();
  const { ids } = await apply(weekly());
  const id = ids[0]!;
  const { changes } = await scheduleChanges(table, deployed(`chaser-${serial}`, weekly({ text: 'New.' })));
  const mine = changes.find((one) => one.conversationId === id)!;
  // Its user is faster.
  const { make } = mine;
  const [made] = await Promise.all([
    make(table, now),
    changeTimer(table, id, (await timer(id)).id, { paused: true }, { user: ada, now }),
  ]);
  const said = (await timer(id)).text;
  expect(said).toBe(made ? 'New.' : 'Chase.');
  expect((await apply(weekly({ text: 'New.' }))).did).toEqual(made ? [] : ['change']);
  expect(await timer(id)).toMatchObject({ text: 'New.', status: 'paused' });
});

test('the deployment has a schedule of its own, and data are given as JSON (R250)', async () => {
  const { apply, timer } = given();
  const { ids } = await apply({ name: 'nightly', every: 'P1D', input: { report: 'sales' }, for: 'deployment' });
  expect(await readMeta(table, ids[0]!)).toMatchObject({ owner: 'deployment' });
  expect(await timer(ids[0]!)).toMatchObject({ text: '{"report":"sales"}' });
});

test.each<[Partial<Schedule>, string]>([
  [{ name: 'Weekly' }, 'schedules[0].name: use kebab-case'],
  [{ cron: '61 * * * *' }, 'schedules[0].cron: "61 * * * *" is not a valid cron expression'],
  [{ every: 'P1D' }, 'schedules[0].cron: give either "cron" or "every"'],
  [{ cron: undefined, every: '1 day' }, 'schedules[0].every: must be an ISO 8601 duration'],
  [{ cron: undefined, every: 'PT30S' }, 'schedules[0].every: must be from 60'],
  [{ timeZone: 'Berlin' }, 'schedules[0].timeZone: "Berlin" is not an IANA time zone'],
  [{ text: undefined }, 'schedules[0].text: give either "text" or "input"'],
  [{ overlap: 'skp' as never }, 'schedules[0].overlap: must be "one", "queue" or "skip"'],
  [{ jitterSeconds: 5_000 }, 'schedules[0].jitterSeconds: must be a whole number from 0 to 3600'],
  [{ for: 'everybody' as never }, 'schedules[0].for: must be "deployment"'],
])('a schedule with %j is refused, and the field named (R250)', (wrong, words) => {
  const { weekly } = given();
  expect(() => deployed('chaser', weekly(wrong))).toThrow(words);
});

test.each<[string, Schedule['for']]>([
  ['throws', () => assert.fail('The directory is down.')],
  ['never settles', () => new Promise(() => undefined)],
  ['names no users', () => 'ada' as never],
])('a function that %s stops no other schedule, and its own stays as it is (R250, R266)', async (_, whose) => {
  const { agent, grace, apply, weekly } = given();
  await apply(weekly());
  const { did, failed } = await apply(weekly({ for: whose }), weekly({ name: 'other', for: () => [grace] }));
  expect(did).toEqual(['create']);
  expect([...failed.keys()]).toEqual([`${agent}/weekly-chase`]);
});
