import { decimalsOf, digitsOf } from 'vigil-client/shared';
import { locale, ownLanguage } from '../languages/locale';

/** A number, or its decimal digits: an amount may have more of them than a number keeps. */
type Amount = number | `${number}`;

const formats = new Map<string, Intl.NumberFormat>();

/** Returns a format, which is kept: a list uses the same one for each of its rows, and it is slow to make. */
function formatIn(tag: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify([tag, options]);
  const format = formats.get(key) ?? new Intl.NumberFormat(tag, options);
  formats.set(key, format);
  return format;
}

const exactly = (digits: number) => ({ minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Returns a number as the reader writes it. @param decimals how many it has; without them, as many as it needs. */
export const numeral = (value: number, decimals?: number): string =>
  formatIn(locale(), decimals === undefined ? { maximumFractionDigits: 20 } : exactly(decimals)).format(value);

const signIn = (tag: string, currency: string): string =>
  formatIn(tag, { style: 'currency', currency })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')!.value;

/** Returns the sign of a currency. English readers see that of the server, whose notifications are in English. */
export const currencySign = (currency: string): string => signIn(ownLanguage() === 'en' ? 'en' : locale(), currency);

/** Whether the sign stands behind the amount. */
export function isSignLast(currency: string): boolean {
  const parts = formatIn(locale(), { style: 'currency', currency }).formatToParts(0);
  return parts.at(-1)!.type === 'currency';
}

/** Returns an amount in the reader's notation. @param decimals how many it has, if not those of its currency. */
export const inCurrency = (amount: Amount, currency: string, decimals = decimalsOf(currency)): string =>
  formatIn(locale(), { style: 'currency', currency, ...exactly(decimals) })
    .formatToParts(amount as number)
    .map(({ type, value }) => (type === 'currency' ? currencySign(currency) : value))
    .join('');

/** Returns an amount of a currency's smallest unit as people write it: 90000 of `USD` is `$900.00`, or `900,00 $`. */
export const money = (units: number, currency: string): string => inCurrency(digitsOf(units, currency), currency);

/** Returns an amount of a currency's smallest unit as the content of a field. */
export const moneyTyped = (units: number, currency: string): string => typedNumber(digitsOf(units, currency), currency);

/** Returns an amount that the server has drawn, in English, in the reader's notation; another text as it is. */
export function localMoney(text: string, currency: string): string {
  const [, minus = '', sign = '', whole = '', decimals = ''] =
    /^(-?)([^\d-]+)(\d{1,3}(?:,\d{3})*)(?:\.(\d+))?$/.exec(text) ?? [];
  if (sign.trim() !== signIn('en', currency) || decimals.length !== decimalsOf(currency)) return text;
  return inCurrency(`${minus}${whole.replaceAll(',', '')}.${decimals || 0}` as `${number}`, currency);
}

/** How the reader writes numbers: the sign before decimals, and the numbers that they may type. */
interface Notation {
  decimal: string;
  group: RegExp;
  pattern: RegExp;
}

/** In some regions, amounts of money have other signs than other numbers. */
function notationOf(currency?: string): Notation {
  const style = currency ? ({ style: 'currency', currency } as const) : {};
  const parts = formatIn(locale(), { ...style, ...exactly(1), useGrouping: 'always' }).formatToParts(1_234_567_890.5);
  const partOf = (one: Intl.NumberFormatPartTypes) => parts.find(({ type }) => type === one)!.value;
  const decimal = partOf('decimal');
  const group = `[${typedAs(partOf('group'))}]`;
  const sizes = parts.filter(({ type }) => type === 'integer').map(({ value }) => value.length);
  // In India, only the last group has three digits.
  const [size, last] = [sizes[1]!, sizes.at(-1)!];
  const grouped = `\\d{1,${size}}(?:${group}\\d{${size}})*${group}\\d{${last}}`;
  return {
    decimal,
    group: new RegExp(group, 'g'),
    pattern: new RegExp(`^-?(?:\\d+|${grouped})(?:[${decimal}]\\d+)?$`),
  };
}

/** Keyboards have no thin space and no curved apostrophe. */
const typedAs = (group: string): string => (/\s/.test(group) ? '\\s' : /['’]/.test(group) ? "'’" : group);

/**
 * Reads a number that a person has typed, in the notation of their locale. Any other notation could mean another number.
 *
 * @returns its digits with a point before decimals; undefined if it is none.
 */
export function readNumber(text: string, currency?: string): string | undefined {
  const { decimal, group, pattern } = notationOf(currency);
  return pattern.test(text) ? text.replace(group, '').replace(decimal, '.') : undefined;
}

/** Returns digits with a point before decimals as the content of a field, which `readNumber` reads back. */
export const typedNumber = (digits: string, currency?: string): string =>
  digits.replace('.', notationOf(currency).decimal);

/** Returns an amount as an example of the notation: `1,234.50`. */
export const exampleOf = (currency: string): string =>
  formatIn(locale(), { style: 'currency', currency, useGrouping: 'always', ...exactly(decimalsOf(currency)) })
    .formatToParts(1_234.5)
    .filter(({ type }) => ['integer', 'group', 'decimal', 'fraction'].includes(type))
    .map(({ value }) => value)
    .join('');
