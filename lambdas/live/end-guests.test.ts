import { removeMember } from '../../core/conversations/members/members';
import { acceptOwnership, offerOwnership } from '../../core/conversations/members/ownership';
import { key } from '../../core/conversations/rows/keys';
import { createConversation } from '../../core/conversations/runs/conversation';
import { readRow } from '../../core/conversations/store/table';
import { openConnection } from '../../core/people/live/connections';
import { conversationTopic, guestsTopic, subscribe, subscribersOf } from '../../core/people/live/subscriptions';
import { addMember } from '../../test/support/add-member';
import { loggedLines } from '../../test/support/logged';
import { tableOfTests } from '../../test/support/tables/table';
import { endGuests } from './end-guests';
import type { Connections } from './push';

const table = tableOfTests();
const now = new Date();
beforeEach(() => void loggedLines());

let count = 0;
/** A conversation of Ada with Ben, and a step of its life that the stream tells. */
async function given() {
  const conversationId = `guests${++count}`;
  await createConversation(table, { id: conversationId, user: 'ada', agent: 'tester' }, now);
  const own = { conversationId, by: 'ada' };
  await addMember(table, own, 'user:ben', { role: 'member' });
  const row = async () => (await readRow(table, conversationId, key.meta))!;
  const changed = async (work: () => Promise<unknown>) => {
    const before = await row();
    await work();
    return { conversationId, sk: key.meta, before, row: await row() };
  };
  return { conversationId, own, changed };
}

async function opens(
  id: string,
  person: string | { user: string; groups: string[] },
  role: 'owner' | 'member',
  ...topics: string[]
): Promise<void> {
  const named = typeof person === 'string' ? { user: person, groups: [] } : person;
  const holder = { ...named, deciders: [], until: now.getTime() / 1_000 + 900 };
  await openConnection(table, id, holder, now);
  for (const topic of topics) await subscribe(table, id, topic, holder, now, role);
}

function gateway(failing = false) {
  const closed: string[] = [];
  const connections: Connections = {
    post: async () => undefined,
    async close(id) {
      if (failing) throw new Error('no route');
      closed.push(id);
    },
  };
  return { connections, closed };
}

test('who is removed is closed, who stays is not; an owner who pins it changes nobody (R225)', async () => {
  const { conversationId, own, changed } = await given();
  const topics = [guestsTopic(conversationId), conversationTopic(conversationId)];
  await opens(`a${conversationId}`, 'ada', 'owner', topics[1]!);
  await opens(`b${conversationId}`, 'ben', 'member', ...topics);
  const { connections, closed } = gateway();
  const same = await changed(async () => undefined);
  await endGuests(table, connections, [{ ...same, row: { ...same.row, owner: 'pinned:ada' } }]);
  expect(closed).toEqual([]);
  const removal = await changed(() => removeMember(table, own, 'user:ben', now));
  expect(await endGuests(table, connections, [removal])).toEqual(new Set());
  expect(closed).toEqual([`b${conversationId}`]);
  expect((await subscribersOf(table, topics[1]!, now)).open).toMatchObject([{ sk: `a${conversationId}` }]);
});

test('a group that is removed takes its people with it; who is in another one stays (R225)', async () => {
  const { conversationId, own, changed } = await given();
  await addMember(table, own, 'group:sales', { role: 'member' });
  await addMember(table, own, 'group:desk', { role: 'member' });
  const topic = guestsTopic(conversationId);
  await opens(`g${conversationId}`, { user: 'gus', groups: ['sales'] }, 'member', topic);
  await opens(`h${conversationId}`, { user: 'hal', groups: ['sales', 'desk'] }, 'member', topic);
  const { connections, closed } = gateway();
  await endGuests(table, connections, [await changed(() => removeMember(table, own, 'group:sales', now))]);
  expect(closed).toEqual([`g${conversationId}`]);
});

test('a former owner is closed: what they follow as the owner is theirs no more (R225)', async () => {
  const { conversationId, own, changed } = await given();
  await opens(`a${conversationId}`, 'ada', 'owner', conversationTopic(conversationId));
  await offerOwnership(table, own, 'ben');
  const handOver = await changed(() => acceptOwnership(table, { conversationId, by: 'ben' }, now));
  const { connections, closed } = gateway();
  await endGuests(table, connections, [handOver]);
  expect(closed).toEqual([`a${conversationId}`]);
  // A sub-agent's conversation has no members of its own.
  const child = { owner: 'ada', conversationId: 'task', parent: undefined };
  await opens('child', 'ada', 'owner', conversationTopic('task'));
  const moved = { ...handOver, conversationId: 'task' };
  const of = (row: object, owner: string) => ({
    ...row,
    ...child,
    owner,
    pk: key.conversation('task'),
    members: undefined,
  });
  await endGuests(table, connections, [{ ...moved, before: of(moved.before, 'ada'), row: of(moved.row, 'ben') }]);
  expect(closed).toEqual([`a${conversationId}`, 'child']);
});

test('a conversation whose guests cannot be closed is told, so that nothing of it is pushed (R225)', async () => {
  const { conversationId, own, changed } = await given();
  await opens(`b${conversationId}`, 'ben', 'member', guestsTopic(conversationId));
  const removal = await changed(() => removeMember(table, own, 'user:ben', now));
  expect(await endGuests(table, gateway(true).connections, [removal])).toEqual(new Set([conversationId]));
});
