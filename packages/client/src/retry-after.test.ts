import fc from 'fast-check';
import { retryAfter } from './retry-after';

const now = new Date('2026-11-25T12:00:00.000Z');
const secondsOf = (headers: Record<string, string>): number | undefined => {
  const until = retryAfter((name) => headers[name], now);
  return until && (until.getTime() - now.getTime()) / 1_000;
};

test.each<[string, Record<string, string>, number]>([
  ['seconds', { 'retry-after': '20' }, 20],
  ['a fraction of a second', { 'retry-after': '0.25' }, 0.25],
  ['milliseconds, which come first', { 'retry-after-ms': '1500', 'retry-after': '2' }, 1.5],
  ['a date', { 'retry-after': 'Wed, 25 Nov 2026 12:01:00 GMT' }, 60],
  ['a date by RFC 850', { 'retry-after': 'Wednesday, 25-Nov-26 12:01:00 GMT' }, 60],
  ['a date of asctime', { 'retry-after': 'Wed Nov 25 12:01:00 2026' }, 60],
  [
    'a date, by a clock that is an hour ahead',
    { 'retry-after': 'Wed, 25 Nov 2026 13:01:00 GMT', date: 'Wed, 25 Nov 2026 13:00:00 GMT' },
    60,
  ],
  ['a number beyond all dates', { 'retry-after': '9'.repeat(400) }, 365 * 86_400],
])('a pause given as %s is read (R198)', (_form, headers, seconds) => {
  expect(secondsOf(headers)).toBe(seconds);
});

test.each<Record<string, string>>([
  {},
  { 'retry-after': '' },
  { 'retry-after': '0' },
  { 'retry-after': '-5' },
  { 'retry-after': 'soon' },
  { 'retry-after': '1e3' },
  { 'retry-after': '2026-11-26' },
  { 'retry-after': 'Wed, 25 Nov 2026 11:00:00 GMT' },
  { 'retry-after': 'Wed, 99 Foo' },
])('%j asks for no pause', (headers) => {
  expect(secondsOf(headers)).toBeUndefined();
});

test('whatever a header says, the pause is none, or a time that lies ahead (R198)', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.date().map(String)), (text) => {
      const seconds = secondsOf({ 'retry-after': text });
      expect(seconds === undefined || (seconds > 0 && seconds <= 365 * 86_400)).toBe(true);
    }),
  );
});
