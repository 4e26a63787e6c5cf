import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { tableOfTests } from '../../../test/support/tables/table';
import { connectionKey, countConnections, type Holder, openConnection } from './connections';
import {
  closeConnection,
  conversationTopic,
  holderOf,
  issueTicket,
  subscribe,
  subscribersOf,
  unsubscribe,
  useTicket,
} from './subscriptions';

const live = tableOfTests();

const now = new Date('2026-03-01T08:00:00Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const rows = async () => (await live.client.send(new ScanCommand({ TableName: live.name }))).Items!;
const topic = conversationTopic('c');
/** For a quarter of an hour, as access tokens last. */
const holder = (user: string, from = now): Holder => ({
  user,
  deciders: [`user:${user}`],
  groups: [],
  until: from.getTime() / 1_000 + 900,
});
const openTo = async (to: string, at = now) => (await subscribersOf(live, to, at)).open.map(({ sk }) => sk);

test('a ticket is valid once, for a minute; the table has only its digest, and no row after its use', async () => {
  const ticket = await issueTicket(live, holder('ada'), now);
  expect(ticket).toMatch(/^[\w-]{43}$/);
  expect(JSON.stringify(await rows())).not.toContain(ticket);
  const used = await Promise.all([useTicket(live, ticket, later(59)), useTicket(live, ticket, later(59))]);
  expect(used.sort()).toEqual([holder('ada'), undefined]);
  expect(await rows()).toEqual([]);
  expect(await useTicket(live, await issueTicket(live, holder('ada'), now), later(61))).toBeUndefined();
  expect(await useTicket(live, 'x', now)).toBeUndefined();
});

test('what a connection has in the table goes with it, and nothing is added to one that has ended', async () => {
  await openConnection(live, 'one', holder('ada'), now);
  await openConnection(live, 'two', holder('eve'), now);
  expect(await holderOf(live, 'one', now)).toEqual(holder('ada'));
  for (const id of ['one', 'two', 'one']) expect(await subscribe(live, id, topic, holder('ada'), now)).toBe(true);
  await subscribe(live, 'one', 'other', holder('ada'), now);
  expect(await openTo(topic)).toEqual(['one', 'two']);
  await closeConnection(live, 'one');
  await closeConnection(live, 'one');
  expect([await openTo(topic), await openTo('other')]).toEqual([['two'], []]);
  expect(await subscribe(live, 'one', topic, holder('ada'), now)).toBe(false);
  expect(await holderOf(live, 'one', now)).toBeUndefined();
  await unsubscribe(live, 'two', topic);
  await unsubscribe(live, 'one', topic);
  expect(await openTo(topic)).toEqual([]);
});

test('a ticket, a connection and its subscriptions end with the token; so do those from before tokens were kept (R124)', async () => {
  await openConnection(live, 'short', holder('ada'), now);
  await subscribe(live, 'short', 'ending', holder('ada'), now);
  const last = later(899);
  expect([await holderOf(live, 'short', last), await openTo('ending', last)]).toEqual([holder('ada'), ['short']]);
  const end = later(900);
  expect(await holderOf(live, 'short', end)).toBeUndefined();
  expect(await subscribersOf(live, 'ending', end)).toEqual({ open: [], over: ['short'] });
  expect(await useTicket(live, await issueTicket(live, holder('ada'), later(890)), end)).toBeUndefined();
  const { ttl } = (await rows()).find(({ sk, pk }) => pk === 'ending' && sk === 'short')!;
  expect(ttl).toBe(holder('ada').until + 600);
  const before = { pk: 'ending', sk: 'old', ttl };
  await live.client.send(new PutCommand({ TableName: live.name, Item: before }));
  expect((await subscribersOf(live, 'ending', now)).over).toEqual(['old']);
  await live.client.send(new PutCommand({ TableName: live.name, Item: { ...connectionKey('old'), user: 'ada', ttl } }));
  expect(await holderOf(live, 'old', now)).toBeUndefined();
});

test('of thirty connections that a user opens at once, five succeed; an end makes room, also one that nobody reports (R149)', async () => {
  const open = (id: string, at = now) => openConnection(live, id, holder('zoe', at), at, 5);
  const tried = await Promise.allSettled(Array.from({ length: 30 }, (_, index) => open(`z${index}`)));
  const opened = tried.flatMap(({ status }, index) => (status === 'fulfilled' ? [`z${index}`] : []));
  expect(opened).toHaveLength(5);
  expect(tried.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { name: 'LimitReached', limit: { used: 5, most: 5 } },
  });
  // Repeated, because its answer was lost.
  await open(opened[0]!);
  await closeConnection(live, opened[0]!);
  await closeConnection(live, opened[0]!);
  expect(await countConnections(live, 'zoe', now)).toBe(4);
  await open('one more');
  await expect(open('too many')).rejects.toMatchObject({ name: 'LimitReached' });
  await open('a day later', later(86_400));
  expect(await countConnections(live, 'zoe', later(86_400))).toBe(1);
});

test('a connection has a hundred subscriptions at most; one that it has already is no more', async () => {
  await openConnection(live, 'busy', holder('ada'), now);
  const topics = Array.from({ length: 100 }, (_, index) => `t${index}`);
  for (const one of topics) expect(await subscribe(live, 'busy', one, holder('ada'), now)).toBe(true);
  expect(await subscribe(live, 'busy', 't100', holder('ada'), now)).toBe(false);
  expect(await subscribe(live, 'busy', 't5', holder('ada'), now)).toBe(true);
});

test('every row has an expiry time', async () => {
  expect((await rows()).filter(({ ttl }) => typeof ttl !== 'number')).toEqual([]);
});
