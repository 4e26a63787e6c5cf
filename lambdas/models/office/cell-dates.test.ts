import { dateOf, isDateFormat } from './cell-dates';

test.each([
  [14, undefined, true],
  [2, undefined, false],
  [164, 'yyyy-mm-dd', true],
  [164, '[Red]#,##0.00 "days"', false],
  [164, '0.0\\h', false],
  [164, 'General', false],
  [164, '[$-409]h:mm AM/PM', true],
])('the format %i %s shows a date: %s (R212)', (id, code, isDate) => {
  expect(isDateFormat(id, code)).toBe(isDate);
});

test.each([
  ['46082', false, '2026-03-01'],
  ['46083.39583333334', false, '2026-03-02 09:30:00'],
  ['0.5', false, '12:00:00'],
  ['44620', true, '2026-03-01'],
  ['-1', false, '-1'],
  ['1e300', false, '1e300'],
  ['soon', false, 'soon'],
])('the number %s, from 1904: %s, is %s (R212)', (value, from1904, text) => {
  expect(dateOf(value, from1904)).toBe(text);
});
