import type { Callback } from 'vigil-client';
import { askedWords } from './announce';

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
