import { dayParts, defaultHour, type Moment, numberOf } from './times';

/** A recurrence rule; `words` is a text such as "every day at 08:00", by the clock of the timer's zone. */
export type Rule = { cron: string | null; everySeconds: number | null; words: string; isByClock?: boolean };
/**
 * `date` is the day of month, month and day of week of a cron expression; `hour` is the hour of the named part of the
 * day.
 */
type Period = { words: string; everySeconds: number } | { words: string; date: string; hour?: number };

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const day = `(?:${days.join('|').toLowerCase()})`;
const dayNames = `\\b(?:every|each) ${day}(?:(?: and |, )(?:every )?${day})*\\b|\\b(?:on )?${day}s(?:(?: and |, )${day}s)*\\b`;
const seconds: Record<string, number> = { second: 1, minute: 60, hour: 3_600, day: 86_400, week: 604_800 };

/** Expressions for periods, in lower case. The first match counts, so specific ones come first. */
const periods: [RegExp, (match: RegExpExecArray, now: Date) => Period | undefined][] = [
  [/\b(?:every|each) (\w+) (second|minute|hour|day|week)s?\b/, ([, count, unit]) => interval(count, unit)],
  [/\b(?:every|each) (second|minute|hour)\b|\b(hour|minute)ly\b/, ([, one, other]) => interval('1', one ?? other)],
  [/\b(?:every|each|on) (?:week|work)days?\b/, () => ({ date: '* * 1-5', words: 'every weekday' })],
  [/\b(?:every|each) weekend\b/, () => onDays('saturday sunday')],
  [RegExp(dayNames), ([said]) => onDays(said)],
  [/\b(?:every|each) (day|morning|afternoon|evening|night)\b|\bdaily\b/, ([, part]) => everyDay(part)],
  [/\bevery week\b|\bweekly\b/, ({ input }, now) => onDays(RegExp(day).exec(input)?.[0] ?? days[now.getUTCDay()])],
  [/\b(?:every month|monthly)\b(?: on the (\d+)(?:st|nd|rd|th))?/, ([, on], now) => monthly(on ?? now.getUTCDate())],
];

/** Returns the period in a text, and the text without it. */
export function periodIn(text: string, now = new Date()): { period: Period; rest: string } | undefined {
  for (const [form, read] of periods) {
    const match = form.exec(text.toLowerCase());
    const period = match && read(match, now);
    if (period) return { period, rest: `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}` };
  }
  return undefined;
}

/**
 * @param time the time named with it, read relative to midnight: "at 8" is then eight in the morning.
 */
export function ruleOf(period: Period, time: Moment | undefined): Rule {
  if ('everySeconds' in period) return { ...period, cron: null };
  const { date, words, hour = defaultHour } = period;
  const named = time?.timed ? time.at : new Date(Date.UTC(2000, 0, 1, hour));
  const minutes = named.getUTCMinutes();
  // "Every evening at 7" is not in the morning.
  const at = named.getUTCHours() + (named.getUTCHours() < 12 && hour > 12 ? 12 : 0);
  const clock = [at, minutes].map((part) => String(part).padStart(2, '0')).join(':');
  return { cron: `${minutes} ${at} ${date}`, everySeconds: null, words: `${words} at ${clock}`, isByClock: true };
}

function interval(count = '', unit = ''): Period | undefined {
  const number = count === 'other' ? 2 : numberOf(count);
  const words = number === 1 ? `every ${unit}` : `every ${number} ${unit}s`;
  return number < 1 ? undefined : { everySeconds: number * seconds[unit]!, words };
}
function onDays(said = ''): Period {
  const named = days.filter((name) => said.toLowerCase().includes(name.toLowerCase()));
  return { date: `* * ${named.map((name) => days.indexOf(name)).join(',')}`, words: `every ${named.join(' and ')}` };
}
const everyDay = (part = ''): Period => ({ date: '* * *', words: 'every day', hour: dayParts[part] });
const monthly = (on: number | string): Period => ({ date: `${on} * *`, words: `on day ${on} of every month` });
