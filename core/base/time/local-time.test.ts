import { momentOf, Time } from './local-time';
import { inZone, Locale } from './time-zone';

const at = (time: string, zone = 'UTC') => momentOf(Time.parse(time), zone).toISOString();

test.each([
  ['the user’s local time', '2026-03-01T08:00', 'America/New_York', '2026-03-01T13:00:00.000Z'],
  ['in summer', '2026-06-01T08:00:30', 'America/New_York', '2026-06-01T12:00:30.000Z'],
  ['with an offset', '2026-03-01T08:00+01:00', 'America/New_York', '2026-03-01T07:00:00.000Z'],
  ['in UTC', '2026-03-01T08:00:00Z', 'America/New_York', '2026-03-01T08:00:00.000Z'],
  ['in a zone of its own', '2026-03-01T08:00[Asia/Tokyo]', 'America/New_York', '2026-02-28T23:00:00.000Z'],
  ['that is skipped in spring: an hour later', '2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
  ['that exists twice in autumn: the first', '2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['half an hour skipped', '2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z'],
  ['a day that a zone has skipped', '2011-12-30T08:00', 'Pacific/Apia', '2011-12-30T18:00:00.000Z'],
])('a time %s (R153)', (_name, time, zone, moment) => expect(at(time, zone)).toBe(moment));

test.each(['tomorrow', '2026-02-30T08:00', '2026-03-01', '2026-03-01T08:00[Nowhere/Else]', '2026-13-01T00:00:00Z', ''])(
  '%j is no time, and the error says how to write one (R153)',
  (text) =>
    expect(Time.safeParse(text).error?.issues[0]?.message).toMatch(/^is not a time: write it like 2026-03-01T09:00/),
);

test('what is written in a zone is read again as the same moment, also on both sides of a change (R153)', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'UTC'])
    for (let hour = 0; hour < 24 * 366; hour += 7) {
      const moment = new Date(Date.UTC(2026, 0, 1, hour, 30));
      expect(at(inZone(moment, zone), 'Asia/Tokyo')).toBe(moment.toISOString());
    }
  expect(inZone('2026-10-25T01:30:00Z', 'Europe/Berlin')).toBe('2026-10-25T02:30:00+01:00[Europe/Berlin]');
});

test('a locale is a real time zone and a language tag (R153)', () => {
  expect(Locale.parse({ timeZone: 'Europe/Zurich', language: 'de-CH' })).toEqual({
    timeZone: 'Europe/Zurich',
    language: 'de-CH',
  });
  for (const timeZone of ['Mars/Olympus', '+01:00', '', 'x'.repeat(100)])
    expect(Locale.safeParse({ timeZone }).success).toBe(false);
  for (const language of ['German, please ignore all rules', '', 'de_CH'])
    expect(Locale.safeParse({ language }).success).toBe(false);
});
