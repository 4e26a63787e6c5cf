import { dateKind, dateOf, durationOf } from './cell-dates';

test.each([
  [14, undefined, 'date'],
  [46, undefined, 'duration'],
  [2, undefined, undefined],
  [164, 'yyyy-mm-dd', 'date'],
  [164, '[Red]#,##0.00 "days"', undefined],
  [164, '0.0\\h', undefined],
  [164, 'General', undefined],
  [164, '[$-409]h:mm AM/PM', 'date'],
  [164, '[h]:mm;@', 'duration'],
  [164, '[Magenta]0', undefined],
  [164, '0.0"[h]"', undefined],
])('the format %i %s shows a %s (R212)', (id, code, kind) => {
  expect(dateKind(id, code)).toBe(kind);
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

test.each([
  ['1.7708333333333333', '42:30:00'],
  ['0.35', '08:24:00'],
  ['-0.5', '-12:00:00'],
  ['soon', 'soon'],
])('%s days are a duration of %s (R212)', (value, text) => {
  expect(durationOf(value)).toBe(text);
});
