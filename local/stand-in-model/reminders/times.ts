import * as chrono from 'chrono-node';

/**
 * A time in a text and its position. `dated` and `timed` tell whether a day and an hour were named; `relative` times
 * are like "in ten minutes".
 */
export type Moment = { at: Date; index: number; length: number; dated: boolean; timed: boolean; relative: boolean };

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const numbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
export const numberOf = (word = ''): number => Number(word) || numbers.indexOf(word.toLowerCase());
const oClock = (hour = '', minutes: number): string =>
  `at ${new Date((numberOf(hour) % 12 || 12) * hourMs + minutes * 60_000).toISOString().slice(11, 16).replace(/^0/, '')}`;

/**
 * Expressions that the parser does not know, with replacements that it does. All are applied in order, everywhere in
 * the text.
 */
const phrases: [RegExp, (...match: string[]) => string][] = [
  [/\b(?:in the )?(early|late) (?:in the )?(morning|afternoon|evening)\b/gi, (_, how, part) => `${part}, ${how}`],
  [/\b(today|tomorrow|tonight|\w+day) (\d{1,2})(?= to\b| ?[,:]? ?$)/gi, (_, day, hour) => `${day} at ${hour}`],
  [/\b(?:in )?a fortnight(?: from (?:now|today))?\b/gi, () => 'in 2 weeks'],
  [/\b(\w+) (days?|weeks?|months?|years?) from (?:now|today)\b/gi, (_, count, unit) => `in ${count} ${unit}`],
  [/\b(\w+) and a half (hours|days|weeks)\b/gi, (_, count, unit) => `${numberOf(count)}.5 ${unit}`],
  [/\ban hour and a half\b/gi, () => '1.5 hours'],
  [/\ba quarter of an hour\b/gi, () => '15 minutes'],
  [/\b(\d+) ?h ?(\d{1,2})\b/gi, (_, hours, minutes) => `${hours} hours ${minutes} minutes`],
  [/\bhalf past (\w+)\b/gi, (_, hour) => oClock(hour, 30)],
  [/\bquarter (past|to) (\w+)\b/gi, (_, side, hour) => oClock(hour, side === 'to' ? -15 : 15)],
  [/\bat (\w+) o['’]?clock\b/gi, (_, hour) => oClock(hour, 0)],
  [/\b(\d+(?::\d\d)?) in the morning\b/gi, (_, hour) => `${hour} am`],
  [/\b(\d+(?::\d\d)?) (?:in the (?:afternoon|evening)|at night)\b/gi, (_, hour) => `${hour} pm`],
  [/\b(?:by|at the) end of (?:the )?day\b/gi, () => 'today at 18:00'],
  [/\b(?:after|at) lunch(time)?\b/gi, (_, time) => `at ${time ? '12:00' : '13:30'}`],
  [/\bchristmas eve\b/gi, () => '24 December'],
  [/\b(?:over|at|on|this) (?:the )?weekend\b/gi, () => 'on Saturday'],
];

/** The hour of a part of the day, if no hour is named. The first match counts, so specific ones come first. */
export const dayParts: Record<string, number> = {
  'afternoon, early': 13,
  'evening, early': 18,
  'morning, late': 11,
  'afternoon, late': 17,
  'evening, late': 22,
  'late tonight': 22,
  'first thing': 8,
  early: 7,
  morning: 9,
  afternoon: 15,
  evening: 19,
  night: 20,
};
export const defaultHour = 9;

/**
 * Returns the times in a text, in UTC, with plausible assumptions for missing parts, and the text that their positions
 * refer to.
 */
export function readTimes(said: string, now: Date): { text: string; times: Moment[] } {
  const text = phrases.reduce((rest, [phrase, words]) => rest.replace(phrase, words), withDates(said, now));
  const found = chrono.parse(text, { instant: now, timezone: 0 }, { forwardDate: true });
  // "Monday's plan", quotations and links name no time. A bare "may" or "sun" is usually not a date.
  const isMeant = ({ index, text: words }: chrono.ParsedResult) =>
    !/^(?:may|march|sun|sat)$/i.test(words) &&
    !/^['’]s\b/.test(text.slice(index + words.length)) &&
    !/https?:\/\/\S*$|^[^"]*(?:"[^"]*"[^"]*)*"[^"]*$/.test(text.slice(0, index));
  return { text, times: found.filter(isMeant).map((result) => toMoment(result, text, now)) };
}

const roundedUp = (at: Date): Date => new Date(Math.ceil(at.getTime() / 1000) * 1000);
/**
 * Reads a local time with a time zone, or one in UTC, as if it were UTC. It is rounded up to the second, as `isoSeconds` writes it, so
 * that a time in words is the same before and after.
 */
export const wallTime = (iso: string): Date => roundedUp(new Date(`${/^[\d-]+T[\d:.]+/.exec(iso)?.[0]}Z`));
/** Returns ISO 8601 to the second, rounded up so that it is never early; a local time without an offset. */
export const isoSeconds = (at: Date, isLocal = false): string =>
  roundedUp(at)
    .toISOString()
    .replace('.000Z', isLocal ? '' : 'Z');
const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });
/** "Wednesday 11 March 2026 at 08:00 UTC"; without "UTC" in the user's time zone. */
export const inWords = (at: Date, isLocal = false): string =>
  `${date.format(at).replace(',', '')} at ${at.toISOString().slice(11, 16)}${isLocal ? '' : ' UTC'}`;

/** Replaces "the 15th" by its date in this month or the next, and "the last Sunday of March" by the next such day, which the parser does not do. */
const withDates = (text: string, now: Date): string =>
  text
    .replace(/\bthe (\d{1,2})(?:st|nd|rd|th)\b(?! of)/gi, (_, day: string) => {
      const month = now.getUTCMonth() + (Number(day) > now.getUTCDate() ? 0 : 1);
      return new Date(Date.UTC(now.getUTCFullYear(), month, Number(day))).toISOString().slice(0, 10);
    })
    .replace(nthDay, (all, which: string, weekday: string, month: string) => {
      const at = monthNames.indexOf(month.toLowerCase());
      const dates = [0, 1].map((later) => nthOf(which.toLowerCase(), weekday, now.getUTCFullYear() + later, at));
      return (
        dates
          .find((date) => date && date > now)
          ?.toISOString()
          .slice(0, 10) ?? all
      );
    });

const ordinals = ['first', 'second', 'third', 'fourth'];
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const monthNames = Array.from({ length: 12 }, (_, at) =>
  new Date(Date.UTC(2000, at)).toLocaleString('en', { month: 'long', timeZone: 'UTC' }).toLowerCase(),
);
const nthDay = RegExp(
  `\\bthe (${ordinals.join('|')}|last) (${weekdays.join('|')}) (?:of|in) (${monthNames.join('|')})\\b`,
  'gi',
);

function nthOf(which: string, weekday: string, year: number, month: number): Date | undefined {
  const days = Array.from({ length: 31 }, (_, at) => new Date(Date.UTC(year, month, at + 1))).filter(
    (day) => day.getUTCMonth() === month && day.getUTCDay() === weekdays.indexOf(weekday.toLowerCase()),
  );
  return days.at(which === 'last' ? -1 : ordinals.indexOf(which));
}

function toMoment({ index, start, text: words }: chrono.ParsedResult, text: string, now: Date): Moment {
  const relative = start.tags().has('result/relativeDateAndTime');
  const isDated = (['day', 'weekday', 'month', 'year'] as const).some((part) => start.isCertain(part));
  const timed = start.isCertain('hour');
  // Only read.
  const around = text.slice(Math.max(0, index - 14), index + words.length + 20);
  const isExact = relative || start.isCertain('timezoneOffset');
  const at = isExact ? start.date() : (timed ? withHour : withoutHour)(start, now, isDated, words, around);
  return { at, index, length: words.length, dated: isDated && !relative, timed, relative };
}

function withHour(start: chrono.ParsedComponents, now: Date, isDated: boolean, words: string): Date {
  const hour = start.get('hour') ?? 0;
  const at = start.date();
  if (start.isCertain('meridiem') || /noon|midnight|midday|\b0\d:/i.test(words) || hour < 1 || hour > 12) return at;
  // "At five" never means five in the morning.
  const from = hour <= 6 ? new Date(+at + 12 * hourMs) : at;
  return isDated ? from : next(from, now, hour <= 6 ? dayMs : 12 * hourMs);
}

function withoutHour(start: chrono.ParsedComponents, now: Date, isDated: boolean, words: string, around: string): Date {
  const part = Object.entries(dayParts).find(([name]) => RegExp(`\\b(?:to)?${name}\\b`, 'i').test(around));
  const at = start.date();
  if (!part && /^(in|within)\b/i.test(words)) return at;
  if (!part && /^today$/i.test(words)) return new Date(+now + 3 * hourMs);
  at.setUTCHours(part?.[1] ?? defaultHour, 0, 0, 0);
  if (at > now && isDated) return at;
  if (!isDated || start.isCertain('weekday')) return next(at, now, isDated ? 7 * dayMs : dayMs);
  // "Tonight", said at ten in the evening, means soon.
  return new Date(+now + hourMs);
}

/** Returns the first of `at` ± a multiple of `stepMs` that is later than `now`. */
const next = (at: Date, now: Date, stepMs: number): Date =>
  new Date(+at + (Math.floor((+now - +at) / stepMs) + 1) * stepMs);
