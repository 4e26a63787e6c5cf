type HeaderOf = (name: string) => string | null | undefined;

/** No server means a longer pause, and a later date than this might be none. */
const longestSeconds = 365 * 86_400;

/**
 * Returns until when a server asks not to be asked again (RFC 9110, section 10.2.3); undefined if it does not say. Milliseconds, which some
 * servers give in `retry-after-ms`, come first.
 *
 * @param headers the answer's headers, or what returns one by its name in lower case.
 * @example
 * ```ts
 * import { retryAfter } from 'vigil';
 *
 * const now = new Date('2030-01-07T09:00:00Z');
 * retryAfter(new Headers({ 'retry-after': '90' }), now); // → new Date('2030-01-07T09:01:30Z')
 * retryAfter(new Headers({ 'retry-after': 'Mon, 07 Jan 2030 10:00:00 GMT' }), now); // → new Date('2030-01-07T10:00:00Z')
 * retryAfter(new Headers(), now); // → undefined
 * ```
 */
export function retryAfter(headers: Pick<Headers, 'get'> | HeaderOf, now: Date): Date | undefined {
  const header: HeaderOf = typeof headers === 'function' ? headers : (name) => headers.get(name);
  const seconds =
    numberIn(header('retry-after-ms'), 0.001) ??
    numberIn(header('retry-after')) ??
    secondsUntil(header('retry-after'), header('date'), now);
  return seconds === undefined || seconds <= 0 ? undefined : secondsLater(seconds, now);
}

/** Returns the end of a pause that a server asks for. */
export const secondsLater = (seconds: number, now: Date): Date =>
  new Date(now.getTime() + Math.ceil(Math.min(seconds, longestSeconds) * 1_000));

const numberIn = (text: string | null | undefined, unit = 1): number | undefined =>
  text && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) * unit : undefined;

/** Reads an HTTP date by the server's own clock, if it gives its time. */
function secondsUntil(text: string | null | undefined, date: string | null | undefined, now: Date): number | undefined {
  const until = timeIn(text);
  return until === undefined ? undefined : (until - (timeIn(date) ?? now.getTime())) / 1_000;
}

/** RFC 9110, section 5.6.7. Each form begins with a day of the week; the obsolete one of `asctime` has no zone, and is in UTC. */
function timeIn(text: string | null | undefined): number | undefined {
  if (!text || !/^\s*(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/i.test(text)) return undefined;
  const time = Date.parse(/\b(?:GMT|UTC)\s*$/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}
