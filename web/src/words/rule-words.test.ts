import { ruleWords } from './rule-words';

test.each([
  ['0 9 * * 1', 'Mon 9:00 weekly'],
  ['30 7 * * 1-5', 'Mon–Fri 7:30 weekly'],
  ['5 18 * * tue,7', 'Tue, Sun 18:05 weekly'],
  ['0 9 * * *', '9:00 daily'],
  ['0 8 1 * *', '8:00 on day 1 of each month'],
  ['15 * * * *', 'hourly at :15'],
  ['*/15 * * * *', 'every 15 min'],
  ['0 */2 * * *', 'every 2 h'],
  ['0 */1 * * *', 'every hour'],
  ['* * * * *', 'every minute'],
  ['every 60 seconds', 'every minute'],
  ['every 7200 seconds', 'every 2 h'],
  ['every 604800 seconds', 'every 7 d'],
])('the rule %s is shown as %s', (rule, words) => expect(ruleWords({ rule })).toBe(words));

test.each(['0 9 * 3 1', '0 9 1 * 1', '0 9,12 * * *', '*/7 * * * *', '0 9 * * 1#2', '0 9 * * L'])(
  'a rule of another shape is shown as it is: %s',
  (rule) => expect(ruleWords({ rule })).toBe(rule),
);

test('a rule names its time zone unless it is UTC', () => {
  expect(ruleWords({ rule: '0 9 * * 1', timeZone: 'Europe/Berlin' })).toBe('Mon 9:00 weekly (Europe/Berlin)');
  expect(ruleWords({ rule: '0 9 * * 1', timeZone: 'UTC' })).toBe('Mon 9:00 weekly');
});
