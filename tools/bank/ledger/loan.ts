import * as z from 'zod';
import { draw } from './draw';

export const Loan = z.object({
  id: z.string(),
  purpose: z.string(),
  amountCents: z.number().int(),
  /** Hundredths of a percent a year. */
  rateBasisPoints: z.number().int(),
  months: z.number().int(),
  decision: z.enum(['approved', 'declined', 'in review']),
  reason: z.string(),
  decidedAt: z.iso.datetime(),
});
export type Loan = z.infer<typeof Loan>;

/** Loans are paid back on this day of each month after the decision. */
export const paymentDay = 15;
const dayMs = 86_400_000;

/** Returns the monthly payment of an annuity loan. The last payment may differ by some cents. */
export function monthlyPaymentCents({ amountCents, rateBasisPoints, months }: Loan): number {
  const rate = rateBasisPoints / 120_000;
  return Math.round(rate === 0 ? amountCents / months : (amountCents * rate) / (1 - (1 + rate) ** -months));
}

/** Returns the number of remaining payments of an approved loan, by the calendar. */
export function monthsLeft({ decidedAt, months }: Loan, now: Date): number {
  const paid = paymentDays(now) - paymentDays(new Date(decidedAt));
  return Math.min(months, Math.max(0, months - paid));
}

/** Counts payment days since an arbitrary epoch. */
const paymentDays = (at: Date): number =>
  at.getUTCFullYear() * 12 + at.getUTCMonth() + (at.getUTCDate() >= paymentDay ? 1 : 0);

const purposes = ['Car', 'Kitchen', 'Electric bicycle', 'Solar panels', 'Further education', 'Moving house'];
const decisions = [
  ['approved', 'Your income covers the payments, and you have always paid on time.'],
  ['declined', 'With the loan that you have, the payments would exceed a third of your income.'],
  ['in review', 'We are waiting for the proof of income that we asked you for.'],
] as const;

/** Generates one to three loans that a customer has applied for. The first one is approved and being paid back. */
export function generatedLoans(customer: string, now: Date): Loan[] {
  const of = (loan: number, what: string, from: number, to: number) =>
    draw(`${customer} loan ${loan} ${what}`, from, to);
  const first = of(0, 'purpose', 0, purposes.length - 1);
  return decisions.slice(0, of(0, 'count', 1, decisions.length)).map(([decision, reason], index) => ({
    id: String(index + 1),
    purpose: purposes[(first + index) % purposes.length]!,
    amountCents: of(index, 'amount', 50, 200) * 10_000,
    rateBasisPoints: of(index, 'rate', 290, 790),
    months: of(index, 'months', 2, 5) * 12,
    decision,
    reason,
    // The approved loan is the oldest, but never fully paid back.
    decidedAt: new Date(now.getTime() - of(index, 'days', 20, index === 0 ? 600 : 90) * dayMs).toISOString(),
  }));
}
