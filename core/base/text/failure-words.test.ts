import { TellModel, ToolFailed } from './errors';
import { failureWords, loggedWords } from './failure-words';

const foreign = (message: string, more: object) => Object.assign(new Error(message), more);

test.each<[string, Error, string]>([
  ['for the model', new TellModel('The printer is out of paper.'), 'The printer is out of paper.'],
  [
    'of ours, whatever caused it',
    new ToolFailed('The other side could not be reached.', { cause: foreign('10.0.0.7', { code: 'ECONNREFUSED' }) }),
    'The other side could not be reached.',
  ],
])('the words %s are told', (_, error, words) => expect(failureWords(error)).toBe(words));

test.each<[string, Error, string]>([
  [
    'an SDK',
    foreign('User: arn:aws:sts::123:assumed-role/x is not authorized', {
      name: 'AccessDeniedException',
      $metadata: {},
    }),
    'The attempt failed: AccessDeniedException.',
  ],
  ['the system', foreign('connect 10.0.0.7:443', { code: 'ECONNREFUSED' }), 'The attempt failed: ECONNREFUSED.'],
  [
    'fetch, by its cause',
    new TypeError('fetch failed', { cause: foreign('getaddrinfo inside.corp', { code: 'ENOTFOUND' }) }),
    'The attempt failed: ENOTFOUND.',
  ],
  [
    'a code that is a text',
    foreign('key sk-1', { code: 'see sk-1', name: 'HttpError' }),
    'The attempt failed: HttpError.',
  ],
  ['a tool’s author', new Error('connect postgres://u:pw@db'), 'The attempt failed: Error.'],
  [
    'an author’s own class',
    foreign('postgres://u:pw@db', { name: 'DatabaseDown' }),
    'The attempt failed: DatabaseDown.',
  ],
  ['a name that is a sentence', foreign('x', { name: 'at postgres://u:pw@db' }), 'The attempt failed: Error.'],
  [
    'an SDK that has a name of ours',
    foreign('arn:aws:s3:::bucket', { name: 'NotFound', $metadata: {} }),
    'The attempt failed: NotFound.',
  ],
])('of %s only the kind is told', (_, error, words) => expect(failureWords(error)).toBe(words));

test('the log of the function has the author’s words, and not those of an SDK', () => {
  expect(loggedWords(new Error('connect postgres://u:pw@db'))).toBe('connect postgres://u:pw@db');
  expect(loggedWords(foreign('connect 10.0.0.7:443', { code: 'ECONNREFUSED' }))).toBe(
    'The attempt failed: ECONNREFUSED.',
  );
});
