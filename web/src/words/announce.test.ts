import type { Callback } from 'vigil-client';
import { message } from '../../../test/support/page/rows';
import { announceable, askedWords, newWords } from './announce';

const asked: Callback = {
  id: 'a',
  version: 1,
  runId: 'r',
  kind: 'approval',
  prompt: 'Pay this?',
  arguments: { to: '5500', amount_cents: 12_000, urgent: false },
  fields: [
    { name: 'amount_cents', label: 'amount', kind: 'money', text: '$120.00', currency: 'USD' },
    { name: 'to', label: 'to', kind: 'text', text: '"5500"', what: 'account number' },
    { name: 'urgent', label: 'urgent', kind: 'yes or no', text: 'no' },
  ],
  status: 'pending',
  expiresAt: '2026-03-01T08:00:00Z',
};

test('an approval is announced with what it is about (R146)', () => {
  expect(askedWords(asked)).toBe(
    'Your approval is needed: Pay this? amount: $120.00 to, account number: "5500" urgent: no',
  );
  expect(askedWords({ ...asked, kind: 'question', prompt: 'Which one?' })).toBe('The agent asks: Which one?');
});

test('a reply that grows by words is announced by sentences, each once, and its end when it is complete (R207)', () => {
  const text = 'It costs $3.50 today. "Why?" she asked.\n- one\n今日は晴れ。明日は雨。 And so on';
  let heard = 0;
  const said: string[] = [];
  const hear = (length: number, status: 'streaming' | 'complete') => {
    const grown = message(2, { role: 'assistant', author: 'guide', text: text.slice(0, length), status });
    const words = announceable(grown);
    if (words.length > heard) said.push(newWords({ ...grown, text: words }, { seq: 2, length: heard }));
    heard = words.length;
  };
  for (let length = 1; length <= text.length; length++) hear(length, 'streaming');
  hear(text.length, 'complete');
  expect(said.filter(Boolean)).toEqual([
    ...['guide: It costs $3.50 today.', '"Why?"', 'she asked.', '- one', '今日は晴れ。', '明日は雨。', 'And so on'],
  ]);
});
