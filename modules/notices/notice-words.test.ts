import { type NoticeWords, noticeLanguage, noticeWords } from './notice-words';

const of = { agent: 'bank', tool: 'transfer' };

/** Returns all that notifications may say, by what it is about. */
function saidIn(words: NoticeWords): Record<string, string> {
  const entries = Object.entries(words).flatMap(([name, word]): [string, string][] => {
    if (typeof word === 'string') return [[name, word]];
    if (typeof word === 'function') return [[name, (word as (one: unknown, other: unknown) => string)(3, 5)]];
    if (!('body' in word))
      return Object.entries(word as Record<string, string>).map(([of, text]) => [`${name}.${of}`, text]);
    const body = typeof word.body === 'string' ? word.body : word.body(of);
    return [
      [`${name}.title`, word.title],
      [`${name}.body`, body],
    ];
  });
  return Object.fromEntries(entries);
}

test('each language has its own words for all that a notification says, with the same names in them (R256)', () => {
  const english = saidIn(noticeWords('en'));
  const named = (text: string) => ['bank', 'transfer', '3', '5'].filter((name) => text.includes(name));
  for (const language of ['de', 'es'] as const) {
    const own = saidIn(noticeWords(language));
    expect(Object.keys(own)).toEqual(Object.keys(english));
    for (const [about, text] of Object.entries(own)) {
      expect(text).not.toBe(english[about]);
      expect([about, named(text)]).toEqual([about, named(english[about]!)]);
    }
  }
});

test.each([
  ['de-CH', 'de'],
  ['ES', 'es'],
  ['en-GB', 'en'],
  ['fr', 'en'],
  ['constructor', 'en'],
  [undefined, 'en'],
])('the language of %s is %s (R256)', (tag, language) => {
  expect(noticeLanguage(tag)).toBe(language);
});
