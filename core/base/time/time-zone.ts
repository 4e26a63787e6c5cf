// core/base/time: time zones, durations and rules of recurrence.

import * as z from 'zod';

/** The locale of a user: their time zone, as an IANA name, and their language, as a BCP 47 tag. */
export const Locale = z.object({
  timeZone: z.string().max(60).refine(isTimeZone, 'use an IANA time zone such as Europe/Berlin').optional(),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/, 'use a BCP 47 tag such as de-CH')
    .optional(),
});
export type Locale = z.infer<typeof Locale>;

export const localeOf = ({ timeZone, language }: Locale): Locale => ({ timeZone, language });

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    // Offsets such as +01:00 are no zones: they do not know summer time.
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

/**
 * Returns a moment in a zone, as RFC 9557: `2026-03-01T09:00:00+01:00[Europe/Berlin]`. In UTC, and without a zone:
 * `2026-03-01T08:00:00.000Z`.
 */
export function inZone(at: Date | string, timeZone = 'UTC'): string {
  const moment = new Date(at);
  if (timeZone === 'UTC') return moment.toISOString();
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const offset = parts.timeZoneName!.slice('GMT'.length) || '+00:00';
  const day = `${parts.year!.padStart(4, '0')}-${parts.month}-${parts.day}`;
  return `${day}T${parts.hour}:${parts.minute}:${parts.second}${offset}[${timeZone}]`;
}
