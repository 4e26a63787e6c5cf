import type { ConversationSummary, Timer } from 'vigil-client';
import { moment, ownZone, plain, type Standing, span, standing } from './words';

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Returns a recurrence rule in words, with its time zone if that is not the reader's. Other rules are returned unchanged. */
export function ruleWords({ rule = '', timeZone }: { rule?: string; timeZone?: string }): string {
  const words = intervalWords(rule) ?? cronWords(rule) ?? rule;
  return timeZone && timeZone !== ownZone ? `${words} (${timeZone})` : words;
}

/**
 * Returns a note with its times, and the rule of a timer that is due, in words. Its leading emoji is dropped, because an icon
 * replaces it.
 */
export const readable = (text: string, now: number): string =>
  text
    .replace(
      /^🔁 Due at (\S+) \((every \d+ seconds|(?:[^\s()]+ ){4}[^\s()]+)(?: ([^\s()]+))?\):/u,
      (_, at, rule, timeZone) => {
        return `Due at ${at}, ${ruleWords({ rule, timeZone })}:`;
      },
    )
    .replace(/^(?:⏰|🔁)\s*/u, '')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|([+-]\d\d:\d\d)\[[\w/+-]+\])/g, (iso) =>
      moment(iso.replace(/\[.*/, ''), now),
    );

/** Returns what a timer is about. */
export const timerWords = ({ text, tool }: Pick<Timer, 'text' | 'tool'>): string =>
  text || (tool ? `calls ${plain(tool)}` : 'a message');

/** "next 09:00 · every 2 h"; "paused · every 2 h" */
export const comesNext = (timer: Pick<Timer, 'nextAt' | 'rule' | 'timeZone' | 'status'>, now: number): string =>
  [
    timer.status === 'paused' ? 'paused' : `next ${moment(timer.nextAt, now)}`,
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
const every = (words: string): string =>
  `every ${words.replace(/^1 (\w+)$/, (_, unit: string) => ({ h: 'hour', min: 'minute' })[unit] ?? `1 ${unit}`)}`;

function cronWords(rule: string): string | undefined {
  const [minute = '', hour = '', date = '', month = '', weekday = '', ...more] = rule.trim().split(/\s+/);
  if (more.length > 0 || month !== '*') return undefined;
  const anyDay = date === '*' && weekday === '*';
  if (anyDay && hour === '*') return hourly(minute);
  if (anyDay && minute === '0' && stepOf(hour, 24)) return every(`${stepOf(hour, 24)} h`);
  if (!isNumber(minute) || !isNumber(hour)) return undefined;
  const time = `${hour}:${minute.padStart(2, '0')}`;
  if (anyDay) return `${time} daily`;
  if (date === '*') return weekdays(weekday) && `${weekdays(weekday)} ${time} weekly`;
  return weekday === '*' && isNumber(date) ? `${time} on day ${date} of each month` : undefined;
}

function hourly(minute: string): string | undefined {
  if (minute === '*') return 'every minute';
  if (stepOf(minute, 60)) return every(`${stepOf(minute, 60)} min`);
  return isNumber(minute) ? `hourly at :${minute.padStart(2, '0')}` : undefined;
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

const dayOf = (name: string): string | undefined =>
  isNumber(name) ? [...days, 'Sun'][Number(name)] : days.find((day) => day.toLowerCase() === name.toLowerCase());
