import { nextSlot } from '../time/schedule';
import { inZone } from '../time/time-zone';
import type { QuietHours } from './settings';

/** Returns when the quiet hours end that this moment is in; undefined if it is in none. */
export function quietUntil(hours: QuietHours | undefined, timeZone: string | undefined, now: Date): Date | undefined {
  if (!hours) return undefined;
  const { from, to } = hours;
  const [, clock = ''] = /T(\d\d:\d\d)/.exec(inZone(now, timeZone)) ?? [];
  const isQuiet = from < to ? from <= clock && clock < to : from <= clock || clock < to;
  if (!isQuiet) return undefined;
  const [hour, minute] = to.split(':').map(Number);
  return nextSlot({ cron: `${minute} ${hour} * * *`, timeZone }, now, now);
}
