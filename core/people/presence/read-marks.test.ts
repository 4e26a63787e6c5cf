import { overtaken } from '../../../test/support/tables/mortal-table';
import { tableOfTests } from '../../../test/support/tables/table';
import { key } from '../../conversations/rows/keys';
import { createConversation } from '../../conversations/runs/conversation';
import { readMeta, type Table, write } from '../../conversations/store/table';
import { markRead, readMarks } from './read-marks';

const table = tableOfTests();
const now = new Date('2026-03-01T08:00:00Z');

test('a mark that a slow request sets does not move back one that is further (R225)', async () => {
  const id = 'c_marks';
  await createConversation(table, { id, user: 'ada', agent: 'tester', text: 'Hello' }, now);
  const members = { 'user:bob': { role: 'member' } };
  await write(table, id, [{ sk: key.meta, set: { members, lastSeq: 9 }, onlyIf: { lastSeq: 1 } }]);
  const mark = (seq: number, on: Table = table) => markRead(on, id, 'bob', { seq }, now);
  await mark(2);
  const slow = overtaken(
    table,
    ({ input }) => 'Put' in (input.TransactItems?.[0] ?? {}),
    () => mark(8),
  );
  await mark(5, slow);
  expect(await readMarks(table, (await readMeta(table, id))!)).toMatchObject([{ user: 'bob', seq: 8 }]);
});
