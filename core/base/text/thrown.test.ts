import fc from 'fast-check';
import { loggedWords } from './failure-words';
import { asError } from './thrown';

const failing = (field: string) =>
  Object.defineProperty(new Error('x'), field, {
    get() {
      throw new Error('no');
    },
  });

test.each<[string, unknown, string]>([
  ['a text', 'out of paper', 'out of paper'],
  ['an empty text', ' ', 'An empty text was thrown, which is no error.'],
  ['nothing', undefined, 'undefined was thrown, which is no error.'],
  ['null', null, 'null was thrown, which is no error.'],
  ['a number', 42, '42 was thrown, which is no error.'],
  ['a BigInt', 42n, '42 was thrown, which is no error.'],
  ['a symbol', Symbol('paper'), 'Symbol(paper) was thrown, which is no error.'],
  ['a function', () => 1, 'A function was thrown, which is no error.'],
  ['an object', { status: 429, reason: 'slow down' }, 'An object was thrown: {"status":429,"reason":"slow down"}'],
  ['an object that is no JSON', { count: 1n }, 'An object was thrown: it is not JSON.'],
  ['what has a message', { name: 'ToolFailed', message: 'busy' }, 'busy'],
  ['an object of an SDK', { code: 'ECONNRESET', message: 'host 10.0.0.7' }, 'The attempt failed: ECONNRESET.'],
  ['a message that is no text', Object.assign(new Error(), { message: 42 }), '42 was thrown, which is no error.'],
  ['a message that fails', failing('message'), 'An error was thrown whose message cannot be read.'],
  ['a name that fails', failing('name'), 'x'],
  ['a frozen error', Object.freeze(new Error('cold')), 'cold'],
  ['a proxied error', new Proxy(new Error('near'), {}), 'near'],
])('%s that is thrown is told as what it is (R192)', (_, thrown, words) => {
  expect(loggedWords(asError(thrown))).toBe(words);
});

test('an error that can be read is the same one', () => {
  const error = Object.assign(new TypeError('x', { cause: 'y' }), { code: 'E' });
  expect(asError(error)).toBe(error);
  expect(asError({ name: 'ToolFailed', message: 'busy' })).toMatchObject({ name: 'ToolFailed' });
});

test('an error whose every field fails is still one (R192)', () => {
  const no = () => {
    throw new Error('no');
  };
  const traps = { get: no, getPrototypeOf: no, ownKeys: no, has: no, getOwnPropertyDescriptor: no };
  expect(asError(new Proxy(new Error('x'), traps)).message).toBe('An object was thrown: it is not JSON.');
});

test('whatever is thrown has a name and a message (R192)', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withNullPrototype: true, withDate: true, withMap: true }), (thrown) => {
      const { name, message } = asError(thrown);
      expect([typeof name, typeof message]).toEqual(['string', 'string']);
      expect(loggedWords(asError(thrown)).length).toBeGreaterThan(0);
    }),
  );
});
