import fc from 'fast-check';
import { blocksOf, toParse } from './blocks';

const textsOf = (text: string) => blocksOf(text).map((block) => block.text);
const isPlain = (text: string) => blocksOf(text).map((block) => block.isPlain);
const paragraph = `${'A word and another. '.repeat(60)}\n\n`;

test('a text is cut after blank lines and around code, and nothing of it is lost (R123)', () => {
  expect(textsOf('One.\n\nTwo.\n')).toEqual(['One.\n\nTwo.\n']);
  expect(textsOf(`${paragraph}Two.`)).toEqual([paragraph, 'Two.']);
  const code = '```js\nlet a;\n\nlet b;\n```\n';
  expect(textsOf(`Here:\n${code}That is it.`)).toEqual(['Here:\n', code, 'That is it.']);
  // A list, a line that belongs to it, and a longer fence around a shorter one.
  expect(textsOf(`- ${paragraph}- Two\n\n  still two`)).toHaveLength(1);
  expect(textsOf(`~~~~\n${paragraph}~~~\n${paragraph}~~~~\n`)).toHaveLength(1);
  fc.assert(
    fc.property(fc.array(fc.constantFrom('\n', '\n\n', '```\n', '~~~', '- a', '> b', '    ', paragraph)), (parts) => {
      const text = parts.join('');
      expect(textsOf(text).join('')).toBe(text);
    }),
  );
});

test('what is cut stays cut when more follows, so a growing text is parsed in parts (R123)', () => {
  const parts = [paragraph, '```\n', 'let a;\n', '```\n', '- a\n', '\n', 'b\n'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts)), fc.array(fc.constantFrom(...parts)), (first, more) => {
      const before = textsOf(first.join(''));
      const after = textsOf([...first, ...more].join(''));
      expect(after.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
    }),
  );
});

test('all parsing of a growing text costs a few dozen times the last one, and its end is shown (R123)', () => {
  for (const sentence of ['- One more item of a list.\n', 'And one more sentence. ', paragraph]) {
    let [text, shown, characters] = ['', '', 0];
    for (let length = 0; length < 3_000 && text.length < 60_000; length++) {
      text += sentence;
      const last = textsOf(text).at(-1)!;
      const wanted = toParse(last, shown, true);
      if (wanted !== shown) characters += wanted.length;
      shown = wanted;
    }
    expect(characters).toBeLessThan(60 * text.length + 5_000 * 5_000);
    const last = textsOf(text).at(-1)!;
    expect(toParse(last, shown, false)).toBe(last);
  }
});

test('definitions hold in the whole text, so it is one part (R123)', () => {
  expect(textsOf(`${paragraph}See [1].\n\n[1]: https://example.org`)).toHaveLength(1);
  expect(textsOf(`${paragraph}See[^a].\n\n[^a]: A note.`)).toHaveLength(1);
});

test.each([
  ['a paragraph without end', 'a '.repeat(10_001)],
  ['quotes within quotes', `${'>'.repeat(200)}a`],
  ['lists within lists', `${'- '.repeat(100)}a`],
  ['numbers within numbers', `${'1. '.repeat(100)}a`],
  ['lists that go ever deeper', Array.from({ length: 90 }, (_, depth) => `${'  '.repeat(depth)}- a\n`).join('')],
  ['a table of short rows', `${'|a'.repeat(500)}|\n${'|-'.repeat(500)}|\n${'a\n'.repeat(500)}`],
  ['headings without end', 'a\n-\n'.repeat(400)],
  ['references without end', `https://example.org/${'&a;'.repeat(300)}`],
])('%s is plain, and what surrounds it is not (R123)', (_what, text) => {
  expect(isPlain(text)).toEqual([true]);
  expect(isPlain(`${paragraph}${paragraph}${text}\n\n${paragraph}`)).toContain(false);
});

test('what people and models write is not plain (R123)', () => {
  const row = `|${' **cell** |'.repeat(8)}\n`;
  for (const text of [
    `\`\`\`ts\n${'const a = [1, { b: "*" }];\n'.repeat(5_000)}\`\`\`\n`,
    `Here it is:\n\n~~~\n${'>'.repeat(300)}\n~~~\n\nThat is it.`,
    `${row}|${'---|'.repeat(8)}\n${row.repeat(150)}`,
    '- **Name**: a text with `code` and [a link](https://example.org)\n'.repeat(200),
    paragraph.repeat(80),
    'https://example.org/?a=1&b=2&c=3',
    'Title\n===\n\n---\n\n* * *',
  ])
    expect(isPlain(text)).not.toContain(true);
  // What is too much altogether is plain from there on.
  expect(isPlain(paragraph.repeat(90)).at(-1)).toBe(true);
  expect(isPlain(paragraph.repeat(90))[0]).toBe(false);
});
