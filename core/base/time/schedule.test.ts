import fc from 'fast-check';
import { fifthOf } from '../../../test/support/long';
import { momentOf } from './local-time';
import { type Rule, ruleWords } from './rule';
import { checkRule, missedSlots, nextSlot } from './schedule';

const at = (time: string) => new Date(time);
const berlin = (cron: string): Rule => ({ cron, timeZone: 'Europe/Berlin' });

/** The slots after a moment, in order. */
function slots(rule: Rule, after: string, count: number): string[] {
  let slot = at(after);
  return Array.from({ length: count }, () => {
    slot = nextSlot(rule, at(after), slot)!;
    return slot.toISOString().slice(0, 16);
  });
}

describe('a cron expression in Berlin', () => {
  test('in the hour that is left out are as far apart as always, and as `schedule` has them (R153)', () => {
    expect(slots(berlin('15,30,45 2 * * *'), '2027-03-28T00:00:00Z', 4)).toEqual([
      '2027-03-28T01:15',
      '2027-03-28T01:30',
      '2027-03-28T01:45',
      '2027-03-29T00:15',
    ]);
    expect(momentOf('2027-03-28T02:45', 'Europe/Berlin').toISOString()).toBe('2027-03-28T01:45:00.000Z');
    // A skipped time and a real one at the same moment are one slot; a skipped one may come after a later one.
    expect(slots(berlin('0,45 2,3 * * *'), '2027-03-28T00:00:00Z', 3)).toEqual([
      '2027-03-28T01:00',
      '2027-03-28T01:45',
      '2027-03-29T00:00',
    ]);
    expect(slots(berlin('*/30 2 * * *'), '2027-03-28T00:00:00Z', 2)).toEqual(['2027-03-28T01:00', '2027-03-28T01:30']);
  });

  test('in the hour that comes twice in autumn comes the first time only', () => {
    expect(slots(berlin('30 2 * * *'), '2027-10-29T12:00:00Z', 3)).toEqual([
      '2027-10-30T00:30',
      '2027-10-31T00:30',
      '2027-11-01T01:30',
    ]);
  });

  test('every hour comes every hour all the same', () => {
    const hours = ['2027-10-30T23:00', '2027-10-31T00:00', '2027-10-31T01:00', '2027-10-31T02:00'];
    expect(slots(berlin('0 * * * *'), '2027-10-30T22:30:00Z', 4)).toEqual(hours);
    expect(slots(berlin('0 * * * *'), '2027-03-28T00:30:00Z', 2)).toEqual(['2027-03-28T01:00', '2027-03-28T02:00']);
  });

  test('without a zone is UTC', () => {
    expect(slots({ cron: '0 8 * * *' }, '2027-03-27T12:00:00Z', 1)).toEqual(['2027-03-28T08:00']);
  });
});

describe('an interval', () => {
  const hourly = { everySeconds: 3_600 };
  const made = at('2027-01-01T10:17:31.250Z');

  test('does not drift, however late it is served', () => {
    let slot = nextSlot(hourly, made, made)!;
    for (let served = 0; served < 500; served++) slot = nextSlot(hourly, slot, new Date(slot.getTime() + 47_000))!;
    expect(slot.getTime() - made.getTime()).toBe(501 * 3_600_000);
  });

  test('at the very moment of a slot gives the next one', () => {
    const first = nextSlot(hourly, made, made)!;
    expect(nextSlot(hourly, first, first)).toEqual(at('2027-01-01T12:17:31.250Z'));
  });

  test('never begins before it was made', () => {
    expect(nextSlot(hourly, made, at('2026-01-01T00:00:00Z'))).toEqual(at('2027-01-01T11:17:31.250Z'));
  });
});

describe('missed slots', () => {
  const due = at('2027-01-01T08:00:00Z');
  test.each([
    ['none while it is on time', { everySeconds: 3_600 }, '2027-01-01T08:00:02Z', 0],
    ['none right before the next', { everySeconds: 3_600 }, '2027-01-01T08:59:59Z', 0],
    ['those that have passed since the one that is due', { everySeconds: 3_600 }, '2027-01-01T13:30:00Z', 5],
    ['one that comes in this very moment', { everySeconds: 3_600 }, '2027-01-01T09:00:00Z', 1],
    ['days of a cron expression', { cron: '0 8 * * *' }, '2027-01-05T07:00:00Z', 3],
    ['no more than a thousand', { everySeconds: 60 }, '2028-01-01T00:00:00Z', 1_000],
  ])('%s', (_, rule, now, count) => {
    expect(missedSlots(rule, due, at(now))).toBe(count);
  });
});

describe('a rule', () => {
  const now = at('2027-01-01T00:00:00Z');

  test.each<[Rule, string, RegExp]>([
    [{}, 'rule', /either a cron expression or a number of seconds/],
    [{ cron: '0 8 * * *', everySeconds: 60 }, 'rule', /either/],
    [{ everySeconds: 59 }, 'every_seconds', /from 60 to 315360000/],
    [{ everySeconds: -1 }, 'every_seconds', /from 60/],
    [{ everySeconds: Number.NaN }, 'every_seconds', /from 60/],
    [{ everySeconds: Number.MAX_SAFE_INTEGER }, 'every_seconds', /from 60/],
    [{ cron: '0 8 * * *', timeZone: 'Berlin' }, 'time_zone', /"Berlin" is not an IANA time zone/],
    [{ cron: '0 8 * * *', timeZone: '' }, 'time_zone', /not an IANA time zone/],
    [{ cron: '30 0 8 * * *' }, 'cron', /five fields: minute, hour/],
    [{ cron: '0 8 * *' }, 'cron', /is not a valid cron expression/],
    [{ cron: '' }, 'cron', /is not a valid cron expression/],
    [{ cron: '61 8 * * *' }, 'cron', /is not a valid cron expression/],
    [{ cron: 'every morning' }, 'cron', /is not a valid cron expression/],
    [{ cron: '0 0 30 2 *' }, 'cron', /never fires/],
  ])('%j is refused, and the field named', (rule, path, message) => {
    expect(() => checkRule(rule, now)).toThrow(
      expect.objectContaining({ name: 'InvalidInput', path, message: expect.stringMatching(message) }),
    );
  });

  test.each<[Rule, string]>([
    [{ everySeconds: 60 }, 'every 60 seconds'],
    [berlin('0 8 * * 1-5'), '0 8 * * 1-5'],
    [{ cron: '@daily' }, '@daily'],
  ])('%j is taken, and read as "%s"', (rule, words) => {
    checkRule(rule, now);
    expect(ruleWords(rule)).toBe(words);
  });
});

describe('in any zone, on any day', () => {
  const zones = [
    'America/New_York',
    'Europe/Berlin',
    'Australia/Lord_Howe',
    'America/Santiago',
    'Asia/Gaza',
    'Africa/Cairo',
    'Pacific/Apia',
  ];
  const hourMs = 3_600_000;
  const offsetAt = (moment: number, timeZone: string) =>
    Date.parse(`${new Date(moment).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')}Z`) - moment;

  /** By the offsets alone: the first moment with this local time, or as long after the gap as it is after the gap's beginning. */
  function momentBy(local: number, timeZone: string): number {
    const [before, later] = [-24, 24].map((hours) => offsetAt(local + hours * hourMs, timeZone)) as [number, number];
    const found = [before, later].map((offset) => local - offset).filter((at) => at + offsetAt(at, timeZone) === local);
    return found.length > 0 ? Math.min(...found) : local - before;
  }

  /** Days around which clocks change, and others. */
  const days = fc.oneof(
    fc.constantFrom(
      '2026-03-08',
      '2026-11-01',
      '2026-03-29',
      '2026-10-25',
      '2026-10-04',
      '2026-04-05',
      '2026-09-06',
      '2026-04-24',
      '2026-10-30',
    ),
    fc.integer({ min: 1, max: 28 }).map((day) => `2026-07-${String(day).padStart(2, '0')}`),
  );
  const some = (max: number, maxLength: number) =>
    fc.uniqueArray(fc.integer({ min: 0, max }), { minLength: 1, maxLength }).map((all) => all.sort((a, b) => a - b));

  test('a cron expression fires at each of its local times once, and at no other (R153)', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), days, some(59, 4), some(4, 5), (timeZone, day, minutes, hours) => {
        const from = Date.parse(`${day}T00:00:00Z`) - 36 * hourMs;
        const locals = [-2, -1, 0, 1, 2].flatMap((shift) =>
          hours.flatMap((hour) =>
            minutes.map(
              (minute) => Date.parse(`${day}T00:00:00Z`) + shift * 24 * hourMs + hour * hourMs + minute * 60_000,
            ),
          ),
        );
        const expected = [...new Set(locals.map((local) => momentBy(local, timeZone)))]
          .filter((at) => at > from)
          .sort((a, b) => a - b)
          .map((at) => new Date(at).toISOString().slice(0, 16));
        const rule = { cron: `${minutes.join(',')} ${hours.join(',')} * * *`, timeZone };
        const count = Math.min(expected.length, minutes.length * hours.length * 3);
        expect(slots(rule, new Date(from).toISOString(), count)).toEqual(expected.slice(0, count));
      }),
      { numRuns: fifthOf(60) },
    );
  });

  test('`schedule` and a cron expression agree on each local time (R153)', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), days, fc.integer({ min: 0, max: 4 * 60 - 1 }), (timeZone, day, minute) => {
        const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
        const moment = momentOf(`${day}T${time}`, timeZone);
        const [, month, date] = day.split('-').map(Number);
        const rule = { cron: `${minute % 60} ${Math.floor(minute / 60)} ${date} ${month} *`, timeZone };
        expect(nextSlot(rule, moment, new Date(moment.getTime() - 48 * hourMs))).toEqual(moment);
      }),
    );
  });
});
