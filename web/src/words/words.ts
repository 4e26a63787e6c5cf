import type { ConversationSummary, Message } from 'vigil-client';
import type { Run, Taker, Usage } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { dateLocale, dateStyle, dayParts } from '../settings/dates';
import { inCurrency, numeral } from './amounts';
import { personName } from './person';

/** The reader's time zone, as an IANA name. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the formats of a time zone. They are slow to make. */
function formatsIn(timeZone: string) {
  const formatOf = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(dateLocale(), { timeZone, ...options });
  const dayAndMonth = dayParts();
  const hourAndMinute = { hour: '2-digit', minute: '2-digit' } as const;
  return {
    day: formatOf(dayAndMonth),
    dayAndYear: formatOf({ ...dayAndMonth, year: 'numeric' }),
    minutes: formatOf(hourAndMinute),
    seconds: formatOf({ ...hourAndMinute, second: '2-digit' }),
    date: formatOf({ dateStyle: 'short' }),
    year: formatOf({ year: 'numeric' }),
  };
}

/** Words for times in a time zone. UTC is named, so that nobody takes it for their own time. */
export function timesIn(timeZone: string) {
  let made: ReturnType<typeof formatsIn> | undefined;
  // The reader's language is not known before the first use.
  const formats = () => {
    made ??= formatsIn(timeZone);
    return made;
  };
  const dateOf = (ms: number): string => formats().date.format(ms);
  const suffix = timeZone === 'UTC' ? ' UTC' : '';

  /** "08:00", "08:00:12" */
  const clockTime = (ms: number, withSeconds = false): string =>
    (withSeconds ? formats().seconds : formats().minutes).format(ms);
  /** "Sat 21 Nov" */
  function day(ms: number, now: number): string {
    const { year, day, dayAndYear } = formats();
    const words = (year.format(ms) === year.format(now) ? day : dayAndYear).format(ms);
    // After a shortened word, a comma stays: "Sa., 21. Nov."
    return words.replace(/^(\p{L}+),/u, '$1');
  }
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

/** The signs of the units of time are the same in each language. */
const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** "3 d", "20 h", "4 min", "0.8 s", "26 ms" */
export function span(ms: number): string {
  if (ms > 0 && ms < 95) return `${Math.round(ms)} ms`;
  if (ms < 950) return `${numeral(Math.max(0, ms) / 1_000, 1)} s`;
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
  if (microdollars === 0) return inCurrency(0, 'USD', 0);
  if (microdollars < 50) return t('under {amount}', { amount: inCurrency(0.0001, 'USD', 4) });
  return inCurrency(microdollars / 1_000_000, 'USD', microdollars < 1_000_000 ? 4 : 2);
}

/** Returns the cost in words. Calls of models without a price count at the dearest one that is known, so it may be less. */
export const costWords = (
  microdollars: number,
  { unpricedCalls = 0 }: Partial<Pick<Usage, 'unpricedCalls'>> = {},
): string => (unpricedCalls === 0 ? dollars(microdollars) : t('at most {limit}', { limit: dollars(microdollars) }));

/** Returns what the provider's cache has saved in words. The first write costs more than it saves, until it is read. */
export const savedWords = (microdollars: number): string =>
  microdollars < 0
    ? t('{amount} more', { amount: dollars(-microdollars) })
    : t('{amount} saved', { amount: dollars(microdollars) });

/** Returns what a total has besides a part, so that what is shown adds up. */
export function restWords(total: number, part: number): string {
  const shown = (microdollars: number) => Math.round(microdollars / 100) * 100;
  return dollars(shown(total) - shown(part) || total - part);
}

/** "6.1k" */
export function count(number: number): string {
  if (number < 1_000) return String(number);
  if (number < 999_500) return `${numeral(number / 1_000, number < 9_950 ? 1 : 0)}k`;
  return `${numeral(number / 1e6, 1)}M`;
}

/** Returns which model gave a reply, and why those that its agent prefers did not. */
export const answeredBy = ({ model = '', insteadOf = [] }: Pick<Message, 'model' | 'insteadOf'>): string =>
  [
    model,
    ...insteadOf.map((one) =>
      t('instead of {model}, which did not answer: {reason}', { model: one.model, reason: one.reason }),
    ),
  ].join(', ');

export type Standing = Pick<ConversationSummary, 'status' | 'until' | 'waitsFor' | 'role'> & {
  takenBy?: Taker;
  run?: Pick<Run, 'modelWait'>;
};

const isAhead = (time: string, now: number): boolean => Date.parse(time) > now;

/** Returns the status of a conversation in a few words. */
export function standing({ status, until, waitsFor, role, run, takenBy }: Standing, now: number): string {
  switch (status) {
    case 'idle':
      return t('nothing said yet');
    case 'running':
      if (!run?.modelWait) return t('running');
      return isAhead(run.modelWait.nextAt, now)
        ? t('waiting for its model until {moment}', { moment: moment(run.modelWait.nextAt, now) })
        : t('asking its model again');
    case 'sleeping':
      if (!until) return t('asleep');
      return isAhead(until, now) ? t('asleep until {moment}', { moment: moment(until, now) }) : t('waking up');
    case 'waiting':
      if (takenBy) return t('{name} has taken over', { name: personName(takenBy.user, takenBy.name) });
      return role && (waitsFor ?? 'you') === 'you' ? t('waiting for its owner') : waitingWords(waitsFor);
    case 'done':
      return t('done');
    case 'failed':
      return t('failed');
    case 'limited':
      return t('stopped at its limit');
    case 'cancelling':
      return t('stopping, undoing its effects');
    case 'cancelled':
      return t('stopped');
  }
}

function waitingWords(waitsFor: Standing['waitsFor']): string {
  switch (waitsFor) {
    case 'approver':
      return t('waiting for an approver');
    case 'person':
      return t('waiting for a person');
    case 'agent':
      return t('waiting for another agent');
    case 'outside':
      return t('waiting for an outside system');
    default:
      return t('waiting for you');
  }
}

/** Returns what a tool does, for people: its title, or its name as words. A question of the agent has no tool. */
export function toolWords({ tool, title }: { tool?: string; title?: string }): string {
  // Every agent with people has it, so its title is the page's.
  if (tool === personTool) return t('Hand-over to a person');
  return title ?? (tool === undefined ? t('Question') : plain(tool).replace(/^[a-z]/, (first) => first.toUpperCase()));
}

/** The tool by which an agent hands a conversation over to a person. */
export const personTool = 'hand_off_to_person';

/** Returns the name of a tool or a field for people: `amount_cents` is "amount cents". */
export const plain = (name: string): string => name.replaceAll('_', ' ');
