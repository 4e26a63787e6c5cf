import * as z from 'zod';
import { draw } from './draw';

// The bank has partitions of its own in Vigil's table: one for each customer, and one for each payee of a customer outside the bank, so
// that transfers never create or lose money. A customer's rows are:
//
//     ACCOUNT          the balance; its `version` fences outgoing transfers, and every transfer increments it
//     TX#<time>#<id>   a transaction
//     LOAN#<id>        a loan application
//     PAID#<receiver>  the customer has paid this receiver before
//
// `NUMBER#<account number>` has the customer of an account number.
export const bankKey = {
  customer: (customer: string) => `B#${customer}`,
  /** The customer's id is encoded, because it may contain `#`, and payees of different customers must not mix. */
  payee: (customer: string, name: string) => `P#${encodeURIComponent(customer)}#${nameKey(name)}`,
  number: (number: string) => `NUMBER#${number}`,
  account: 'ACCOUNT',
  owner: 'OWNER',
  transaction: (at: string, id: string) => `TX#${at}#${id}`,
  loan: (id: string) => `LOAN#${id}`,
  /** @param receiver the receiver's partition. */
  paid: (receiver: string) => `PAID#${receiver}`,
};

export const Account = z.object({
  number: z.string(),
  balanceCents: z.number().int(),
  /** The balance before the first transaction. */
  openingCents: z.number().int(),
  openedAt: z.iso.datetime(),
  version: z.number().int(),
});
export type Account = z.infer<typeof Account>;

export const Transaction = z.object({
  at: z.iso.datetime(),
  /** Negative for outgoing money. */
  amountCents: z.number().int(),
  /** The other side: a name or an account number. */
  counterparty: z.string(),
  purpose: z.string(),
  /** The transfer's call. */
  callId: z.string().optional(),
  /** Whether a person approved the transfer. */
  approved: z.boolean().optional(),
});
export type Transaction = z.infer<typeof Transaction>;

const numberDigits = 12;

/** Derives an account number, which reveals nothing about the customer. The first free one is used. */
export const accountNumber = (customer: string, attempt: number): string =>
  String(draw(`${customer} account number ${attempt}`, 10 ** (numberDigits - 1), 10 ** numberDigits - 1));

/** Returns the account number in a text: digits, perhaps in groups. Anything else is a payee's name. */
export function numberIn(text: string): string | undefined {
  const digits = text.replace(/[\s-]/g, '');
  return /^\d+$/.test(digits) ? digits : undefined;
}

export const grouped = (number: string): string => number.replace(/\d{4}(?=\d)/g, '$& ');

/** Normalizes a payee's name. "Ada", " ada " and "ADA" are the same payee. */
export const tidyName = (name: string): string => name.normalize('NFKC').trim().replace(/\s+/g, ' ');
const nameKey = (name: string): string => tidyName(name).toLowerCase();
