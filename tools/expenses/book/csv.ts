import type { Total } from './book';
import { inDigits } from './money';

/** Excel reads a file without this mark in the language of the machine. */
const byteOrderMark = '\uFEFF';

/**
 * What a program for tables takes for a formula, which may open an address or run a command. Full-width signs count, and spaces before a sign
 * do not help.
 */
const formula = /^[\s\u00a0]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/** Returns a cell: text that looks like a formula is shown as text, and what would end the cell is quoted (RFC 4180). */
export function cell(text: string): string {
  const plain = formula.test(text) ? `'${text}` : text;
  return /[",\r\n;\t']|^\s|\s$/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** Returns the report of one currency: a row for each expense, and their sum. */
export function csvOf({ currency, units, expenses }: Total): string {
  const rows = [
    ['Date', 'Merchant', 'Category', 'Amount', 'Currency', 'Receipt'],
    ...expenses.map((one) => [
      ...[one.date, one.merchant, one.category, inDigits(one.units, currency), currency],
      one.file ?? '',
    ]),
    ['Total', '', '', inDigits(units, currency), currency, ''],
  ];
  return `${byteOrderMark}${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}
