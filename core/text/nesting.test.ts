import { assertShallow } from './nesting';

const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;

test('a hundred levels are taken, in lists as in objects', () => {
  expect(() => assertShallow('body', nested(100))).not.toThrow();
  expect(() => assertShallow('body', { a: nested(99), b: 1, c: null })).not.toThrow();
});

test.each([101, 100_000])('%d levels are refused, and the field is named', (levels) => {
  expect(() => assertShallow('body', nested(levels))).toThrow(
    expect.objectContaining({
      name: 'InvalidInput',
      path: 'body',
      message: 'may not be nested deeper than 100 levels',
    }),
  );
});
