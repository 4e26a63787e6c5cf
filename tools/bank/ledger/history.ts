import type { Transaction } from './account';
import { draw } from './draw';
import { type Loan, monthlyPaymentCents, paymentDay } from './loan';

// Generates a plausible year of a customer's account, which depends only on the customer and the time. One transaction of at most 100
// rows stores it, so there is only one food purchase in 18 days.

const days = 365;
const dayMs = 86_400_000;

interface Habit {
  counterparty: readonly string[];
  purpose: string;
  /** A day of each month, or an interval in days. */
  on: { day: number } | { every: number };
  cents: readonly [from: number, to: number];
  /** Whether the amount is the same every time. */
  fixed?: true;
}

const habits: Habit[] = [
  {
    counterparty: ['Northwind Logistics', 'Harbour Clinic', 'Bright & Sons'],
    purpose: 'Salary',
    on: { day: 25 },
    cents: [300_000, 450_000],
    fixed: true,
  },
  {
    counterparty: ['Riverside Homes', 'Old Town Lettings'],
    purpose: 'Rent',
    on: { day: 1 },
    cents: [-120_000, -80_000],
    fixed: true,
  },
  {
    counterparty: ['Own savings account'],
    purpose: 'Savings',
    on: { day: 26 },
    cents: [-80_000, -40_000],
    fixed: true,
  },
  { counterparty: ['City Power and Water'], purpose: 'Utilities', on: { day: 8 }, cents: [-15_000, -8_000] },
  {
    counterparty: ['Greenfield Market', 'Corner Bakery'],
    purpose: 'Food',
    on: { every: 18 },
    cents: [-12_000, -3_000],
  },
  {
    counterparty: ['Oak Furniture', 'Blue Whale Books', 'Summit Sports', 'Trattoria Rosa'],
    purpose: 'Shopping',
    on: { every: 45 },
    cents: [-20_000, -2_000],
  },
];

/** Generates the transactions of the year before `now`, oldest first, and an opening balance with which it never falls below zero. */
export function generatedHistory(
  customer: string,
  loans: Loan[],
  now: Date,
): { openingCents: number; transactions: Transaction[] } {
  const repaid = loans.filter(({ decision }) => decision === 'approved').map(repayment);
  const transactions = [...habits, ...repaid]
    .flatMap((habit) => occurrences(customer, habit, now))
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  let sum = 0;
  let lowest = 0;
  for (const { amountCents } of transactions) {
    sum += amountCents;
    lowest = Math.min(lowest, sum);
  }
  return { openingCents: draw(`${customer} opening`, 300_000, 600_000) - lowest, transactions };
}

const repayment = (loan: Loan): Habit & { since: string } => {
  const payment = -monthlyPaymentCents(loan);
  return {
    counterparty: ['The bank'],
    purpose: `Loan ${loan.id}: ${loan.purpose}`,
    since: loan.decidedAt,
    on: { day: paymentDay },
    cents: [payment, payment],
    fixed: true,
  };
};

function occurrences(customer: string, habit: Habit & { since?: string }, now: Date): Transaction[] {
  const { counterparty, purpose, on, cents, fixed, since = '' } = habit;
  const made: Transaction[] = [];
  for (let ago = days; ago >= 1; ago--) {
    const date = new Date(now.getTime() - ago * dayMs);
    if ('day' in on ? date.getUTCDate() !== on.day : ago % on.every !== 0) continue;
    const at = date.toISOString();
    if (at < since) continue;
    const drawn = (what: string, from: number, to: number) =>
      draw(`${customer} ${purpose} ${what} ${fixed ? '' : made.length}`, from, to);
    const amountCents = drawn('cents', cents[0], cents[1]);
    made.push({ at, amountCents, counterparty: counterparty[drawn('name', 0, counterparty.length - 1)]!, purpose });
  }
  return made;
}
