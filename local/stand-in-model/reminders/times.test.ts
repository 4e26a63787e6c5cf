import { inWords, isoSeconds, readTimes } from './times';

// A Tuesday.
const now = new Date('2026-03-10T10:30:00Z');

const phrasings: [said: string, at: string][] = [
  ['Remind me tomorrow at 8am, bright and early, to check out https://example.org/news', '2026-03-11T08:00:00Z'],
  ['tomorrow morning, early', '2026-03-11T07:00:00Z'],
  ['early tomorrow', '2026-03-11T07:00:00Z'],
  ['bright and early tomorrow', '2026-03-11T07:00:00Z'],
  ['first thing tomorrow', '2026-03-11T08:00:00Z'],
  ['tomorrow morning', '2026-03-11T09:00:00Z'],
  ['in the morning', '2026-03-11T09:00:00Z'],
  ['tomorrow', '2026-03-11T09:00:00Z'],
  ['the day after tomorrow', '2026-03-12T09:00:00Z'],
  ['tonight', '2026-03-10T20:00:00Z'],
  ['late tonight', '2026-03-10T22:00:00Z'],
  ['this evening', '2026-03-10T19:00:00Z'],
  ['tomorrow night', '2026-03-11T20:00:00Z'],
  ['this afternoon', '2026-03-10T15:00:00Z'],
  ['tomorrow in the late afternoon', '2026-03-11T17:00:00Z'],
  ['later today', '2026-03-10T13:30:00Z'],
  ['by end of day', '2026-03-10T18:00:00Z'],
  ['after lunch', '2026-03-10T13:30:00Z'],
  ['at lunchtime', '2026-03-10T12:00:00Z'],
  ['at noon', '2026-03-10T12:00:00Z'],
  ['tomorrow at noon', '2026-03-11T12:00:00Z'],
  ['at midnight', '2026-03-11T00:00:00Z'],
  ['in ten minutes', '2026-03-10T10:40:00Z'],
  ['in 90 seconds', '2026-03-10T10:31:30Z'],
  ['5 minutes from now', '2026-03-10T10:35:00Z'],
  ['in an hour', '2026-03-10T11:30:00Z'],
  ['in half an hour', '2026-03-10T11:00:00Z'],
  ['in an hour and a half', '2026-03-10T12:00:00Z'],
  ['in two and a half hours', '2026-03-10T13:00:00Z'],
  ['in a quarter of an hour', '2026-03-10T10:45:00Z'],
  ['in 1h30', '2026-03-10T12:00:00Z'],
  ['in a couple of hours', '2026-03-10T12:30:00Z'],
  ['in three days', '2026-03-13T10:30:00Z'],
  ['in 2 days at 9', '2026-03-12T09:00:00Z'],
  ['on the last Sunday of March at 02:30', '2026-03-29T02:30:00Z'],
  ['on the first Monday of March at noon', '2027-03-01T12:00:00Z'],
  ['on the second Friday in May', '2026-05-08T09:00:00Z'],
  ['in 3 weeks', '2026-03-31T10:30:00Z'],
  ['a week from today', '2026-03-17T10:30:00Z'],
  ['in a fortnight', '2026-03-24T10:30:00Z'],
  ['in a year', '2027-03-10T10:30:00Z'],
  ['next week', '2026-03-17T09:00:00Z'],
  ['next month', '2026-04-10T09:00:00Z'],
  ['on Friday', '2026-03-13T09:00:00Z'],
  ['next Friday', '2026-03-20T09:00:00Z'],
  ['on Friday at 4', '2026-03-13T16:00:00Z'],
  ['Monday morning', '2026-03-16T09:00:00Z'],
  ['over the weekend', '2026-03-14T09:00:00Z'],
  ['on Tuesday', '2026-03-17T09:00:00Z'],
  ['at 5', '2026-03-10T17:00:00Z'],
  ['at 8', '2026-03-10T20:00:00Z'],
  ['at 11', '2026-03-10T11:00:00Z'],
  ['at 17:30', '2026-03-10T17:30:00Z'],
  ['at 10am', '2026-03-11T10:00:00Z'],
  ['today at 8am', '2026-03-10T08:00:00Z'],
  ['tomorrow at 05:45', '2026-03-11T05:45:00Z'],
  ['at 8 in the evening', '2026-03-10T20:00:00Z'],
  ['tomorrow at half past eight', '2026-03-11T08:30:00Z'],
  ['tomorrow at quarter to six in the morning', '2026-03-11T05:45:00Z'],
  ["at eight o'clock tomorrow", '2026-03-11T08:00:00Z'],
  ['on the 15th', '2026-03-15T09:00:00Z'],
  ['on the 5th at 3pm', '2026-04-05T15:00:00Z'],
  ['on 24 December', '2026-12-24T09:00:00Z'],
  ['on Christmas Eve at noon', '2026-12-24T12:00:00Z'],
  ['December 24th at 6pm', '2026-12-24T18:00:00Z'],
  ['on 2026-04-01', '2026-04-01T09:00:00Z'],
  ['2026-04-01T09:15:00Z', '2026-04-01T09:15:00Z'],
  ['at 9am PST', '2026-03-10T17:00:00Z'],
  ['at the end of the month', '2026-03-31T09:00:00Z'],
];

describe('the times that people say', () => {
  test.each(phrasings)('%s is %s', (said, at) => {
    expect(readTimes(said, now).times.map((time) => isoSeconds(time.at))).toEqual([at]);
  });

  test.each(['water the plants', 'it may rain', "read Monday's plan", 'call 0800 555 123 soon'])(
    '%s is no time',
    (said) => {
      expect(readTimes(said, now).times).toEqual([]);
    },
  );

  test('an evening that has begun means soon, and a time is never early', () => {
    expect(readTimes('tonight', new Date('2026-03-10T22:10:00Z')).times[0]?.at).toEqual(
      new Date('2026-03-10T23:10:00Z'),
    );
    expect(isoSeconds(new Date('2026-03-10T10:30:00.001Z'))).toBe('2026-03-10T10:30:01Z');
  });

  test('is repeated in words', () => {
    expect(inWords(now)).toBe('Tuesday 10 March 2026 at 10:30 UTC');
  });
});
