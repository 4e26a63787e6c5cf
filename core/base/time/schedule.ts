import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import { InvalidInput } from '../text/errors';
import { parseDuration } from './duration';
import { localIn, momentIn } from './local-time';
import { longestDelaySeconds, longestJitterSeconds, type Rule, shortestIntervalSeconds, type Times } from './rule';
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

/** The fields of `Times` by those of the tool `repeat`, which `checkRule` names. */
const fieldsOfTimes: Record<string, string> = { rule: 'cron', every_seconds: 'every', time_zone: 'timeZone' };

/** Returns the rule of these times. @throws InvalidInput naming the field. */
export function ruleOfTimes({ cron, every, timeZone }: Times, now: Date): Rule {
  if ((cron === undefined) === (every === undefined)) throw new InvalidInput('cron', 'give either "cron" or "every"');
  const ms = every === undefined ? undefined : parseDuration(every);
  if (every !== undefined && (ms === undefined || ms % 1_000 !== 0))
    throw new InvalidInput('every', 'must be an ISO 8601 duration in whole seconds, such as PT6H or P7D');
  const rule = cron === undefined ? { everySeconds: ms! / 1_000 } : { cron, timeZone };
  try {
    checkRule(rule, now);
    return rule;
  } catch (error) {
    const { name, path, message } = error as InvalidInput;
    throw name === 'InvalidInput' ? new InvalidInput(fieldsOfTimes[path] ?? path, message) : error;
  }
}

/**
 * Returns the first slot after a moment.
 *
 * - An interval counts from `from`, the timer's creation or any of its slots, so it does not drift.
 * - A cron expression follows daylight saving time: a slot in the skipped hour fires an hour later by the clock, as with `schedule`, and a
 *   slot in the repeated hour fires the first time only. One of each hour fires each hour.
 */
export function nextSlot({ cron, timeZone = 'UTC', everySeconds }: Rule, from: Date, after: Date): Date | undefined {
  if (cron !== undefined) return nextOf(cron, timeZone, after);
  const step = everySeconds! * 1_000;
  const slots = Math.floor((after.getTime() - from.getTime()) / step) + 1;
  return new Date(from.getTime() + Math.max(1, slots) * step);
}

/**
 * Returns when a timer fires for a slot, and the slot, if a jitter delays it: by a part of `jitterSeconds` that the timer and the slot
 * determine, so repeating the calculation changes nothing.
 */
export function firingOf({ id, jitterSeconds = 0 }: { id: string; jitterSeconds?: number }, slot: Date | undefined) {
  if (!slot) return undefined;
  const slotAt = slot.toISOString();
  if (jitterSeconds === 0) return { nextAt: slotAt, slotAt: undefined };
  const digest = createHash('sha256').update(`${id} ${slotAt}`).digest().readUInt32BE();
  return { nextAt: new Date(slot.getTime() + (digest % (jitterSeconds * 1_000 + 1))).toISOString(), slotAt };
}

/** @throws InvalidInput if a timer cannot fire once at this time. */
export function checkAt(at: Date, now: Date): void {
  const seconds = (at.getTime() - now.getTime()) / 1_000;
  if (seconds < 0) throw new InvalidInput('at', `must be in the future; it is ${now.toISOString()}`);
  if (seconds > longestDelaySeconds) throw new InvalidInput('at', 'must be at most ten years away');
}

/** @throws InvalidInput if the jitter is too long, or could be as long as the interval. */
export function checkJitter({ everySeconds = Number.POSITIVE_INFINITY }: Rule, jitterSeconds = 0): void {
  if (!(Number.isInteger(jitterSeconds) && jitterSeconds >= 0 && jitterSeconds <= longestJitterSeconds))
    throw new InvalidInput('jitterSeconds', `must be a whole number from 0 to ${longestJitterSeconds}`);
  if (jitterSeconds >= everySeconds) throw new InvalidInput('jitterSeconds', 'must be less than the interval');
}

const dayMs = 86_400_000;
/** Checks whether a timer fires in each hour. It then follows the time that passes, not the clock on the wall. */
const isOfEachHour = (cron: string): boolean => /^@hourly$|^\S+\s+(?:\*|\*\/1|\?|0-23)\s/i.test(cron.trim());

/** Finds the local times at which the expression fires, and the first of their moments after the given one. */
function nextOf(cron: string, timeZone: string, after: Date): Date | undefined {
  if (timeZone === 'UTC' || isOfEachHour(cron))
    return new Cron(cron, { timezone: timeZone }).nextRun(after) ?? undefined;
  const times = new Cron(cron, { timezone: 'UTC' });
  const aDayBefore = new Date(after.getTime() - dayMs);
  const now = localIn(after, timeZone);
  // Clocks have gone forward in the day before: a time that was skipped may come now, after later ones.
  const hasShifted = +localIn(aDayBefore, timeZone) + dayMs < +now;
  let first: Date | undefined;
  const from = new Date((hasShifted ? +now - dayMs : +now) - 1_000);
  for (let time = times.nextRun(from); time; time = times.nextRun(time)) {
    // No later time can come before it.
    if (first && time > localIn(first, timeZone)) break;
    const moment = momentIn(time, timeZone);
    if (moment > after && !(first && first <= moment)) first = moment;
  }
  return first;
}

/** Counts the slots after `due` up to `now`, at most `atMost`. They collapse into one firing. */
export function missedSlots(rule: Rule, due: Date, now: Date, atMost = 1_000): number {
  let missed = 0;
  for (let slot = nextSlot(rule, due, due); slot && slot <= now && missed < atMost; missed++)
    slot = nextSlot(rule, due, slot);
  return missed;
}
