import { momentOf } from '../../core/base/time/local-time';
import { inZone } from '../../core/base/time/time-zone';
import type { QuietHours } from './notice-settings';

/** Returns when the quiet hours end that this moment is in; undefined if it is in none. */
export function quietUntil(hours: QuietHours | undefined, timeZone: string | undefined, now: Date): Date | undefined {
  if (!hours) return undefined;
  const { from, to } = hours;
  const [, today = '', clock = ''] = /^(.+)T(\d\d:\d\d)/.exec(inZone(now, timeZone)) ?? [];
  const isQuiet = from < to ? from <= clock && clock < to : from <= clock || clock < to;
  if (!isQuiet) return undefined;
  const tomorrow = new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, today.length);
  return [today, tomorrow].map((day) => momentOf(`${day}T${to}`, timeZone ?? 'UTC')).find((moment) => moment > now);
}
