import { addMember } from '../../../test/support/add-member';
import { overtaken } from '../../../test/support/tables/mortal-table';
import { tableOfTests } from '../../../test/support/tables/table';
import { key } from '../../conversations/rows/keys';
import { createConversation } from '../../conversations/runs/conversation';
import { readMeta, readRow, write } from '../../conversations/store/table';
import { broadcastOf } from '../live/broadcast';
import { markRead, readMarks } from './read-marks';

const table = tableOfTests();
const now = new Date('2027-03-01T08:00:00.000Z');
const lastSeq = 9;

let count = 0;
async function given(...members: string[]): Promise<string> {
  const id = `read${++count}`;
  await createConversation(table, { id, user: 'ada', agent: 'tester' }, now);
  const { version } = (await readMeta(table, id))!;
  await write(table, id, [{ sk: key.meta, set: { lastSeq }, onlyIf: { version } }]);
  for (const member of members) await addMember(table, { conversationId: id, by: 'ada' }, member, { role: 'watcher' });
  return id;
}
const marksOf = async (id: string) => readMarks(table, (await readMeta(table, id))!);
const mark = (id: string, user: string, seq: number, called?: string) =>
  markRead(table, id, user, { seq, called }, now);

test('a mark only moves on, up to the last message, whatever the order; several at once are one (R226)', async () => {
  const id = await given('user:ben');
  await Promise.all([3, 7, 5].map((seq) => mark(id, 'ben', seq, ' Ben\n')));
  await mark(id, 'ben', 2);
  expect(await marksOf(id)).toEqual([{ user: 'ben', seq: 7, name: 'Ben' }]);
  await mark(id, 'ben', 1_000);
  await mark(id, 'ada', 4);
  expect(await marksOf(id)).toEqual([
    { user: 'ada', seq: 4 },
    { user: 'ben', seq: lastSeq },
  ]);
});

test('a conversation of one person has none; a stranger finds nothing; who was removed is left out (R225, R226)', async () => {
  const id = await given();
  await mark(id, 'ada', 3);
  expect(await readRow(table, id, key.readMark('ada'))).toBeUndefined();
  await expect(mark(id, 'ben', 3)).rejects.toMatchObject({ name: 'NotFound' });
  await addMember(table, { conversationId: id, by: 'ada' }, 'user:ben', { role: 'watcher' });
  await mark(id, 'ben', 3);
  const meta = (await readMeta(table, id))!;
  expect(await readMarks(table, { ...meta, members: { 'user:cleo': { role: 'member' } } })).toEqual([]);
  // Who has come by a group is in no list.
  expect(await readMarks(table, { ...meta, members: { 'group:sales': { role: 'member' } } })).toHaveLength(1);
});

test('a mark is pushed to those who follow the conversation, and expires (R226)', async () => {
  const id = await given('user:ben');
  await mark(id, 'ben', 3, 'Ben');
  const sk = key.readMark('ben');
  const row = (await readRow(table, id, sk))!;
  expect(row).toMatchObject({ ttl: expect.any(Number) });
  const { pushes } = broadcastOf([{ conversationId: id, sk, row }], now);
  expect(pushes.map(({ topic, frames }) => [topic, ...frames.map((frame) => JSON.parse(frame) as object)])).toEqual([
    [`CONVERSATION#${id}`, { type: 'read', conversationId: id, user: 'ben', seq: 3, name: 'Ben' }],
  ]);
});

test('a repeated request writes nothing (R226)', async () => {
  const id = await given('user:ben');
  await mark(id, 'ben', 3);
  await mark(id, 'ben', 3);
  expect(await readRow(table, id, key.readMark('ben'))).toMatchObject({ version: 1, seq: 3 });
});

test('a mark that a slow request sets does not move back one that is further (R226)', async () => {
  const id = await given('user:ben');
  await mark(id, 'ben', 2);
  const slow = overtaken(
    table,
    ({ input }) => 'Put' in (input.TransactItems?.[0] ?? {}),
    () => mark(id, 'ben', 8),
  );
  await markRead(slow, id, 'ben', { seq: 5 }, now);
  expect(await marksOf(id)).toMatchObject([{ user: 'ben', seq: 8 }]);
});
