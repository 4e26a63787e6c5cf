import { ToolFailed } from './errors';
import { failureWords } from './failure-words';

const foreign = (message: string, more: object) => Object.assign(new Error(message), more);

test.each<[string, Error, string]>([
  ['of a tool’s author', new Error('The printer is out of paper.'), 'The printer is out of paper.'],
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
])('of %s only the kind is told', (_, error, words) => expect(failureWords(error)).toBe(words));
