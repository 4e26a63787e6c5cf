import { addMember } from '../../../test/support/add-member';
import { tableOfTests } from '../../../test/support/tables/table';
import { removeMember } from '../../conversations/members/members';
import { createConversation } from '../../conversations/runs/conversation';
import { openConnection } from '../live/connections';
import { closeConnection, conversationTopic, subscribe, unsubscribe } from '../live/subscriptions';
import { setWatched } from '../live/watching';
import { hasSeen, herePush, typingPush } from './presence';

const live = tableOfTests();
const table = tableOfTests();
const tables = { table, live };
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
  const push = await herePush(tables, conversationId, user, at);
  return push && (JSON.parse(push.frames[0]!) as object);
};

beforeAll(async () => {
  await createConversation(table, { id: conversationId, user: 'ada', agent: 'a' }, now);
  const own = { conversationId, by: 'ada' };
  await addMember(table, own, 'user:ben', { role: 'member' });
  await addMember(table, own, 'user:wes', { role: 'watcher' });
});

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

test('who was removed, and who has lost a group, neither hears who is here nor is named (R267)', async () => {
  await opens('b3', 'ben', 'member');
  await show('b3', true, 1);
  const gus = { ...holder('gus'), groups: ['g'] };
  await openConnection(live, 'g1', gus, now);
  await subscribe(live, 'g1', topic, gus, now, 'member');
  await show('g1', true, 1);
  const names = async () => ((await told('wes')) as { users?: string[] } | undefined)?.users;
  expect(await names()).toEqual(['ada', 'ben']);
  await addMember(table, { conversationId, by: 'ada' }, 'group:g', { role: 'watcher' });
  expect(await names()).toEqual(['ada', 'ben', 'gus']);
  for (const name of ['group:g', 'user:ben']) await removeMember(table, { conversationId, by: 'ada' }, name, now);
  // Their subscriptions are still there.
  expect(await names()).toEqual(['ada']);
  const types = { conversationId, holder: holder('ben') };
  expect(await typingPush(tables, 'b3', types, later(60))).toBeUndefined();
  await addMember(table, { conversationId, by: 'ada' }, 'user:ben', { role: 'member' });
  for (const id of ['g1', 'b3']) await closeConnection(live, id);
});

test('the owner and members say that they write, every two seconds; others may not (R225, R226)', async () => {
  await opens('b2', 'ben', 'member');
  await opens('w', 'wes', 'watcher');
  const types = (id: string, user: string, at = now) =>
    typingPush(tables, id, { conversationId, holder: holder(user) }, at);
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
