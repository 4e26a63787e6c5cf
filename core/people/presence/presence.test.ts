import { tableOfTests } from '../../../test/support/tables/table';
import { openConnection } from '../live/connections';
import { closeConnection, conversationTopic, subscribe, unsubscribe } from '../live/subscriptions';
import { setWatched } from '../live/watching';
import { hasSeen, herePush, typingPush } from './presence';

const live = tableOfTests();
const now = new Date('2027-03-01T08:00:00.000Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const holder = (user: string) => ({ user, deciders: [], groups: [], until: now.getTime() / 1_000 + 900 });
const conversationId = 'trip';
const topic = conversationTopic(conversationId);

async function opens(id: string, user: string, role: 'owner' | 'member' | 'watcher'): Promise<void> {
  await openConnection(live, id, holder(user), now);
  await subscribe(live, id, topic, holder(user), now, role);
}
const show = (id: string, visible: boolean, turn: number) =>
  setWatched(live, id, { conversationId, visible, turn }, now);
const told = async (user: string, at = now) => {
  const push = await herePush(live, conversationId, user, at);
  return push && (JSON.parse(push.frames[0]!) as object);
};

test('who sees a conversation is told to the others, each once; alone, nobody is told (R226)', async () => {
  await opens('a1', 'ada', 'owner');
  await show('a1', true, 1);
  expect(await told('ada')).toBeUndefined();
  await opens('a2', 'ada', 'owner');
  await show('a2', true, 1);
  expect(await told('ada')).toBeUndefined();
  await opens('b1', 'ben', 'member');
  expect(await told('ben')).toEqual({ type: 'here', conversationId, users: ['ada'] });
  await show('b1', true, 1);
  expect(await told('ben')).toEqual({ type: 'here', conversationId, users: ['ada', 'ben'] });
  // A page that sleeps does not say so.
  expect(await told('ben', later(301))).toEqual({ type: 'here', conversationId, users: [] });
  expect(await told('ben', later(901))).toBeUndefined();
});

test('who leaves, or whose connection ends, is known by what is dropped (R226)', async () => {
  const dropped = await closeConnection(live, 'a2');
  expect(dropped).toMatchObject([{ pk: topic, user: 'ada' }]);
  expect(dropped.map((one) => hasSeen(one, now))).toEqual([true]);
  await show('b1', false, 2);
  expect(hasSeen((await unsubscribe(live, 'b1', topic))!, now)).toBe(false);
  expect(await unsubscribe(live, 'b1', topic)).toBeUndefined();
});

test('the owner and members say that they write, every two seconds; others may not (R225, R226)', async () => {
  await opens('b2', 'ben', 'member');
  await opens('w', 'wes', 'watcher');
  const types = (id: string, user: string, at = now) => typingPush(live, id, { conversationId, user }, at);
  expect(await types('b2', 'ben')).toMatchObject({
    topic,
    frames: [JSON.stringify({ type: 'typing', conversationId, user: 'ben' })],
  });
  expect(await types('b2', 'ben', later(1))).toBe('early');
  expect(await types('b2', 'ben', later(2))).toMatchObject({ topic });
  expect(await types('a1', 'ada')).toMatchObject({ topic });
  expect(await types('w', 'wes')).toBeUndefined();
  expect(await types('nobody', 'zoe')).toBeUndefined();
});
