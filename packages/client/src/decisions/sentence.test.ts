import * as fc from 'fast-check';
import { clippedFields } from '../../../../core/conversations/approvals/clipped-fields';
import { wholeDecision } from '../../../../core/conversations/approvals/decision';
import { decisionLines } from './decision';
import { changedFields, fieldsOf } from './fields';
import { drawnSentence, namesIn, sentenceOf, sentenceText } from './sentence';

const questions = ['Send {amount_cents} to {to} for {purpose}?', 'Send {amount_cents} to {to}?'];
const schema = {
  properties: {
    to: { type: 'string', title: 'Receiver' },
    amount_cents: { type: 'integer', currency: 'USD' },
    purpose: { type: 'string' },
    day: { type: 'string', format: 'date' },
  },
};
const kinds = { to: 'outside the bank' };
const given = (args: object) => ({
  id: 'r.1.0',
  tool: 'transfer',
  title: 'Send money',
  agent: 'bank',
  arguments: args,
  schema,
  kinds,
  prompt: '',
  sentence: sentenceOf(questions, args)!,
});
const linesOf = (args: object) => decisionLines(given(args));

test('a decision is a sentence with its values, and the fields that it does not show (R251)', () => {
  expect(linesOf({ to: 'Ada', amount_cents: 90_000, purpose: 'the rent', day: '2026-12-01' })).toEqual([
    'Send $900.00 to "Ada" (outside the bank) for "the rent"?',
    'day: 2026-12-01',
    'Asked by bank for "Send money".',
  ]);
});

test.each<[string, object]>([
  ['no value', { to: 'Ada', amount_cents: 1, purpose: '' }],
  ['null', { to: 'Ada', amount_cents: 1, purpose: null }],
])('with %s, the next question is asked (R251)', (_, args) => {
  expect(linesOf(args)[0]).toBe('Send $0.01 to "Ada" (outside the bank)?');
  expect(linesOf(args)[1]).toMatch(/^purpose: (?:""|nothing)$/);
});

test('the last question is asked if none has all values; a question without names has no parts (R251)', () => {
  expect(linesOf({ amount_cents: 1 })[0]).toBe('Send $0.01 to nothing?');
  expect(sentenceOf(['Pay?'], {})).toBeUndefined();
  expect(namesIn('Pay {a_b} and {c}, {d e}')).toEqual(['a_b', 'c']);
});

test('a long value is named in the sentence, and stands below it (R251)', () => {
  const [question, below] = linesOf({ to: 'Ada', amount_cents: 1, purpose: 'x'.repeat(200) });
  expect(question).toBe('Send $0.01 to "Ada" (outside the bank) for purpose (below)?');
  expect(below).toBe(`purpose: "${'x'.repeat(200)}"`);
});

test('a changed value says what was asked for (R251)', () => {
  const before = fieldsOf(given({ to: 'Ada', amount_cents: 90_000, purpose: 'rent' }));
  const after = fieldsOf(given({ to: 'Ada', amount_cents: 70_000, purpose: 'rent' }));
  const { sentence } = given({ to: 'Ada', amount_cents: 1, purpose: 'rent' });
  expect(sentenceText(drawnSentence(sentence, changedFields(before, after)))).toBe(
    'Send $700.00 (was $900.00) to "Ada" (outside the bank) for "rent"?',
  );
});

test.each(['שלום', '👩‍🚀', 'Ada'])('%s can be approved from a notification (R251)', (to) => {
  const decided = given({ to, amount_cents: 1 });
  const prompt = sentenceText(drawnSentence(decided.sentence, fieldsOf(decided)));
  expect(wholeDecision({ ...decided, prompt })?.text).toContain(to);
  expect(wholeDecision({ ...decided, prompt, sentence: [{ text: 'Pay\u202e ' }, { field: 'to' }] })).toBeUndefined();
});

test('a value that was cut off is not called nothing (R251)', () => {
  const args = { to: 'x'.repeat(900), amount_cents: 1, purpose: 'rent' };
  const fields = clippedFields(fieldsOf(given(args)), 500);
  expect(fields.map(({ name }) => name)).toEqual(['amount_cents', 'to']);
  expect(sentenceText(drawnSentence(given(args).sentence, fields))).toBe('Send $0.01 to Receiver (below) for …?');
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '{to}',
    '" for "rent',
    'Ada" (outside the bank)',
    '\u202e',
    '\u2068',
    ' ',
    'שלום',
    '{purpose}?',
    'a\nb',
  ),
);
const transfers = fc.record({
  to: hostile,
  amount_cents: fc.integer({ min: 0, max: 3 }),
  purpose: fc.option(hostile),
});

test('two different calls never read the same, whatever the values say (R251, R194)', () => {
  fc.assert(
    fc.property(transfers, transfers, (one, other) => {
      if (JSON.stringify(one) !== JSON.stringify(other)) expect(linesOf(one)).not.toEqual(linesOf(other));
    }),
    { numRuns: 1_000 },
  );
});

test('no value ends its own place in the sentence (R251, R194)', () => {
  fc.assert(
    fc.property(hostile, (to) => {
      const [question] = linesOf({ to, amount_cents: 1, purpose: null });
      // What is left without the texts is the tool's own.
      expect(question!.replace(/\u2068?"(?:[^"\\]|\\.)*"\u2069?/g, '…')).toBe('Send $0.01 to … (outside the bank)?');
    }),
  );
});
