import { excerptOf, matches, wordsOf } from './folded';

test.each([
  ['STRASSE', 'In der Straße 7'],
  ['straße', 'HAUPTSTRASSE'],
  ['cafe\u0301', 'The café at the corner'],
  ['ﬁnd', 'Find it'],
  ['ｆｕｌｌ', 'full width'],
  ['οδος', 'Η ΟΔΟΣ'],
  ['i\u0307stanbul', 'İstanbul'],
  ['paris rent', 'The rent of the flat in Paris'],
  ['cafe', 'Café Noir'],
  ['CAFÉ', 'The cafe at the corner'],
  ['istanbul', 'İstanbul'],
  ['αθηνα', 'Αθήνα'],
])('%s is found in %s (R161)', (query, text) => expect(matches(text, wordsOf(query))).toBe(true));

test.each([
  ['か', 'が'],
  ['rent rome', 'The rent of the flat in Paris'],
])('%s is not found in %s', (query, text) => expect(matches(text, wordsOf(query))).toBe(false));

test('an excerpt has the text as it was written, around its first hit, with all hits marked (R161)', () => {
  const text = `${'before '.repeat(30)}\nDie ﬂache STRASSE in Paris, ${'after '.repeat(60)}straße`;
  const parts = excerptOf(text, wordsOf('straße paris flache'));
  expect(parts.filter(({ hit }) => hit).map((part) => part.text)).toEqual(['ﬂache', 'STRASSE', 'Paris']);
  const whole = parts.map((part) => part.text).join('');
  expect([whole.at(0), whole.at(-1), whole.includes('\n')]).toEqual(['…', '…', false]);
  expect(whole.length).toBeLessThan(200);
});

test('a short text is shown whole, and an emoji is not split', () => {
  expect(excerptOf('👍 yes', wordsOf('YES'))).toEqual([{ text: '👍 ' }, { text: 'yes', hit: true }]);
});
