import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { tableOfTests } from '../../../test/support/tables/table';
import { key } from '../rows/keys';
import { spendingKey } from '../runs/spending';
import { readItem, write } from './table';

const table = tableOfTests();

test.each([
  ['a user’s counts', { pk: key.counted('ada'), sk: key.counts }],
  ['what a user has spent', spendingKey('bo', '2026-03-01')],
  ['a row of a tool', { pk: 'ACCOUNT#1', sk: 'BALANCE' }],
])('a sum in %s that is no number is not added to, and stays as it is (R266)', async (_, row) => {
  await table.client.send(new PutCommand({ TableName: table.name, Item: { ...row, runs: '500' } }));
  await expect(write(table, 'c', [{ ...row, add: { runs: 1 } }])).rejects.toMatchObject({
    name: 'UnreadableRow',
    sk: row.sk,
    field: 'runs',
  });
  expect(await readItem(table, row)).toMatchObject({ runs: '500' });
});
