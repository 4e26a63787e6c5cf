import { type Problem, RequestFailed } from 'vigil-client';
import { typeOfProblem } from '../../../core/base/state/problem-kinds';
import { setMessages } from '../languages/catalogue';
import de from '../languages/de.json';
import { locale, ownLanguage } from '../languages/locale';
import { wordsOf } from './problem-words';

jest.mock('../languages/locale');

function speaks(language: 'en' | 'de'): void {
  jest.mocked(ownLanguage).mockReturnValue(language);
  jest.mocked(locale).mockReturnValue(language === 'de' ? 'de-DE' : 'en-GB');
  setMessages(language === 'de' ? de : {});
}
afterEach(() => setMessages({}));

const failed = (of: Partial<Problem>, status = 409) =>
  new RequestFailed(status, 'The English words.', {
    type: '',
    title: '',
    status,
    detail: 'The English words.',
    ...of,
  });

test('a reader of English sees the words of the API (R256)', () => {
  speaks('en');
  expect(wordsOf(failed({ type: typeOfProblem('expired') }))).toBe('The English words.');
});

test('a problem is said in the reader’s language by its type, with its values (R256)', () => {
  speaks('de');
  expect(wordsOf(failed({ type: typeOfProblem('expired') }))).toBe(
    'Das ist abgelaufen und kann nicht mehr beantwortet werden.',
  );
  expect(wordsOf(failed({ type: typeOfProblem('too-many-links'), values: { most: 20 } }))).toBe(
    'Diese Unterhaltung hat 20 Links. Widerrufen Sie zuerst einen.',
  );
  const limit = { name: 'conversations', used: 10_000, most: 10_000, variable: 'VIGIL_MAX_USER_CONVERSATIONS' };
  expect(wordsOf(failed({ type: typeOfProblem('limit-reached'), limit }, 429))).toBe(
    'Sie haben 10.000 von 10.000 Unterhaltungen. Löschen Sie eine, die Sie nicht mehr brauchen.',
  );
  expect(wordsOf(new RequestFailed(0, 'Vigil does not respond.'))).toBe('Vigil antwortet nicht.');
});

test.each<Partial<Problem>>([
  { type: 'urn:vigil:problem:of-a-later-version' },
  { type: typeOfProblem('invalid-input') },
  { type: typeOfProblem('limit-reached') },
  // A value is missing, because an earlier version has answered.
  { type: typeOfProblem('too-many-links') },
  { type: typeOfProblem('model-asks-to-wait') },
])('what the page cannot say is said in the words of the API: %j (R256)', (problem) => {
  speaks('de');
  expect(wordsOf(failed(problem))).toBe('The English words.');
});
