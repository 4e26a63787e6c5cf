import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { tableOfTests } from '../../../test/support/tables/table';
import { key } from '../rows/keys';
import { readSpending, reserving, spendingKey } from '../runs/spending';
import { countRow, readCounts } from './counts';
import { RowConflict, readItem, write } from './table';

const now = new Date('2026-03-01T08:00:00Z');
const odd = ['x', '5', true, null, [], { a: 1 }, new Uint8Array(2)];

describe('a sum that is none (R189)', () => {
  const table = tableOfTests();
  let users = 0;
  const given = async (row: { pk: string; sk: string }, more: object) =>
    table.client.send(new PutCommand({ TableName: table.name, Item: { ...row, ...more } }));

  test.each(odd)('of %j in a user’s counts counts as 0, and the user goes on', async (value) => {
    for (const limits of [{}, { runs: 2 }]) {
      const user = `ada${++users}`;
      await given({ pk: key.counted(user), sk: key.counts }, { runs: value, timers: 3, conversations: value });
      const more = [countRow(user, { runs: 1, conversations: 1 }, limits)];
      expect(await write(table, 'c', more)).toBe(true);
      expect(await write(table, 'c', more)).toBe(true);
      expect(await readCounts(table, user)).toEqual({ runs: 2, subAgents: 0, conversations: 2, timers: 3 });
      if (limits.runs) expect(await write(table, 'c', more).catch((error: unknown) => error)).toBe(false);
    }
  });

  test.each(odd)('of %j in what a user has spent counts as 0, and the user goes on', async (value) => {
    const user = `bo${++users}`;
    await given(spendingKey(user, '2026-03-01'), { tokens: value, c01: value, steps: 7 });
    const reserved = { on: '2026-03-01', steps: 1, tokens: 10, costMicrodollars: 5 };
    const both = [
      countRow(user, { runs: 1 }),
      reserving(user, reserved, { month: { tokens: 100 }, day: { costMicrodollars: 9 } }),
    ];
    expect(await write(table, 'c', both)).toBe(true);
    expect(await readSpending(table, user, now)).toEqual({
      month: { steps: 8, tokens: 10, costMicrodollars: 5 },
      day: { steps: 1, tokens: 10, costMicrodollars: 5 },
      cached: { inputTokens: 0, savedMicrodollars: 0 },
      unpricedCalls: 0,
    });
    await expect(write(table, 'c', both)).rejects.toBeInstanceOf(RowConflict);
    expect((await readCounts(table, user)).runs).toBe(1);
  });

  test('in a row of a tool is not dropped', async () => {
    const account = { pk: 'ACCOUNT#1', sk: 'BALANCE' };
    await given(account, { cents: '500' });
    await expect(write(table, 'c', [{ ...account, add: { cents: 1 } }])).rejects.toMatchObject({
      name: 'UnreadableRow',
    });
    expect(await readItem(table, account)).toMatchObject({ cents: '500' });
  });
});
