import * as z from 'zod';
import { defineTool } from '../../core/conversations/agent/tool';
import { serveTool } from '../../runtime/serve-tool';
import { Loan, monthlyPaymentCents, monthsLeft } from './ledger/loan';
import { inMoney } from './ledger/money';
import { accountOf, readLoans } from './ledger/store';

export const getLoans = defineTool({
  name: 'get_loans',
  title: 'Look up loans',
  description:
    "Lists the loans that the signed-in customer has applied for: the decision and its reason and, if approved, the monthly payment and the months left. It makes no decisions and shows no other customer's loans.",
  input: z.object({}),
  output: z.object({
    loans: z.array(
      Loan.pick({ id: true, purpose: true, decision: true, reason: true }).extend({
        amount_cents: z.number().int(),
        monthly_payment_cents: z.number().int().nullable(),
        months_left: z.number().int().nullable(),
        text: z.string(),
      }),
    ),
  }),
  effect: 'read',
  timeoutSeconds: 10,
  needs: { partitions: ['B#', 'NUMBER#'] },
  async execute(_input, { table, user, now }) {
    await accountOf(table, user, now);
    return { loans: (await readLoans(table, user)).map((loan) => shown(loan, now)) };
  },
});

function shown(loan: Loan, now: Date) {
  const { id, purpose, decision, reason, amountCents } = loan;
  const paying = decision === 'approved';
  const payment = paying ? monthlyPaymentCents(loan) : null;
  const left = paying ? monthsLeft(loan, now) : null;
  const terms = payment === null ? '' : ` ${inMoney(payment)} a month, ${left} months left.`;
  return {
    id,
    purpose,
    decision,
    reason,
    amount_cents: amountCents,
    monthly_payment_cents: payment,
    months_left: left,
    text: `${purpose}, ${inMoney(amountCents)}: ${decision}. ${reason}${terms}`,
  };
}

export const handler = serveTool(getLoans);
