import type { ConversationSummary } from '../../../core/state/schemas';

/** Times, durations and states for people. All times are UTC, as in the agents' messages. */
const dayFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const yearFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** "08:00", "08:00:12" */
export const clockTime = (ms: number, seconds = false): string =>
  new Date(ms).toISOString().slice(11, seconds ? 19 : 16);

/** "Sat 21 Nov" */
export function day(ms: number, now: number): string {
  const sameYear = dateOf(ms).slice(0, 4) === dateOf(now).slice(0, 4);
  return (sameYear ? dayFormat : yearFormat).format(ms).replace(',', '');
}

/** "Sat 21 Nov, 08:00 UTC", without the day if it is today. */
export function moment(iso: string, now: number, seconds = false): string {
  const ms = Date.parse(iso);
  const time = `${clockTime(ms, seconds)} UTC`;
  return dateOf(ms) === dateOf(now) ? time : `${day(ms, now)}, ${time}`;
}

/** Returns a note with its ISO times formatted. Its leading emoji is dropped, because an icon replaces it. */
export const readable = (text: string, now: number): string =>
  text
    .replace(/^(?:⏰|🔁)\s*/u, '')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g, (iso) => moment(iso, now));

/** The same moment in the reader's own time zone, for a tooltip. */
export const inLocalTime = (iso: string): string =>
  new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

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

/** "$0.0143", from millionths of a dollar. */
export function dollars(microdollars: number): string {
  if (microdollars === 0) return '$0';
  if (microdollars < 50) return 'under $0.0001';
  return `$${(microdollars / 1_000_000).toFixed(microdollars < 1_000_000 ? 4 : 2)}`;
}

/** "6.1k" */
export function count(number: number): string {
  if (number < 1_000) return String(number);
  return number < 999_500 ? `${(number / 1_000).toFixed(number < 9_950 ? 1 : 0)}k` : `${(number / 1e6).toFixed(1)}M`;
}

type Standing = Pick<ConversationSummary, 'status' | 'until' | 'waitsFor'>;

const waitedFor = { you: 'you', approver: 'an approver', agent: 'another agent', outside: 'an outside system' };

/** Returns the status of a conversation in a few words. */
export function standing({ status, until, waitsFor = 'you' }: Standing, now: number): string {
  switch (status) {
    case 'idle':
      return 'nothing said yet';
    case 'running':
      return 'running';
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

/** Returns the name of a tool or a field for people: `amount_cents` is "amount cents". */
export const plain = (name: string): string => name.replaceAll('_', ' ');
