import { fieldsOf, inDollars, isEdited, valuesOf, withHidden } from './fields';

const input = { to: 'Ada', amount_cents: 90_000, urgent: false, tags: ['rent'], note: null };

test('fields have the kinds of the values, and keep the values until they are edited', () => {
  const fields = fieldsOf(input);
  expect(fields.map(({ kind }) => kind)).toEqual(['text', 'number', 'flag', 'json', 'json']);
  expect(valuesOf(fields)).toEqual(input);
  expect(isEdited(fields, input)).toBe(false);
});

test('an edited number becomes a number again, and counts as edited', () => {
  const fields = fieldsOf(input).map((one) => (one.name === 'amount_cents' ? { ...one, text: '75000' } : one));
  expect(isEdited(fields, input)).toBe(true);
  expect(valuesOf(fields).amount_cents).toBe(75_000);
  expect(inDollars(fields[1]!)).toBe('$750.00');
  expect(inDollars(fields[0]!)).toBeUndefined();
});

test.each([
  ['amount_cents', ' ', 'amount_cents: enter a number.'],
  ['amount_cents', 'much', 'amount_cents: enter a number.'],
  ['tags', '[', 'tags: enter valid JSON.'],
])('%s: %j is rejected before it is sent', (name, text, words) => {
  const fields = fieldsOf(input).map((one) => (one.name === name ? { ...one, text } : one));
  expect(() => valuesOf(fields)).toThrow(words);
});

test('characters that cannot be seen are written out, line breaks are not (R146)', () => {
  expect(withHidden('Ada\nRent')).toBeUndefined();
  expect(withHidden('Ada\u202e4321\u200b\u{e0041}')).toBe('Ada‹U+202E›4321‹U+200B›‹U+E0041›');
});
