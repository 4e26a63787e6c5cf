import { steadyRows } from './steady-rows';

interface Row {
  key: string;
  is?: string;
}

const rowsOf = (keys: string): Row[] => [...keys].map((key) => ({ key }));
const keysOf = (rows: readonly Row[]) => rows.map(({ key }) => key).join('');
const steady = (before: string, items: string, staying = '', isUnderHand = false) =>
  keysOf(
    steadyRows(rowsOf(before), rowsOf(items), {
      keyOf: ({ key }) => key,
      stays: ({ key }) => staying.includes(key),
      isUnderHand,
    }),
  );

test('a row that is gone keeps its place while it has a receipt, wherever it stood (R264)', () => {
  expect(steady('abc', 'bc')).toBe('bc');
  expect(steady('abc', 'bc', 'a')).toBe('abc');
  expect(steady('abc', 'ac', 'b')).toBe('abc');
  expect(steady('abc', 'c', 'ab')).toBe('abc');
  expect(steady('abc', '', 'abc')).toBe('abc');
  expect(steady('abc', 'xa', 'bc')).toBe('xabc');
});

test('under a hand nothing changes places: what is new comes last (R264)', () => {
  expect(steady('abc', 'cba')).toBe('cba');
  expect(steady('abc', 'xcba', '', true)).toBe('abcx');
  expect(steady('abc', 'xcb', 'a', true)).toBe('abcx');
  expect(steady('abc', 'xcb', '', true)).toBe('bcx');
});

test('what has not changed is the same list, and what has changed is shown as it is now (R264)', () => {
  const before = rowsOf('ab');
  const options = { keyOf: ({ key }: Row) => key, stays: () => false, isUnderHand: true };
  expect(steadyRows(before, [...before], options)).toBe(before);
  const changed = { key: 'a', is: 'changed' };
  expect(steadyRows(before, [changed, before[1]!], options)[0]).toBe(changed);
});
