import type { ConversationSummary, Message } from 'vigil-client';
import type { Run, Usage } from 'vigil-client/shared';
import { dateLocale, dateStyle, dayParts } from '../settings/dates';

/** The reader's time zone, as an IANA name. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Words for times in a time zone. UTC is named, so that nobody takes it for their own time. */
export function timesIn(timeZone: string) {
  const formatOf = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(dateLocale(), { timeZone, ...options });
  const dayAndMonth = dayParts();
  const [dayFormat, yearFormat] = [formatOf(dayAndMonth), formatOf({ ...dayAndMonth, year: 'numeric' })];
  const hourAndMinute = { hour: '2-digit', minute: '2-digit' } as const;
  const [minutes, seconds] = [formatOf(hourAndMinute), formatOf({ ...hourAndMinute, second: '2-digit' })];
  const [dateFormat, year] = [formatOf({ dateStyle: 'short' }), formatOf({ year: 'numeric' })];
  const dateOf = (ms: number): string => dateFormat.format(ms);
  const suffix = timeZone === 'UTC' ? ' UTC' : '';

  /** "08:00", "08:00:12" */
  const clockTime = (ms: number, withSeconds = false): string => (withSeconds ? seconds : minutes).format(ms);
  /** "Sat 21 Nov" */
  const day = (ms: number, now: number): string =>
    (year.format(ms) === year.format(now) ? dayFormat : yearFormat).format(ms).replace(',', '');
  return {
    clockTime,
    day,
    isSameDay: (one: number, other: number): boolean => dateOf(one) === dateOf(other),
    /** "Sat 21 Nov, 08:00", without the day if it is today. */
    moment(iso: string, now: number, withSeconds = false): string {
      const ms = Date.parse(iso);
      const time = `${clockTime(ms, withSeconds)}${suffix}`;
      return dateOf(ms) === dateOf(now) ? time : `${day(ms, now)}, ${time}`;
    },
  };
}

export const { clockTime, day, isSameDay, moment } = timesIn(ownZone);

/** "1 Mar 2026, 08:00 UTC", for a tooltip. */
export const inUtc = (iso: string): string =>
  `${new Date(iso).toLocaleString(dateLocale(), { dateStyle: dateStyle(), timeStyle: 'short', timeZone: 'UTC' })} UTC`;

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** "3 d", "20 h", "4 min", "0.8 s", "26 ms" */
export function span(ms: number): string {
  if (ms > 0 && ms < 95) return `${Math.round(ms)} ms`;
  if (ms < 950) return `${(Math.max(0, ms) / 1_000).toFixed(1)} s`;
  // Up to about two days are given in hours, because "1 d" may be nearly two.
  const [name, size] = units.find(([unit, each]) => ms >= each * (unit === 'd' ? 2 : 1) * 0.95) ?? units[3];
  return `${Math.round(ms / size)} ${name}`;
}

/** "3 d 4 h", "19 h 47 min", "12 s": how long something still takes. */
export function countdown(ms: number): string {
  const left = Math.max(0, ms);
  const place = units.findIndex(([, size]) => left >= size);
  const [name, size] = units[place] ?? units[3];
  const whole = Math.floor(left / size);
  const [smaller, part] = units[place + 1] ?? units[3];
  const rest = place === -1 || name === 's' || name === 'min' ? 0 : Math.floor((left - whole * size) / part);
  return rest > 0 ? `${whole} ${name} ${rest} ${smaller}` : `${whole} ${name}`;
}

/** "$0.0143", from millionths of a dollar. */
export function dollars(microdollars: number): string {
  if (microdollars === 0) return '$0';
  if (microdollars < 50) return 'under $0.0001';
  return `$${(microdollars / 1_000_000).toFixed(microdollars < 1_000_000 ? 4 : 2)}`;
}

/** Returns the cost in words, of which a part may be unknown: that of calls of models without a price. */
export const costWords = (
  microdollars: number,
  { unpricedCalls = 0 }: Partial<Pick<Usage, 'unpricedCalls'>> = {},
): string => {
  if (unpricedCalls === 0) return dollars(microdollars);
  return microdollars === 0 ? 'unknown' : `at least ${dollars(microdollars)}`;
};

/** Returns the model's cost in words. That of a model without a price is not known. */
export const modelCost = ({ costMicrodollars, modelCalls, unpricedCalls = 0 }: Usage): string =>
  unpricedCalls > 0 && unpricedCalls === modelCalls ? 'unknown' : costWords(costMicrodollars, { unpricedCalls });

/** Returns what the provider's cache has saved in words. The first write costs more than it saves, until it is read. */
export const savedWords = (microdollars: number): string =>
  microdollars < 0 ? `${dollars(-microdollars)} more` : `${dollars(microdollars)} saved`;

/** Returns what a total has besides a part, so that what is shown adds up. */
export function restWords(total: number, part: number): string {
  const shown = (microdollars: number) => Math.round(microdollars / 100) * 100;
  return dollars(shown(total) - shown(part) || total - part);
}

/** "6.1k" */
export function count(number: number): string {
  if (number < 1_000) return String(number);
  return number < 999_500 ? `${(number / 1_000).toFixed(number < 9_950 ? 1 : 0)}k` : `${(number / 1e6).toFixed(1)}M`;
}

/** Returns which model gave a reply, and why those that its agent prefers did not. */
export const answeredBy = ({ model = '', insteadOf = [] }: Pick<Message, 'model' | 'insteadOf'>): string =>
  [model, ...insteadOf.map((one) => `instead of ${one.model}, which did not answer: ${one.reason}`)].join(', ');

export type Standing = Pick<ConversationSummary, 'status' | 'until' | 'waitsFor'> & { run?: Pick<Run, 'modelWait'> };

const waitedFor = { you: 'you', approver: 'an approver', agent: 'another agent', outside: 'an outside system' };

const isAhead = (time: string, now: number): boolean => Date.parse(time) > now;

/** Returns the status of a conversation in a few words. */
export function standing({ status, until, waitsFor = 'you', run }: Standing, now: number): string {
  switch (status) {
    case 'idle':
      return 'nothing said yet';
    case 'running':
      if (!run?.modelWait) return 'running';
      return isAhead(run.modelWait.nextAt, now)
        ? `waiting for its model until ${moment(run.modelWait.nextAt, now)}`
        : 'asking its model again';
    case 'sleeping':
      if (!until) return 'asleep';
      return Date.parse(until) > now ? `asleep until ${moment(until, now)}` : 'waking up';
    case 'waiting':
      return `waiting for ${waitedFor[waitsFor]}`;
    case 'done':
      return 'done';
    case 'failed':
      return 'failed';
    case 'limited':
      return 'stopped at its limit';
    case 'cancelling':
      return 'stopping, undoing its effects';
    case 'cancelled':
      return 'stopped';
  }
}

/** Returns what a tool does, for people: its title, or its name as words. */
export const toolWords = ({ tool = 'question', title }: { tool?: string; title?: string }): string =>
  title ?? plain(tool).replace(/^[a-z]/, (first) => first.toUpperCase());

/** Returns the name of a tool or a field for people: `amount_cents` is "amount cents". */
export const plain = (name: string): string => name.replaceAll('_', ' ');
