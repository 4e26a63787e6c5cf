import type { ConversationSummary, Timer } from 'vigil-client';
import { t } from '../languages/catalogue';
import { locale } from '../languages/locale';
import { moment, ownZone, plain, type Standing, span, standing } from './words';

/** The names that a rule may have. */
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Returns a recurrence rule in words, with its time zone if that is not the reader's. Other rules are returned unchanged. */
export function ruleWords({ rule = '', timeZone }: { rule?: string; timeZone?: string }): string {
  const words = intervalWords(rule) ?? cronWords(rule) ?? rule;
  return timeZone && timeZone !== ownZone ? `${words} (${timeZone})` : words;
}

/** What Vigil writes in a note of a timer that is due: at its beginning, and at its end if it comes late. */
const noteOf = {
  repeat: /^🔁 Due at (\S+) \((every \d+ seconds|(?:[^\s()]+ ){4}[^\s()]+)(?: ([^\s()]+))?\):/u,
  once: /^⏰ Due at (\S+), as arranged at (\S+):/u,
  late: / \(This comes late: it is (\S+)\.\)$/,
};

/**
 * Returns a note with its times, and the rule of a timer that is due, in words. Its leading emoji is dropped, because an icon
 * replaces it.
 */
export const readable = (text: string, now: number): string =>
  text
    .replace(noteOf.repeat, (_, at, rule, timeZone) =>
      t('Due at {moment}, {rule}:', { moment: at, rule: ruleWords({ rule, timeZone }) }),
    )
    .replace(noteOf.once, (_, at, since) => t('Due at {moment}, as arranged at {since}:', { moment: at, since }))
    .replace(noteOf.late, (_, at) => ` (${t('This comes late: it is {moment}.', { moment: at })})`)
    .replace(/^(?:⏰|🔁)\s*/u, '')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|([+-]\d\d:\d\d)\[[\w/+-]+\])/g, (iso) =>
      moment(iso.replace(/\[.*/, ''), now),
    );

/** Returns what a timer is about. */
export const timerWords = ({ text, tool }: Pick<Timer, 'text' | 'tool'>): string =>
  text || (tool ? t('calls {tool}', { tool: plain(tool) }) : t('a message'));

/** "next 09:00 · every 2 h"; "paused · every 2 h" */
export const comesNext = (timer: Pick<Timer, 'nextAt' | 'rule' | 'timeZone' | 'status'>, now: number): string =>
  [
    timer.status === 'paused' ? t('paused') : t('next {moment}', { moment: moment(timer.nextAt, now) }),
    ...(timer.rule ? [ruleWords(timer)] : []),
  ].join(' · ');

/** The status of a conversation: for the dot, and in a few words. */
export interface Shown {
  dot: Pick<ConversationSummary, 'status' | 'waitsFor'>;
  words: string;
}

const atRest = new Set(['idle', 'done', 'cancelled']);

/** Returns the status everywhere it is shown. A conversation at rest with an open timer is alive, so its next time is its status, or that it is paused. */
export function shownStatus(of: Standing, timer: Timer | undefined, now: number): Shown {
  if (!timer || !atRest.has(of.status)) return { dot: of, words: standing(of, now) };
  return { dot: { status: 'sleeping' }, words: comesNext(timer, now) };
}

function intervalWords(rule: string): string | undefined {
  const [, seconds] = /^every (\d+) seconds$/.exec(rule) ?? [];
  return seconds && every(span(Number(seconds) * 1_000));
}

/** "every 2 h"; "every hour" */
function every(words: string): string {
  switch (words) {
    case '1 h':
      return t('every hour');
    case '1 min':
      return t('every minute');
    default:
      return t('every {span}', { span: words });
  }
}

function cronWords(rule: string): string | undefined {
  const [minute = '', hour = '', date = '', month = '', weekday = '', ...more] = rule.trim().split(/\s+/);
  if (more.length > 0 || month !== '*') return undefined;
  const anyDay = date === '*' && weekday === '*';
  if (anyDay && hour === '*') return hourly(minute);
  if (anyDay && minute === '0' && stepOf(hour, 24)) return every(`${stepOf(hour, 24)} h`);
  if (!isNumber(minute) || !isNumber(hour)) return undefined;
  const time = `${hour}:${minute.padStart(2, '0')}`;
  if (anyDay) return t('{time} daily', { time });
  if (date === '*') {
    const some = weekdays(weekday);
    return some && t('{days} {time} weekly', { days: some, time });
  }
  return weekday === '*' && isNumber(date) ? t('{time} on day {date} of each month', { time, date }) : undefined;
}

function hourly(minute: string): string | undefined {
  if (minute === '*') return t('every minute');
  if (stepOf(minute, 60)) return every(`${stepOf(minute, 60)} min`);
  return isNumber(minute) ? t('hourly at :{minute}', { minute: minute.padStart(2, '0') }) : undefined;
}

const isNumber = (field: string): boolean => /^\d+$/.test(field);

// Returns the 15 of "*/15", if that divides the hour or the day evenly.
function stepOf(field: string, of: number): number | undefined {
  const step = Number(/^\*\/(\d+)$/.exec(field)?.[1]);
  return of % step === 0 ? step : undefined;
}

/** "Mon", "Mon–Fri", "Tue, Thu": by number, where Sunday is 0 or 7, or by name. */
function weekdays(field: string): string | undefined {
  const ranges = field.split(',').map((range) => range.split('-').map(dayOf));
  if (ranges.some((range) => range.length > 2 || range.some((day) => day === undefined))) return undefined;
  return ranges.map((range) => range.join('–')).join(', ');
}

function dayOf(name: string): string | undefined {
  const day = isNumber(name) ? Number(name) : days.indexOf(name.toLowerCase());
  return day >= 0 && day <= 7 ? dayName(day) : undefined;
}

/** "Mon". @param day from 0, Sunday. */
const dayName = (day: number): string =>
  // The 4th of January 1970 was a Sunday.
  new Date(Date.UTC(1970, 0, 4 + day)).toLocaleDateString(locale(), { weekday: 'short', timeZone: 'UTC' });
