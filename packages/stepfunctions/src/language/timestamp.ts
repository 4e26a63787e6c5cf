/** RFC 3339 as the States Language profiles it: an upper-case T, seconds, and a zone that is always given. */
const profile = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)(?:Z|([+-])(\d\d):(\d\d))$/;
/** Matches what Java's ISO_OFFSET_DATE_TIME reads: letters of either case, and seconds and their digits may be missing. */
const offsetDateTime =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{0,9}))?)?(?:Z|([+-])(\d\d):(\d\d)(?::(\d\d))?)$/i;

/** "from -18:00 to +18:00", in seconds */
const furthestZone = 18 * 3600;

/** Milliseconds since the epoch, with fractions; undefined for what is no timestamp of the States Language's profile. */
export const parseTimestamp = (text: string): number | undefined => timeOf(profile.exec(text));

/** As `parseTimestamp`, for the times that a Wait state computes, which AWS reads more freely. */
export const parseOffsetDateTime = (text: string): number | undefined => timeOf(offsetDateTime.exec(text));

function timeOf(match: RegExpExecArray | null): number | undefined {
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second = 0] = match
    .slice(1, 7)
    .map((part) => part && Number(part)) as number[];
  const [fraction, sign, hours, minutes, seconds] = match.slice(7);
  const zone = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  if (hour! > 23 || minute! > 59 || second > 59 || Number(minutes ?? 0) > 59 || zone > furthestZone) return undefined;
  if (month! < 1 || month! > 12 || day! < 1 || day! > daysOf(year!, month!)) return undefined;
  const whole = new Date(0).setUTCFullYear(year!, month! - 1, day!) + hour! * 3_600_000 + minute! * 60_000;
  const shift = (sign === '-' ? -zone : zone) * 1000;
  return whole + second * 1000 - shift + Number(`0.${fraction || 0}`) * 1000;
}

const daysOf = (year: number, month: number): number => new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();

export const formatTimestamp = (time: number): string => new Date(time).toISOString();
