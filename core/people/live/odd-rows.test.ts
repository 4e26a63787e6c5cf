import { readWithOddFields } from '../../../test/support/odd-fields';
import { tableOfTests } from '../../../test/support/tables/table';
import { key } from '../../conversations/rows/keys';
import { readSpending, spendingKey } from '../../conversations/runs/spending';
import { readSettings } from '../../conversations/runs/user-settings';
import { readCounts } from '../../conversations/store/counts';
import { forget, readMemories } from '../memory/memories';
import { connectionKey, countConnections } from './connections';
import { closeConnection, conversationTopic, holderOf, subscribersOf } from './subscriptions';

// A row of a user, or of the live view, that cannot be read does not take its reader along. The conversations' rows are in
// `lambdas/odd-rows.test.ts`.

const table = tableOfTests();
const now = new Date('2027-03-01T08:00:00.000Z');
const createdAt = now.toISOString();
const until = now.getTime() / 1_000 + 900;
const topic = conversationTopic('c');
const memory = { id: 'm', text: 'Likes tea', conversationId: 'c', sources: [], createdAt, embeddingModel: 'e' };

const kinds: [name: string, row: Record<string, unknown> & { pk: string; sk: string }, read: () => Promise<unknown>][] =
  [
    ['SETTINGS', { pk: key.user('ada'), sk: key.settings, timeZone: 'Asia/Tokyo' }, () => readSettings(table, 'ada')],
    [
      'COUNTS',
      { pk: key.counted('ada'), sk: key.counts, runs: 1, timers: 2 },
      async () => {
        for (const count of Object.values(await readCounts(table, 'ada')))
          expect(Number.isSafeInteger(count)).toBe(true);
      },
    ],
    [
      'SPENT',
      { ...spendingKey('ada', '2027-03-01'), steps: 1, s01: 1, tokens: 2, t01: 2 },
      async () => {
        const { month, day } = await readSpending(table, 'ada', now);
        for (const sum of [...Object.values(month), ...Object.values(day)])
          expect(Number.isSafeInteger(sum)).toBe(true);
      },
    ],
    [
      'MEMORY',
      { pk: key.user('ada'), sk: key.memory('m'), ...memory, vector: new Uint8Array(8), version: 1 },
      async () => {
        await readMemories(table, 'ada');
        await forget(table, 'ada', 'm', now);
      },
    ],
    [
      'CONNECTION',
      { ...connectionKey('k'), user: 'ada', deciders: ['user:ada'], groups: [], until, topics: new Set([topic]) },
      async () => {
        await holderOf(table, 'k', now);
        await countConnections(table, 'ada', now);
        await closeConnection(table, 'k');
      },
    ],
    [
      'CONNECTIONS',
      { pk: 'USER#ada', sk: 'CONNECTIONS', open: { k: until }, version: 1 },
      () => countConnections(table, 'ada', now),
    ],
    ['a subscription', { pk: topic, sk: 'k', until }, () => subscribersOf(table, topic, now)],
  ];

test.each(kinds)('%s: each field with odd values, and its reader answers (R266)', async (_name, row, read) => {
  await readWithOddFields(table, row, read);
});
