import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { startTable } from '../../test/support/table';
import { countConnections, openConnection } from './connections';
import {
  closeConnection,
  conversationTopic,
  issueTicket,
  subscribe,
  subscribersOf,
  unsubscribe,
  userOfConnection,
  useTicket,
} from './subscriptions';

let live: Awaited<ReturnType<typeof startTable>>;
beforeAll(async () => {
  live = await startTable();
});
afterAll(() => live.stop());

const now = new Date('2026-03-01T08:00:00Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const rows = async () => (await live.client.send(new ScanCommand({ TableName: live.name }))).Items!;
const topic = conversationTopic('c');

test('a ticket is valid once, for a minute; the table has only its digest, and no row after its use', async () => {
  const ticket = await issueTicket(live, 'ada', now);
  expect(ticket).toMatch(/^[\w-]{43}$/);
  expect(JSON.stringify(await rows())).not.toContain(ticket);
  const users = await Promise.all([useTicket(live, ticket, later(59)), useTicket(live, ticket, later(59))]);
  expect(users.sort()).toEqual(['ada', undefined]);
  expect(await rows()).toEqual([]);
  expect(await useTicket(live, await issueTicket(live, 'ada', now), later(61))).toBeUndefined();
  expect(await useTicket(live, 'x', now)).toBeUndefined();
});

test('what a connection has in the table goes with it, and nothing is added to one that has ended', async () => {
  await openConnection(live, 'one', 'ada', now);
  await openConnection(live, 'two', 'eve', now);
  expect(await userOfConnection(live, 'one')).toBe('ada');
  for (const id of ['one', 'two', 'one']) expect(await subscribe(live, id, topic, now)).toBe(true);
  await subscribe(live, 'one', 'other', now);
  expect(await subscribersOf(live, topic)).toEqual(['one', 'two']);
  await closeConnection(live, 'one');
  await closeConnection(live, 'one');
  expect([await subscribersOf(live, topic), await subscribersOf(live, 'other')]).toEqual([['two'], []]);
  expect([await subscribe(live, 'one', topic, now), await userOfConnection(live, 'one')]).toEqual([false, undefined]);
  await unsubscribe(live, 'two', topic);
  await unsubscribe(live, 'one', topic);
  expect(await subscribersOf(live, topic)).toEqual([]);
});

test('of thirty connections that a user opens at once, five succeed; an end makes room, also one that nobody reports (R149)', async () => {
  const open = (id: string, at = now) => openConnection(live, id, 'zoe', at, 5);
  const tried = await Promise.allSettled(Array.from({ length: 30 }, (_, index) => open(`z${index}`)));
  const opened = tried.flatMap(({ status }, index) => (status === 'fulfilled' ? [`z${index}`] : []));
  expect(opened).toHaveLength(5);
  expect(tried.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { name: 'LimitReached', limit: { used: 5, most: 5, variable: 'VIGIL_MAX_USER_CONNECTIONS' } },
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
  await openConnection(live, 'busy', 'ada', now);
  const topics = Array.from({ length: 100 }, (_, index) => `t${index}`);
  for (const one of topics) expect(await subscribe(live, 'busy', one, now)).toBe(true);
  expect(await subscribe(live, 'busy', 't100', now)).toBe(false);
  expect(await subscribe(live, 'busy', 't5', now)).toBe(true);
});

test('every row has an expiry time', async () => {
  expect((await rows()).filter(({ ttl }) => typeof ttl !== 'number')).toEqual([]);
});
