import * as z from 'zod';
import { FileId } from '../../../core/base/content/parts';
import { Source } from '../../../core/base/content/sources';

export const categories = ['travel', 'lodging', 'meals', 'office', 'other'] as const;
const mostUnits = 100_000_000;

/** What is noted of an expense, as tools take it. */
export const noted = {
  date: z.iso.date().describe('The day of the purchase'),
  merchant: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .regex(/^\P{C}*$/u, 'has characters that cannot be seen')
    .describe('Who was paid'),
  amount_cents: z
    .int()
    .positive()
    .max(mostUnits)
    .describe('The total in the smallest unit of the currency: 12.40 EUR are 1240, 900 JPY are 900'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .describe('The code of the currency, for example EUR'),
  category: z.enum(categories).describe('What kind of expense it is'),
};

/** An expense of a conversation. */
export const Expense = z.object({
  version: z.number().int(),
  id: z.string(),
  date: z.string(),
  merchant: z.string(),
  units: z.number().int(),
  currency: z.string(),
  category: z.enum(categories),
  /** The receipt. */
  file: FileId.optional(),
  /** The outside sources of its words: a receipt's are its merchant's. */
  sources: z.array(Source).optional(),
  notedAt: z.iso.datetime(),
  /** The user has taken it out. */
  removed: z.literal(true).optional(),
});
export type Expense = z.infer<typeof Expense>;

/** A report, which has its expenses: each is in one report only. */
export const Report = z.object({
  at: z.iso.datetime(),
  through: z.string(),
  currency: z.string(),
  units: z.number().int(),
  expenses: z.array(z.string()),
});
export type Report = z.infer<typeof Report>;
