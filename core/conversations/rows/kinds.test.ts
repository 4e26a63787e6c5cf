import { readFileSync } from 'node:fs';
import { drawn, file } from '../../../test/support/draw-rows';
import { tableOfTests } from '../../../test/support/tables/table';
import type { UnreadableRow } from '../../base/text/errors';
import { emptyMeta } from '../runs/conversation';
import { nextRun } from '../runs/run';
import { readPartition, write } from '../store/table';
import type { RowWrite } from '../store/write';
import { key } from './keys';
import { copied } from './kinds';
import { metaRow } from './meta';

const table = tableOfTests();
const now = new Date('2027-03-01T08:00:00.000Z');
const createdAt = now.toISOString();
const meta = nextRun(emptyMeta({ id: 'c', user: 'ada', agent: 'tester', now }), now);
const message = { seq: 1, version: 1, role: 'user', author: 'ada', text: 'My secret', status: 'pending', createdAt };
const callId = 'r_000001_a.00001.00';
const odd = Number.NaN;

test('docs/rows.md is drawn from the list (R259)', () => {
  // If this fails, run `npx tsx test/support/draw-rows.ts`.
  expect(readFileSync(file, 'utf8')).toBe(drawn());
});

test('a fork copies what the row’s schema knows, without its expiry (R259)', () => {
  const row = { pk: key.conversation('c'), sk: key.call(callId), id: callId, tool: 'pay', ttl: 5, later: 1 };
  expect(copied(row)).toEqual({ id: callId, tool: 'pay' });
});

describe('a value that could not be read is refused at the write, with row and field, and nothing is stored (R189)', () => {
  const usage = { modelCalls: 1, toolCalls: 0, inputTokens: 1, outputTokens: null, costMicrodollars: 0 };
  test.each<[field: string, RowWrite]>([
    ['version', { sk: key.meta, put: { ...metaRow(meta), version: '1' } }],
    ['run.usage', { sk: key.meta, put: { ...metaRow(meta), run: { ...meta.run, usage: { ...usage } } } }],
    ['usage.outputTokens', { sk: key.message(1), put: { ...message, usage } }],
    ['usage.outputTokens', { sk: key.message(1), set: { usage }, onlyIf: 'absent' }],
    ['author', { sk: key.message(1), set: { author: 7 }, onlyIf: 'absent' }],
    ['text', { sk: key.message(1), set: {}, remove: ['text'], onlyIf: 'absent' }],
    ['modelCallId', { sk: key.call(callId), set: { modelCallId: 123 }, onlyIf: 'absent' }],
    ['result', { sk: key.call(callId), set: { result: 'My secret' }, onlyIf: 'absent' }],
    ['expiresAt', { sk: key.callback(callId), set: { expiresAt: 'tomorrow' }, onlyIf: 'absent' }],
    ['segment', { sk: key.timer(callId), set: { segment: 1.5 }, onlyIf: 'absent' }],
    ['row', { sk: key.piece({ seq: 1, attempt: 1, from: 0 }), put: { seq: 1, attempt: 1, text: 'My secret' } }],
    ['data', { sk: key.part(callId, 'w', 0), put: { data: 'My secret' } }],
    ['note', { sk: 'NOTE#tester#1', put: { note: null, createdAt } }],
    ['seq', { sk: key.sent('ada', 'm'), put: { seq: '1', digest: 'd' } }],
    ['path', { sk: key.branch('f'), put: { id: 'f', createdAt } }],
    [
      'sources.0',
      {
        pk: key.user('ada'),
        sk: 'MEMORY#1',
        put: { id: '1', text: 'My secret', conversationId: 'c', sources: ['me'], createdAt },
      },
    ],
    ['timeZone', { pk: key.user('ada'), sk: key.settings, put: { timeZone: 'My secret' } }],
    ['tokens', { pk: key.counted('ada'), sk: `${key.spent}2027-03`, add: { tokens: odd } }],
    ['runs', { pk: key.counted('ada'), sk: key.counts, add: { runs: 0.5 } }],
  ])('%s', async (field, row) => {
    const whole: RowWrite = { sk: key.sent('ada', 'whole'), put: { seq: 1, digest: 'd' } };
    const refused = await Promise.resolve()
      .then(() => write(table, 'c', [whole, row]))
      .catch((error: UnreadableRow) => error);
    expect(refused).toMatchObject({ name: 'UnreadableRow', sk: row.sk });
    expect((refused as UnreadableRow).field).toMatch(new RegExp(`^${field}`));
    expect((refused as UnreadableRow).message).not.toContain('My secret');
    expect(await readPartition(table, key.conversation('c'), ' ', '~')).toEqual([]);
  });

  test('a row that DynamoDB would not take is refused by its largest field (R260)', async () => {
    const text = '字'.repeat(140_000);
    await expect(async () =>
      write(table, 'e', [{ sk: key.message(1), put: { ...message, text } }]),
    ).rejects.toMatchObject({
      sk: key.message(1),
      field: 'text',
      message: expect.stringMatching(/the row has 42\d{4} bytes, and at most 400000/),
    });
    // The largest that fits is taken.
    await write(table, 'e', [{ sk: key.message(1), put: { ...message, text: 'x'.repeat(399_000) } }]);
    expect(await readPartition(table, key.conversation('e'), ' ', '~')).toHaveLength(1);
  });

  test('what can be read is stored, with fields of a tool or of a later version', async () => {
    await write(table, 'd', [
      { sk: key.meta, put: { ...metaRow({ ...meta, conversationId: 'd' }), later: 1 } },
      { sk: key.message(1), put: message },
      { sk: 'ACCOUNT', put: { cents: 'anything' } },
    ]);
    expect(await readPartition(table, key.conversation('d'), ' ', '~')).toHaveLength(3);
  });
});
