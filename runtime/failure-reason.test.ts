import { TellModel, ToolFailed } from '../core/base/text/errors';
import { reasonOf } from './failure-reason';

const said = { text: 'Water the pineapples', to: ['Bob', { name: 'Ada Lovelace' }], times: 4321 };

function thrownBy(code: () => unknown): unknown {
  try {
    return code();
  } catch (error) {
    return error;
  }
}

test.each<[string, unknown, string | undefined]>([
  ['an author’s words are told', new Error('The printer\n is out of paper.'), 'The printer is out of paper.'],
  ['what was said is left out', new Error('No room for Water the pineapples.'), 'No room for ….'],
  ['and each word of it', new TellModel('No PINEAPPLES for Ada today.'), 'No … for Ada today.'],
  [
    'of a foreign error, its kind',
    Object.assign(new Error('no 10.0.0.7'), { code: 'ECONNREFUSED' }),
    'The attempt failed: ECONNREFUSED.',
  ],
  ['what JSON.parse quotes is not told', thrownBy(() => JSON.parse('the dates')), undefined],
  ['what is no error has no words', 'the dates', undefined],
])('%s (R126)', (_, error, reason) => expect(reasonOf(error, said)).toBe(reason));

test.each<[string, unknown, string | undefined]>([
  ['our own', new ToolFailed('The web search took too long.'), 'The web search took too long.'],
  [
    'the engine’s that name code',
    thrownBy(() => (undefined as never as { a: 1 }).a),
    "Cannot read properties of undefined (reading 'a')",
  ],
  ['the engine’s that may name a value', thrownBy(() => 'a' in ('the dates' as never)), undefined],
  ['an author’s', new Error('No room for the dates.'), undefined],
])('without the input, only these messages are given: %s (R126)', (_, error, reason) =>
  expect(reasonOf(error)).toBe(reason),
);
