import * as chrono from 'chrono-node';
import { dayOfMonth, dayParts, timePhrases } from './time-phrases';

/** A time that a text speaks of. */
export interface Moment {
  at: Date;
  /** Where in the text that `readTimes` gives back. */
  index: number;
  length: number;
  /** Whether a day was named, and whether an hour was. */
  dated: boolean;
  timed: boolean;
  /** "in ten minutes": neither a day nor an hour, but exact. */
  relative: boolean;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Without any hour or part of the day: when people begin. */
const defaultHour = 9;

/**
 * The times that a text speaks of, in UTC, seen from `now`, with what a sensible person would assume for what is not
 * said.
 *
 * @returns the text as it was read (phrases that the parser does not know are put in other words) and the times in it.
 */
export function readTimes(said: string, now: Date): { text: string; times: Moment[] } {
  const text = timePhrases.reduce(
    (rest, [phrase, words]) => (typeof words === 'string' ? rest.replace(phrase, words) : rest.replace(phrase, words)),
    dayOfMonth(said, now),
  );
  const found = chrono.parse(text, { instant: now, timezone: 0 }, { forwardDate: true });
  // "Monday's plan" names a plan, not a time; a bare "may" or "sun" is a word more often than a date.
  const meant = found.filter(
    (result) =>
      !/^['’]s\b/.test(text.slice(result.index + result.text.length)) && !/^(may|march|sun|sat)$/i.test(result.text),
  );
  return { text, times: meant.map((result) => toMoment(result, text, now)) };
}

/** ISO 8601 to the second, rounded up: never early. */
export const isoSeconds = (at: Date): string =>
  new Date(Math.ceil(at.getTime() / 1000) * 1000).toISOString().replace('.000Z', 'Z');

/** "Wednesday 11 March 2026 at 08:00 UTC" */
export function inWords(at: Date): string {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).format(at).replace(',', '');
  return `${day} at ${at.toISOString().slice(11, 16)} UTC`;
}

function toMoment(result: chrono.ParsedResult, text: string, now: Date): Moment {
  const { start } = result;
  const dated = (['day', 'weekday', 'month', 'year'] as const).some((part) => start.isCertain(part));
  const relative = start.tags().has('result/relativeDateAndTime');
  const timed = start.isCertain('hour');
  const around = text.slice(Math.max(0, result.index - 14), result.index + result.text.length + 20);
  const moment = { index: result.index, length: result.text.length, dated: dated && !relative, timed, relative };
  if (relative || start.isCertain('timezoneOffset')) return { ...moment, at: start.date() };
  return { ...moment, at: timed ? withHour(result, dated, now) : withoutHour(result, dated, around, now) };
}

/** An hour was named, but perhaps not which half of the day. */
function withHour({ start, text }: chrono.ParsedResult, dated: boolean, now: Date): Date {
  const hour = start.get('hour') ?? 0;
  const at = start.date();
  const unsaid = !start.isCertain('meridiem') && !/noon|midnight|midday|\b0\d:/i.test(text) && hour >= 1 && hour <= 12;
  if (!unsaid) return at;
  const afternoon = new Date(at.getTime() + 12 * hourMs);
  // Nobody who says "at five" means the night.
  if (hour <= 6) return dated ? afternoon : next(afternoon, now, dayMs);
  return dated ? at : next(at, now, 12 * hourMs);
}

function withoutHour({ start, text }: chrono.ParsedResult, dated: boolean, around: string, now: Date): Date {
  const part = dayParts.find(([words]) => words.test(around));
  const at = start.date();
  if (!part && /^(in|within)\b/i.test(text)) return at;
  if (!part && /^today$/i.test(text)) return new Date(now.getTime() + 3 * hourMs);
  at.setUTCHours(part?.[1] ?? defaultHour, 0, 0, 0);
  if (at > now) return dated ? at : next(at, now, dayMs);
  if (start.isCertain('weekday')) return next(at, now, 7 * dayMs);
  // "Tonight", said at ten in the evening: soon.
  return dated ? new Date(now.getTime() + hourMs) : next(at, now, dayMs);
}

/** The first of `at`, `at` ± a multiple of `stepMs`, that is later than `now`. */
function next(at: Date, now: Date, stepMs: number): Date {
  const steps = Math.floor((now.getTime() - at.getTime()) / stepMs) + 1;
  return new Date(at.getTime() + steps * stepMs);
}
