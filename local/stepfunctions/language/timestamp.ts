/** RFC 3339 as the States Language profiles it: an upper-case T, and a zone that is always given. */
const pattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

/** Milliseconds since the epoch, with fractions; undefined for what is no timestamp of that profile. */
export function parseTimestamp(text: string): number | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const whole = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  // Date.parse takes 30 February for 1 March.
  if (Number.isNaN(whole) || Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate())
    return undefined;
  return whole + (fraction === undefined ? 0 : Number(`0.${fraction}`) * 1000);
}

export const formatTimestamp = (time: number): string => new Date(time).toISOString();
