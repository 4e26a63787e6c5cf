import { clip } from '../../../core/base/text/clip';
import type { Sample } from './samples';

/** An expense, as its user tells it. */
export type Told = Pick<Sample, 'merchant' | 'date' | 'category' | 'currency'> & { cents: number };

const longestMerchant = 100;
const money = /(\d+)(?:[.,](\d\d))? ?([A-Z]{3})\b/;
const isoDate = /\b\d{4}-\d\d-\d\d\b/;
const place = /\b(?:at|to) (?!\d)([\p{L}\d][^,.;]*?)(?= (?:for|on|yesterday|today)\b|[,.;]|$)/u;
const kinds: [RegExp, Told['category']][] = [
  [/\b(?:lunch|dinner|breakfast|caf[eé]|coffee|restaurant)(?!\p{L})/iu, 'meals'],
  [/\b(?:hotel|hostel|room|night)\b/i, 'lodging'],
  [/\b(?:taxi|train|bus|flight|ticket|fuel|parking)\b/i, 'travel'],
  [/\b(?:paper|pens?|notebook|printer|stationer)\b/i, 'office'],
];

/**
 * Reads "Taxi Nord, 2026-03-06, 23.50 EUR", and "I paid 12.40 EUR at Café Luna for lunch yesterday".
 *
 * @param now the day of an expense without a date, or of "yesterday".
 */
export function toldIn(words: string, now?: Date): Told | undefined {
  const [paid, whole, part = '00', currency] = money.exec(words) ?? [];
  const date = isoDate.exec(words)?.[0] ?? (now && dayIn(words, now));
  const merchant =
    place.exec(words)?.[1] ??
    words
      .split(',')
      .map((one) => one.trim())
      .find((one) => /\p{L}/u.test(one) && !money.test(one) && !isoDate.test(one));
  if (!paid || !date || !merchant || !currency || !Intl.supportedValuesOf('currency').includes(currency))
    return undefined;
  const category = kinds.find(([form]) => form.test(words))?.[1] ?? 'other';
  return {
    merchant: clip(merchant.trim(), { characters: longestMerchant }),
    date,
    cents: units(`${whole}.${part}`, currency),
    currency,
    category,
  };
}

/** Yesterday if that is said, or else today. */
const dayIn = (words: string, now: Date): string =>
  new Date(+now - (/\byesterday\b/i.test(words) ? 86_400_000 : 0)).toISOString().slice(0, 10);

/** Yen have no smaller unit. */
const units = (amount: string, currency: string): number => {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  return Math.round(Number(amount) * 10 ** maximumFractionDigits!);
};
