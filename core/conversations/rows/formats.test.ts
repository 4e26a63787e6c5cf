import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { tableOfTests } from '../../../test/support/tables/table';
import { readCallback } from '../calls/callback';
import { cancelRun } from '../conversation/cancel';
import { emptyMeta } from '../runs/conversation';
import { nextRun } from '../runs/run';
import { readMeta, readRow, write } from '../store/table';
import { key } from './keys';
import { allKinds } from './kinds';
import { metaRow } from './meta';
import { callbackRow } from './rows';

const table = tableOfTests();
const now = new Date('2027-03-01T08:00:00.000Z');
const id = 'r_000001_a.00001.00';
const callback = {
  ...({ id, version: 1, runId: 'r_000001_a', kind: 'question', prompt: 'Which?', status: 'pending' } as const),
  expiresAt: now.toISOString(),
};
const put = (conversationId: string, sk: string, row: object) =>
  table.client.send(
    new PutCommand({ TableName: table.name, Item: { pk: key.conversation(conversationId), sk, ...row } }),
  );

test('a row of an earlier format is upgraded whenever it is read, and stored in the new one when it is written whole (R231)', async () => {
  await put('c', key.callback(id), { ...callback, mayAnswer: 'ada' });
  const read = await readCallback(table, 'c', id);
  expect(read).toEqual({ ...callback, decider: 'user:ada' });
  // A write of some fields leaves the others as they are.
  await write(table, 'c', [{ sk: key.callback(id), set: { status: 'cancelled' }, onlyIf: { version: 1 } }]);
  expect(await readCallback(table, 'c', id)).toEqual({ ...read, version: 2, status: 'cancelled' });
  await write(table, 'c', [{ sk: key.callback(id), put: callbackRow(read!) }]);
  expect(await readRow(table, 'c', key.callback(id))).toMatchObject({ format: 2, decider: 'user:ada' });
  expect(await readCallback(table, 'c', id)).toEqual(read);
});

test('a kind without upgrades has the first format, which no row names (R231)', async () => {
  const meta = nextRun(emptyMeta({ id: 'm', user: 'ada', agent: 'tester', now }), now);
  await write(table, 'm', [{ sk: key.meta, put: metaRow(meta) }]);
  expect(await readRow(table, 'm', key.meta)).not.toHaveProperty('format');
});

test('no kind has a field of its own with the name of the format (R231)', () => {
  const fields = allKinds.flatMap(({ schema }) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []));
  expect(fields).toContain('version');
  expect(fields).not.toContain('format');
});

test('a tool’s own row may have a field of this name (R231)', async () => {
  await write(table, 'm', [{ sk: 'REPORT#1', put: { format: 'pdf' } }]);
  expect(await readRow(table, 'm', 'REPORT#1')).toMatchObject({ format: 'pdf' });
});

test.each([2, 99, 0, 1.5, 'two', null])(
  'a row of the format %j is of a later version: it is refused by its name, and not repaired (R231)',
  async (format) => {
    const meta = nextRun(emptyMeta({ id: 'n', user: 'ada', agent: 'tester', now }), now);
    const row = { ...metaRow(meta), run: 'of another form', format };
    await put('n', key.meta, row);
    for (const use of [
      () => readMeta(table, 'n'),
      () => cancelRun(table, new Map(), { conversationId: 'n', user: 'ada' }, now),
    ])
      await expect(use()).rejects.toMatchObject({
        name: 'NewerRow',
        message: expect.stringContaining('later version of Vigil has written the row META: its format is'),
      });
  },
);
