import { withOpenEnd } from './open-end';

test.each([
  ['See [the docs](https://exa', 'See '],
  ['See [the do', 'See '],
  ['See [the docs]', 'See '],
  ['See ![a picture](https://exa', 'See '],
  ['See [the docs](https://example.com) and', 'See [the docs](https://example.com) and'],
  ['It is **bo', 'It is **bo**'],
  ['It is **', 'It is '],
  ['It is **bold** and', 'It is **bold** and'],
  ['Run `npm in', 'Run `npm in`'],
  ['Run `', 'Run '],
  ['Run `npm` and', 'Run `npm` and'],
  ['`**` is bold', '`**` is bold'],
  ['2 ** 3', '2 ** 3'],
  ['- [x] done', '- [x] done'],
  ['| a | b |\n|---|', '| a | b |\n|---|'],
  ['One **bold\n\nTwo', 'One **bold\n\nTwo'],
  ['```ts\nconst all = [1, 2', '```ts\nconst all = [1, 2'],
  [`A bracket [${'that is long '.repeat(9)}`, `A bracket [${'that is long '.repeat(9)}`],
])('a growing text is drawn as it will be: %j (R207)', (text, drawn) => {
  expect(withOpenEnd(text)).toBe(drawn);
});
