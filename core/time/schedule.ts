import { Cron } from 'croner';
import { InvalidInput } from '../text/errors';
import { longestDelaySeconds, type Rule, shortestIntervalSeconds } from './rule';
import { isTimeZone } from './time-zone';

/** @throws InvalidInput if the rule is invalid, never fires or fires too often. */
export function checkRule({ cron, timeZone = 'UTC', everySeconds }: Rule, now: Date): void {
  if ((cron === undefined) === (everySeconds === undefined))
    throw new InvalidInput('rule', 'give either a cron expression or a number of seconds');
  if (everySeconds !== undefined && !(everySeconds >= shortestIntervalSeconds && everySeconds <= longestDelaySeconds))
    throw new InvalidInput('every_seconds', `must be from ${shortestIntervalSeconds} to ${longestDelaySeconds}`);
  if (cron === undefined) return;
  if (!isTimeZone(timeZone))
    throw new InvalidInput('time_zone', `"${timeZone}" is not an IANA time zone such as Europe/Berlin`);
  if (cron.trim().split(/\s+/).length > 5)
    throw new InvalidInput('cron', 'use five fields: minute, hour, day of month, month, day of week');
  let first: Date | null;
  try {
    first = new Cron(cron, { timezone: timeZone }).nextRun(now);
  } catch (error) {
    throw new InvalidInput('cron', `"${cron}" is not a valid cron expression: ${(error as Error).message}`);
  }
  if (!first) throw new InvalidInput('cron', `"${cron}" never fires`);
}

/**
 * Returns the first slot after a moment.
 *
 * - An interval counts from `from`, the timer's creation or any of its slots, so it does not drift.
 * - A cron expression follows daylight saving time: a slot in the skipped hour fires an hour later by the clock, and a slot in the
 *   repeated hour fires the first time only.
 */
export function nextSlot({ cron, timeZone = 'UTC', everySeconds }: Rule, from: Date, after: Date): Date | undefined {
  if (cron !== undefined) return new Cron(cron, { timezone: timeZone }).nextRun(after) ?? undefined;
  const step = everySeconds! * 1_000;
  const slots = Math.floor((after.getTime() - from.getTime()) / step) + 1;
  return new Date(from.getTime() + Math.max(1, slots) * step);
}

/** Counts the slots after `due` up to `now`, at most `atMost`. They collapse into one firing. */
export function missedSlots(rule: Rule, due: Date, now: Date, atMost = 1_000): number {
  let missed = 0;
  for (let slot = nextSlot(rule, due, due); slot && slot <= now && missed < atMost; missed++)
    slot = nextSlot(rule, due, slot);
  return missed;
}
