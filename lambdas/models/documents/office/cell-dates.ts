/** The formats of dates and times that every table has, by their numbers in ECMA-376 (part 1, 18.8.30). */
const builtIn: readonly [first: number, last: number][] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];

/** What a format shows a number as: `duration` counts hours beyond a day, as time sheets do. */
export type DateKind = 'date' | 'duration';
const formatOfDuration = 46;

/** Returns what a format shows a number as, if it is neither a number nor text. Words, colours and literal characters are no part of it. */
export function dateKind(id: number, code?: string): DateKind | undefined {
  if (code === undefined) {
    if (id === formatOfDuration) return 'duration';
    return builtIn.some(([first, last]) => id >= first && id <= last) ? 'date' : undefined;
  }
  const plain = code.replace(/"[^"]*"|\\.|[_*]./g, '');
  if (/\[(?:h+|m+|s+)\]/i.test(plain)) return 'duration';
  return /[ymdhs]/i.test(plain.replace(/\[[^\]]*\]/g, '').replace(/General/gi, '')) ? 'date' : undefined;
}

/** Returns days as hours, minutes and seconds: 1.5 is `36:00:00`. */
export function durationOf(value: string): string {
  const days = Number(value);
  if (!(Math.abs(days) <= lastDay)) return value;
  const seconds = Math.round(Math.abs(days) * 86_400);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${days < 0 ? '-' : ''}${parts.map((part) => String(part).padStart(2, '0')).join(':')}`;
}

/** The days from the first day of a calendar of tables to 1 January 1970. */
const daysBefore1970 = { from1900: 25_569, from1904: 24_107 };
/** 31 December 9999. */
const lastDay = 2_958_465;

/** Returns a number of a table as a date, a time of day or both. The calendar that begins in 1900 has a day too many before March of that year. */
export function dateOf(value: string, from1904: boolean): string {
  const days = Number(value);
  if (!(days >= 0 && days <= lastDay)) return value;
  const seconds = Math.round((days - (from1904 ? daysBefore1970.from1904 : daysBefore1970.from1900)) * 86_400);
  const [date, time] = new Date(seconds * 1_000).toISOString().split(/[T.]/);
  if (days < 1) return time!;
  return time === '00:00:00' ? date! : `${date} ${time}`;
}
