import { format } from 'numfmt';
import { dateKind, dateOf, durationOf } from './cell-dates';

/** How a cell shows a number: as a date, a duration, or by a code such as `0.0%`. */
export type CellFormat = 'date' | 'duration' | { code: string };

/** The codes that every table has, by their numbers in ECMA-376 (part 1, 18.8.30). Those of dates are not among them. */
const builtIn: Record<number, string> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  37: '#,##0;(#,##0)',
  38: '#,##0;(#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;(#,##0.00)',
  48: '##0.0E+0',
};

/** Returns the format of a style; undefined for one that shows a number as it is. */
export function formatOf(id: number, code?: string): CellFormat | undefined {
  const kind = dateKind(id, code);
  if (kind) return kind;
  const known = code ?? builtIn[id];
  return known === undefined || /^(?:general|@)$/i.test(known) ? undefined : { code: known };
}

/** The digits that Excel keeps. It stores more: 19.99 as 19.989999999999998. */
const digits = 15;

/** Returns a number as its cell shows it, with a point before decimals. A format that hides it, or that nobody knows, leaves it as it is. */
export function shownNumber(value: string, shown: CellFormat | undefined, from1904: boolean): string {
  if (shown === 'duration') return durationOf(value);
  if (shown === 'date') return dateOf(value, from1904);
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) return value;
  const plain = String(Number(number.toPrecision(digits)))
    .toUpperCase()
    .replace(/E([+-])(\d)$/, 'E$10$2');
  if (!shown) return plain;
  try {
    // The currency of a country does not change the point.
    const code = shown.code
      .replace(/\[\$([^\]-]*)-[^\]]*\]/g, '[$$$1]')
      .replaceAll('[$]', '')
      // Fills the cell with a character.
      .replace(/("[^"]*"|\\.|_.)|\*(.)/g, (_, kept?: string, fill?: string) => kept ?? (fill === ' ' ? '\\ ' : ''));
    const text = format(code, number, { throws: true }).trim();
    return text === '' || /#{3}/.test(text) ? plain : text;
  } catch {
    return plain;
  }
}
