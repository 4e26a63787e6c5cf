import { Cron } from 'croner';
import * as z from 'zod';
import { isTimeZone } from './time-zone';

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
  if (offset) return new Date(local + offset);
  const seconds = local.length === 'YYYY-MM-DDTHH:MM'.length ? ':00' : '';
  const pattern = local.replace(/\.\d+$/, '') + seconds;
  return new Cron(pattern, { timezone: zone }).nextRun(new Date('0001-01-01'))!;
}
