import * as z from 'zod';
import { inZone, isTimeZone } from './time-zone';

const form = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?(?:\[([\w/+-]+)\])?$/;

interface Parts {
  /** `2026-03-01T09:00`, with or without seconds. */
  local: string;
  offset?: string;
  zone?: string;
}

function partsOf(text: string): Parts | undefined {
  const [, local, offset, zone] = form.exec(text) ?? [];
  // 30 February would become 2 March.
  const isReal = local && new Date(`${local}Z`).toJSON()?.startsWith(local);
  return isReal && (zone === undefined || isTimeZone(zone)) ? { local, offset, zone } : undefined;
}

/** ISO 8601 or RFC 9557: a time with an offset, with a time zone, or local. */
export const Time = z
  .string()
  .max(80)
  .refine(
    (text) => partsOf(text) !== undefined,
    'is not a time: write it like 2026-03-01T09:00, or in another time zone like 2026-03-01T09:00[Asia/Tokyo]',
  );

/**
 * Returns the moment of a `Time`. Without an offset or a zone of its own it is local in `timeZone`. As with cron expressions, a local
 * time that is skipped in spring is an hour later by the clock, and of one that exists twice it is the first.
 */
export function momentOf(time: string, timeZone: string): Date {
  const { local, offset, zone = timeZone } = partsOf(time)!;
  return offset ? new Date(local + offset) : momentIn(new Date(`${local}Z`), zone);
}

/** Returns the moment of a local time, which is given as if it were in UTC, to the second. */
export function momentIn(local: Date, timeZone: string): Date {
  const clock = Math.floor(local.getTime() / 1_000) * 1_000;
  // A zone changes its offset at most once in two days. One of the two is the offset of this time, or the clock skips it.
  const [before, after] = [-day, day].map((ms) => {
    const near = new Date(clock + ms);
    return new Date(clock - (localIn(near, timeZone).getTime() - near.getTime()));
  }) as [Date, Date];
  const shows = (moment: Date) => localIn(moment, timeZone).getTime() === clock;
  return !shows(before) && shows(after) ? after : before;
}

const day = 86_400_000;

/** Returns the local time of a moment, as if it were in UTC, to the second. */
export const localIn = (moment: Date, timeZone: string): Date =>
  // A time is ASCII.
  timeZone === 'UTC' ? moment : new Date(`${inZone(moment, timeZone).slice(0, 19)}Z`);
