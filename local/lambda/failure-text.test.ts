import { failuresIn } from './failure-text';

const failed = {
  level: 'ERROR',
  message: 'failed',
  timestamp: '2026-11-22T10:00:00.000Z',
  agent: 'shop',
  tool: 'refund',
  conversationId: 'c1',
  runId: 'r1',
  attempt: 2,
  attemptsAtMost: 5,
  error: 'TypeError',
  reason: 'x is not a function',
  frames: 'shared/orders.ts:3:17\ntools/refund.ts:20:5',
};
const texts = (...lines: object[]) => failuresIn('Refund', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

test('a failed attempt of a tool is one line, with its stack below (R126)', () => {
  expect(texts(failed)).toEqual([
    'shop · refund: failed (attempt 2 of 5, conversation c1): TypeError: x is not a function\n' +
      '    at shared/orders.ts:3:17\n    at tools/refund.ts:20:5',
  ]);
});

test.each([
  [
    { agent: 'shop', model: 'gpt', error: 'ModelRejected', reason: 'No credit.', conversationId: 'c1', attempt: 1 },
    'shop · model gpt: failed (attempt 1, conversation c1): ModelRejected: No credit.',
  ],
  [
    { tool: 'refund', undo: true, error: 'Error' },
    'refund (undo): failed: Error: message omitted, because it may quote the conversation',
  ],
  [{ error: 'TypeError', reason: 'x is not defined' }, 'Refund: failed: TypeError: x is not defined'],
  [
    { level: 'WARN', tool: 'refund', error: 'TellModel', reason: 'Not found.', retried: false },
    'refund: failed, not retried: TellModel: Not found.',
  ],
  [{ message: 'events are lost', events: 2 }, 'Refund: events are lost'],
])('%j is told in words for people (R126)', (fields, text) => {
  expect(texts({ level: 'ERROR', message: 'failed', ...fields })).toEqual([text]);
});

test('other output is not shown', () => {
  expect(texts({ level: 'INFO', message: 'failed' }, { level: 'WARN', message: 'left to the relay' })).toEqual([]);
  expect(failuresIn('Refund', 'REPORT RequestId: 1\n{"level":"ERROR", broken\n')).toEqual([]);
});
