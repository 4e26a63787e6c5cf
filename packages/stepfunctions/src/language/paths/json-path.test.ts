import type { Json, JsonObject } from '../json';
import { Work } from '../work';
import { parseJsonPath } from './json-path';
import { readPath } from './read-path';

const store: JsonObject = {
  books: [
    { title: 'A', price: 8, tags: ['x'] },
    { title: 'B', price: 12, isbn: '1', tags: [] },
    { title: 'C', price: 22, isbn: '2', tags: ['x', 'y'] },
  ],
  'a b': 1,
  '\\"': 'quoted',
};

test.each<[string, Json]>([
  ['$.books[0].title', 'A'],
  ["$['a b']", 1],
  ["$['\\\"']", 'quoted'],
  ['$.books[-1].title', 'C'],
  ['$.books[*].price', [8, 12, 22]],
  ['$..price', [8, 12, 22]],
  ['$.books[0,2].title', ['A', 'C']],
  ['$.books[1:].title', ['B', 'C']],
  ['$.books[:2].title', ['A', 'B']],
  ['$.books[?(@.isbn)].title', ['B', 'C']],
  ['$.books[?(@.price > 10 && @.price < 20)].title', ['B']],
  ["$.books[?(@.title == 'A' || !(@.price < 20))].title", ['A', 'C']],
  ["$.books[?(@.title in ['A','C'])].price", [8, 22]],
  ['$.books[?(@.title =~ /[ab]/i)].title', ['A', 'B']],
  ['$.books[*].at.all', []],
  ['$.books[?(@.nothing[*])]', []],
  ['$.books.length()', 3],
  ['$.books.[0].title', 'A'],
  // Several names at the end make one object; further inside they branch.
  ["$.books[1]['title','isbn','none']", { title: 'B', isbn: '1' }],
  ["$.books[*]['title','isbn']", [{ title: 'A' }, { title: 'B', isbn: '1' }, { title: 'C', isbn: '2' }]],
  ["$['books','a b'][0].title", ['A']],
  // An index beyond the end selects null, and nothing below it.
  ['$.books[*].tags[1]', [null, null, 'y']],
  ['$.books[0,7]', [{ title: 'A', price: 8, tags: ['x'] }, null]],
  ['$.books[0,7].title', ['A']],
  ['$..[?(@.isbn)].title', ['B', 'C']],
  ['$.books[-2:].title', ['B', 'C']],
  ['$.books[:-1].title', ['A', 'B']],
  ['$.books[-3:-1].title', ['A', 'B']],
  ['$.books[1:-1]', []],
  ['$.books[0:3:2].title', ['A', 'B', 'C']],
  // What is not there is unequal to everything, and in no list.
  ["$.books[?(@.isbn != '1')].title", ['A', 'C']],
  ["$.books[?(@.isbn nin ['1'])].title", ['A', 'C']],
  ['$.books[?(@.isbn == null)]', []],
  ['$.books[?(@.isbn == 1)].title', ['B']],
  ["$.books[?(@.price == '8')].title", ['A']],
  ["$.books[?(@.tags contains 'y')].title", ['C']],
  ["$.books[?(@.title contains 'B')].price", [12]],
  ['$.books[?(@.tags size 1)].title', ['A']],
  ['$.books[?(@.tags empty true)].title', ['B']],
  ["$.books[?(@.tags anyof ['y', 'z'])].title", ['C']],
  ["$.books[?(@.tags noneof ['y', 'z'])].title", ['A', 'B']],
  ["$.books[?(@.tags subsetof ['x'])].title", ['A', 'B']],
  ["$.books[?(@.tags all ['x'])].title", ['A', 'C']],
  ['$.books[?(@.tags.length() > 1)].title', ['C']],
  ['$.books[?(@.price =~ /.2/)].title', ['B', 'C']],
])('JSONPath %s', (text, expected) => {
  expect(readPath(parseJsonPath(text), store, new Work())).toEqual(expected);
});

test.each([
  ['$.x', "No results for path: $['x']"],
  ['$.x.y', "Missing property in path $['x']"],
  ['$.books[7]', "No results for path: $['books'][7]"],
  ['$.nothing[*].x', "Missing property in path $['nothing']"],
  ['$.books.sum()', 'No results for path'],
  ['$.books.concat("a", $.x)', 'No results for path'],
])('JSONPath %s leads nowhere', (text, message) => {
  expect(() => readPath(parseJsonPath(text), store, new Work())).toThrow(message);
});

test.each(['', 'x', '$.', '$.a b', '$[', '$.a[', "$['a", '$.a(', '$[?(@.a ==)]', '$.a[:]', '$[?(@.a =~ /[/)]'])(
  '%s is no JSONPath',
  (text) => {
    expect(() => parseJsonPath(text)).toThrow();
  },
);
