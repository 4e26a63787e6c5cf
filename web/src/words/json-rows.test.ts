import { fieldsAtOnce, insideWords, jsonRows, moveIn } from './json-rows';

const none = new Map<string, boolean>();
const rowsOf = (value: unknown, open = none, whole = new Set<string>()) => jsonRows(value, open, whole);
const value = { name: 'Kyoto', days: [{ plan: 'walk' }, 2], 'odd key': {} };

test('two levels are open, and a path leads to each value (R163)', () => {
  expect(rowsOf(value).map(({ path, level, open }) => [path, level, open])).toEqual([
    ['$', 1, true],
    ['$.name', 2, undefined],
    ['$.days', 2, true],
    ['$.days[0]', 3, false],
    ['$.days[1]', 3, undefined],
    ['$["odd key"]', 2, undefined],
  ]);
  expect(rowsOf(value).map(({ name }) => name)).toEqual([undefined, '"name"', '"days"', '0', '1', '"odd key"']);
  const opened = rowsOf(value, new Map([['$.days[0]', true]]));
  expect(opened.find(({ path }) => path === '$.days[0].plan')).toMatchObject({ value: 'walk', place: 1, of: 1 });
  expect(rowsOf(value, new Map([['$', false]]))).toHaveLength(1);
});

test('a long value is cut, and says how much is missing, until all of it is asked for', () => {
  const long = Array.from({ length: 2_000 }, (_, index) => index);
  const cut = rowsOf(long);
  expect(cut).toHaveLength(fieldsAtOnce + 2);
  expect(cut.at(-1)).toMatchObject({
    more: 2_000 - fieldsAtOnce,
    value: '$',
    place: fieldsAtOnce + 1,
    of: fieldsAtOnce + 1,
  });
  expect(rowsOf(long, none, new Set(['$']))).toHaveLength(2_001);
  expect(rowsOf(long.slice(0, fieldsAtOnce + 1))).toHaveLength(fieldsAtOnce + 2);
});

test('the keys move as in every tree', () => {
  const rows = rowsOf(value);
  expect([0, 2].map((from) => moveIn(rows, from, 'ArrowDown'))).toEqual([1, 3]);
  expect([moveIn(rows, 5, 'ArrowDown'), moveIn(rows, 0, 'ArrowUp')]).toEqual([5, 0]);
  expect([moveIn(rows, 1, 'End'), moveIn(rows, 4, 'Home')]).toEqual([5, 0]);
  // Right enters what is open, and opens what is closed; left closes, and leads to the parent.
  expect([moveIn(rows, 2, 'ArrowRight'), moveIn(rows, 3, 'ArrowRight')]).toEqual([3, undefined]);
  expect([moveIn(rows, 4, 'ArrowLeft'), moveIn(rows, 2, 'ArrowLeft'), moveIn(rows, 5, 'ArrowLeft')]).toEqual([
    2,
    undefined,
    0,
  ]);
  expect(moveIn(rows, 0, 'x')).toBeUndefined();
});

test('what is closed says how much it holds', () => {
  expect([[], [1], [1, 2], {}, { a: 1 }, { a: 1, b: 2 }].map(insideWords)).toEqual([
    '[]',
    '[1 item]',
    '[2 items]',
    '{}',
    '{1 field}',
    '{2 fields}',
  ]);
});
