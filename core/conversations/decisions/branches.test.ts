import { pathOf } from './branches';

const first = { of: 'root', at: 5, by: 'a', seq: 5 };

test('a fork of a fork has both turns (R159)', () => {
  expect(pathOf({ from: 'root', path: [], at: 5, by: 'a', seq: 5 })).toEqual([first]);
  expect(pathOf({ from: 'a', path: [first], at: 9, by: 'b', seq: 9 })).toEqual([
    first,
    { of: 'a', at: 9, by: 'b', seq: 9 },
  ]);
});

test('the message that a fork begins with, replaced again, is another version of the first one (R159)', () => {
  // The fork's message may have another place than the one that it replaces.
  const moved = { ...first, seq: 6 };
  expect(pathOf({ from: 'a', path: [moved], at: 6, by: 'b', seq: 6 })).toEqual([
    { of: 'root', at: 5, by: 'b', seq: 6 },
  ]);
});

test('a copied message belongs to the conversation from which it comes (R159)', () => {
  const path = [first, { of: 'a', at: 9, by: 'b', seq: 9 }];
  expect(pathOf({ from: 'b', path, at: 3, by: 'c', seq: 3 })).toEqual([{ of: 'root', at: 3, by: 'c', seq: 3 }]);
  expect(pathOf({ from: 'b', path, at: 7, by: 'c', seq: 7 })).toEqual([first, { of: 'a', at: 7, by: 'c', seq: 7 }]);
  expect(pathOf({ from: 'b', path, at: 11, by: 'c', seq: 11 }).at(-1)).toEqual({ of: 'b', at: 11, by: 'c', seq: 11 });
});

test('it keeps a hundred turns (R159)', () => {
  const path = Array.from({ length: 100 }, (_, index) => ({
    of: `${index}`,
    at: index,
    by: `${index + 1}`,
    seq: index,
  }));
  expect(pathOf({ from: '100', path, at: 500, by: 'x', seq: 500 })).toEqual([
    ...path.slice(1),
    { of: '100', at: 500, by: 'x', seq: 500 },
  ]);
});
