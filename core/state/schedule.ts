import { Cron } from 'croner';
import { InvalidInput } from '../text/errors';
import { longestDelaySeconds, type Rule, shortestIntervalSeconds } from './rule';

/** @throws InvalidInput for a rule that never fires, fires too often, or cannot be read. */
export function checkRule({ cron, timeZone = 'UTC', everySeconds }: Rule, now: Date): void {
  if ((cron === undefined) === (everySeconds === undefined))
    throw new InvalidInput('rule', 'give either a cron expression or a number of seconds');
  if (everySeconds !== undefined && !(everySeconds >= shortestIntervalSeconds && everySeconds <= longestDelaySeconds))
    throw new InvalidInput('every_seconds', `must be from ${shortestIntervalSeconds} to ${longestDelaySeconds}`);
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
 * The first slot after a moment. An interval counts from `from`, the time when the timer was made or any slot of it, and never from
 * when a slot was served: so it does not drift. A cron expression follows its zone's summer time: what falls into the hour that is
 * left out comes an hour later by the clock, what falls into the hour that comes twice comes the first time only.
 */
export function nextSlot({ cron, timeZone = 'UTC', everySeconds }: Rule, from: Date, after: Date): Date | undefined {
  if (cron !== undefined) return new Cron(cron, { timezone: timeZone }).nextRun(after) ?? undefined;
  const step = everySeconds! * 1_000;
  const slots = Math.floor((after.getTime() - from.getTime()) / step) + 1;
  return new Date(from.getTime() + Math.max(1, slots) * step);
}

/** How many slots lie between one that is due and now: they collapse into one. No more than `atMost` are counted. */
export function missedSlots(rule: Rule, due: Date, now: Date, atMost = 1_000): number {
  let missed = 0;
  for (let slot = nextSlot(rule, due, due); slot && slot <= now && missed < atMost; missed++)
    slot = nextSlot(rule, due, slot);
  return missed;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
