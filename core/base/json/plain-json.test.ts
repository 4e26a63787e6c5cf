import fc from 'fast-check';
import { plainJson } from './plain-json';

const failing = Object.defineProperty({ good: 1 }, 'bad', {
  enumerable: true,
  get() {
    throw new Error('not today');
  },
});
const circle: Record<string, unknown> = { name: 'round' };
circle.self = circle;
const sparse = [1];
sparse[3] = 4;
class Money {
  #secret = 1;
  constructor(readonly cents: number) {}
  half = () => this.cents / (2 * this.#secret);
}
class Opaque {
  #secret = 1;
  read = undefined as unknown;
  constructor() {
    delete this.read;
    this.#secret += 1;
  }
}

test.each<[string, unknown, unknown, string[]]>([
  ['a BigInt', { id: 9007199254740993n }, { id: '9007199254740993' }, ['id: a BigInt']],
  ['a Map', new Map([['a', 1n]]), [['a', '1']], ['result: a Map', '0.1: a BigInt']],
  ['a Set', { tags: new Set(['x', 'y']) }, { tags: ['x', 'y'] }, ['tags: a Set']],
  [
    'NaN',
    [Number.NaN, -Infinity],
    ['NaN', '-Infinity'],
    ['0: a number that JSON does not have', '1: a number that JSON does not have'],
  ],
  ['a function', { f: () => 1 }, { f: '[a function]' }, ['f: a function']],
  ['a symbol', Symbol('x'), '[a symbol]', ['result: a symbol']],
  [
    'bytes',
    { b: Buffer.from('abc'), a: new Uint16Array(2), c: new ArrayBuffer(8) },
    { b: '[3 bytes]', a: '[4 bytes]', c: '[8 bytes]' },
    ['b: 3 bytes', 'a: 4 bytes', 'c: 8 bytes'],
  ],
  ['a Date that is none', { at: new Date('x') }, { at: '[an invalid Date]' }, ['at: an invalid Date']],
  ['a promise', { later: Promise.resolve(1) }, { later: '[a Promise]' }, ['later: a Promise']],
  ['a pattern', /x/, '[a RegExp]', ['result: a RegExp']],
  ['an object without open fields', new Opaque(), '[a Opaque]', ['result: a Opaque']],
  ['an error', { e: new TypeError('broken') }, { e: '[an error: TypeError]' }, ['e: an error: TypeError']],
  [
    'a circle',
    circle,
    { name: 'round', self: '[an object that contains itself]' },
    ['self: an object that contains itself'],
  ],
  [
    'a getter that fails',
    failing,
    { good: 1, bad: '[a value that cannot be read: Error]' },
    ['bad: a value that cannot be read: Error'],
  ],
  [
    'a toJSON that fails',
    {
      toJSON() {
        throw new Error('never');
      },
    },
    '[a value that cannot be read: Error]',
    ['result: a value that cannot be read: Error'],
  ],
  [
    'a list that is too long',
    new Array(2 ** 32 - 1),
    `[a list of ${2 ** 32 - 1} values]`,
    [`result: a list of ${2 ** 32 - 1} values`],
  ],
])('%s is told as what it is (R192)', (_, value, json, unlike) => {
  expect(plainJson(value, 'result')).toEqual({ value: json, unlike });
});

test('what JSON has is unchanged, and absent fields and Dates are as in JSON (R192)', () => {
  const at = new Date(0);
  const value = {
    at,
    none: undefined,
    list: [undefined, 1],
    sparse,
    made: new Money(5),
    url: new URL('https://a.example/'),
    box: Object(2),
  };
  const { half: _, ...made } = value.made;
  expect(plainJson({ ...value, made }, 'result')).toEqual({
    value: JSON.parse(JSON.stringify({ ...value, made })),
    unlike: [],
  });
  expect(plainJson(undefined, 'result')).toEqual({ value: null, unlike: [] });
  expect(Object.is((plainJson(-0, 'result') as { value: number }).value, 0)).toBe(true);
  fc.assert(
    fc.property(fc.jsonValue(), (one) =>
      expect(JSON.stringify(plainJson(one, 'result').value)).toBe(
        JSON.stringify(one).replaceAll(/\\u0000|\\ud[89a-f]../g, '\ufffd'),
      ),
    ),
  );
});

test('deep and repeated values end (R192)', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  expect(JSON.stringify(plainJson(deep, 'result').value)).toContain('nested deeper than 100 levels');
  let wide: unknown = 1;
  for (let level = 0; level < 60; level++) wide = [wide, wide];
  expect(plainJson(wide, 'result').unlike).not.toEqual([]);
});

test('any value becomes JSON, and names of its fields are kept (R192)', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withSparseArray: true,
    withNullPrototype: true,
    withBoxedValues: true,
  });
  fc.assert(
    fc.property(anything, (one) => {
      const { value } = plainJson(one, 'result');
      expect(JSON.parse(JSON.stringify(value))).toEqual(value);
    }),
  );
  expect(JSON.stringify(plainJson(JSON.parse('{"__proto__":1}'), 'result').value)).toBe('{"__proto__":1}');
});
