import * as z from 'zod';
import { draw } from './draw';

// The bank lives in Vigil's table, in partitions of its own: one for each customer, and one for each payee of a customer, whose
// account stands for the world outside, so that no transfer makes or loses a cent. Of a customer:
//
//     ACCOUNT          the balance; its `version` fences every transfer out of it, each one into it moves it on
//     TX#<time>#<id>   what came or went
//     LOAN#<id>        a loan that was asked for
//
// `NUMBER#<account number>` says whose account it is.
export const bankKey = {
  customer: (customer: string) => `B#${customer}`,
  /** A customer's id may hold anything; this one's payee is nobody else's. */
  payee: (customer: string, name: string) => `P#${encodeURIComponent(customer)}#${nameKey(name)}`,
  number: (number: string) => `NUMBER#${number}`,
  account: 'ACCOUNT',
  owner: 'OWNER',
  transaction: (at: string, id: string) => `TX#${at}#${id}`,
  loan: (id: string) => `LOAN#${id}`,
};

export const Account = z.object({
  number: z.string(),
  balanceCents: z.number().int(),
  /** Before the first transaction: with all of them it is the balance. */
  openingCents: z.number().int(),
  openedAt: z.iso.datetime(),
  version: z.number().int(),
});
export type Account = z.infer<typeof Account>;

export const Transaction = z.object({
  at: z.iso.datetime(),
  /** Negative when it went out. */
  amountCents: z.number().int(),
  /** Whom it came from or went to: a name, or an account number. */
  counterparty: z.string(),
  purpose: z.string(),
  /** Of the transfer's call, which it is exactly once of. */
  callId: z.string().optional(),
});
export type Transaction = z.infer<typeof Transaction>;

const numberDigits = 12;

/** An account number says nothing about its customer. The first that is free counts. */
export const accountNumber = (customer: string, attempt: number): string =>
  String(draw(`${customer} account number ${attempt}`, 10 ** (numberDigits - 1), 10 ** numberDigits - 1));

/** What people write for an account number: digits, perhaps in groups. Anything else is a payee's name. */
export function numberIn(text: string): string | undefined {
  const digits = text.replace(/[\s-]/g, '');
  return /^\d+$/.test(digits) ? digits : undefined;
}

export const grouped = (number: string): string => number.replace(/\d{4}(?=\d)/g, '$& ');

/** "Ada", " ada " and "ADA" are one payee. */
export const tidyName = (name: string): string => name.normalize('NFKC').trim().replace(/\s+/g, ' ');
const nameKey = (name: string): string => tidyName(name).toLowerCase();
