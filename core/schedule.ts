import { Cron } from 'croner';
import { InvalidInput } from './errors';

/** When a timer fires again: a cron expression in a time zone, or every so many seconds from when it was made. */
export interface Rule {
  cron?: string;
  /** IANA name, `UTC` unless given. */
  timeZone?: string;
  everySeconds?: number;
}

/** What a tool call lets happen later. */
export type NewTimer =
  | { kind: 'once'; at: Date; text: string }
  | { kind: 'repeat'; rule: Rule; text: string }
  | { kind: 'tool'; at: Date; tool: string; arguments: object };

/** A recurring job that fires more often than this would be a loop, and cost like one. */
export const shortestIntervalSeconds = 60;

/** @throws InvalidInput for a rule that never fires, fires too often, or cannot be read. */
export function checkRule({ cron, timeZone = 'UTC', everySeconds }: Rule, now: Date): void {
  if ((cron === undefined) === (everySeconds === undefined))
    throw new InvalidInput('rule', 'give either a cron expression or a number of seconds');
  if (everySeconds !== undefined && !(everySeconds >= shortestIntervalSeconds))
    throw new InvalidInput('every_seconds', `must be at least ${shortestIntervalSeconds}`);
  if (cron === undefined) return;
  if (!isTimeZone(timeZone))
    throw new InvalidInput('time_zone', `"${timeZone}" is no IANA time zone like Europe/Berlin`);
  if (cron.trim().split(/\s+/).length > 5)
    throw new InvalidInput('cron', 'use five fields: minute, hour, day of month, month, day of week');
  let first: Date | null;
  try {
    first = new Cron(cron, { timezone: timeZone }).nextRun(now);
  } catch (error) {
    throw new InvalidInput('cron', `"${cron}" is no cron expression: ${(error as Error).message}`);
  }
  if (!first) throw new InvalidInput('cron', `"${cron}" never comes`);
}

/**
 * The first slot after a moment. An interval counts from the timer's making, so that it does not drift; a cron
 * expression follows its zone's summer time.
 */
export function nextSlot({ cron, timeZone = 'UTC', everySeconds }: Rule, madeAt: Date, after: Date): Date | undefined {
  if (cron !== undefined) return new Cron(cron, { timezone: timeZone }).nextRun(after) ?? undefined;
  const step = everySeconds! * 1_000;
  const slots = Math.floor((after.getTime() - madeAt.getTime()) / step) + 1;
  return new Date(madeAt.getTime() + Math.max(1, slots) * step);
}

/** How many slots lie between one that is due and now: they collapse into one. Counted up to a limit that says "many". */
export function missedSlots(rule: Rule, madeAt: Date, due: Date, now: Date, atMost = 1_000): number {
  let missed = 0;
  for (let slot = nextSlot(rule, madeAt, due); slot && slot <= now && missed < atMost; missed++)
    slot = nextSlot(rule, madeAt, slot);
  return missed;
}

/** A rule as people read it. */
export const ruleWords = ({ cron, everySeconds }: Rule): string => cron ?? `every ${everySeconds} seconds`;

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
