import { setMessages, t } from './catalogue';

afterEach(() => setMessages({}));

test('a message without a translation is its English text, with its values and its plural (R256)', () => {
  expect(t('Stop this run?')).toBe('Stop this run?');
  const sent = '{count, plural, one {# file} other {# files}} sent to {name}';
  expect([1, 1_200].map((count) => t(sent, { count, name: 'Ada' }))).toEqual([
    '1 file sent to Ada',
    '1,200 files sent to Ada',
  ]);
});

test('a message is said in the language whose catalogue is loaded (R256)', () => {
  setMessages({ 'Stop this run?': 'Diesen Lauf stoppen?', 'Sent to {name}': 'An {name} gesendet' });
  expect([t('Stop this run?'), t('Sent to {name}', { name: 'Ada' })]).toEqual([
    'Diesen Lauf stoppen?',
    'An Ada gesendet',
  ]);
});
