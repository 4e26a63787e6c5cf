import { tableOfTests } from '../../../test/support/tables/table';
import { openConnection } from './connections';
import { closeConnection, conversationTopic, subscribe } from './subscriptions';
import { isWatched, setWatched } from './watching';

const live = tableOfTests();

const now = new Date('2026-03-01T08:00:00Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const holder = { user: 'ada', deciders: [], groups: [], until: now.getTime() / 1_000 + 900 };
const conversationId = 'c';
const show = (id: string, visible: boolean, turn: number, at = now) =>
  setWatched(live, id, { conversationId, visible, turn }, at);

test('a conversation is watched while one of its subscribers shows it, for five minutes at most (R154)', async () => {
  for (const id of ['one', 'two']) {
    await openConnection(live, id, holder, now);
    await subscribe(live, id, conversationTopic(conversationId), holder, now);
  }
  expect(await isWatched(live, conversationId, 'ada', now)).toBe(false);
  await show('one', true, 1);
  expect(await isWatched(live, conversationId, 'ada', later(299))).toBe(true);
  expect(await isWatched(live, conversationId, 'ada', later(301))).toBe(false);
  await show('two', true, 1, later(240));
  expect(await isWatched(live, conversationId, 'ada', later(301))).toBe(true);
  await show('two', false, 2, later(250));
  expect(await isWatched(live, conversationId, 'ada', later(301))).toBe(false);
  expect(await isWatched(live, conversationId, 'ada', later(299))).toBe(true);
  await closeConnection(live, 'one');
  expect(await isWatched(live, conversationId, 'ada', now)).toBe(false);
});

test('of messages out of order the latest counts; who does not subscribe watches nothing (R154)', async () => {
  expect(await show('two', false, 12)).toBe(true);
  expect(await show('two', true, 11)).toBe(true);
  expect(await isWatched(live, conversationId, 'ada', now)).toBe(false);
  expect(await show('three', true, 1)).toBe(false);
  expect(await isWatched(live, conversationId, 'ada', now)).toBe(false);
});

test('who watches with a token that has ended does not count (R154)', async () => {
  await show('two', true, 13, later(899));
  expect(await isWatched(live, conversationId, 'ada', later(899))).toBe(true);
  expect(await isWatched(live, conversationId, 'ada', later(900))).toBe(false);
});
