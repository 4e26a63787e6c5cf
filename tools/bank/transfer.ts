import * as z from 'zod';
import { defineTool, type ToolContext, tableEffect } from '../../core/agent/tool';
import { serveTool } from '../../runtime/serve-tool';
import { inMoney } from './ledger/money';
import { accountOf } from './ledger/store';
import { nameOf, type Order, receiverOf, reversalRows, transferRows } from './ledger/transfers';

/** A larger transfer needs approval. */
const withoutApprovalCents = 50_000;
const maxCents = 100_000_000;

const Input = z.object({
  to: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .describe("Another customer's account number, or the name of someone outside the bank, as the user gave it"),
  amount_cents: z.number().int().positive().max(maxCents).describe('The amount in cents: 900 dollars are 90000'),
  purpose: z.string().trim().max(140).describe("What it is for, in the user's words; empty if they did not say"),
});

export const transfer = defineTool({
  name: 'transfer',
  description:
    "Moves money from the signed-in customer's account to someone else, at once. Above $500.00 the user is asked to approve it first; do not ask them yourself. It cannot take money from any other account.",
  input: Input,
  output: z.object({
    moved_cents: z.number().int(),
    to: z.string(),
    balance_cents: z.number().int(),
    text: z.string(),
  }),
  effect: 'table',
  timeoutSeconds: 10,
  approval: {
    when: ({ amount_cents }) => amount_cents > withoutApprovalCents,
    prompt: ({ to, amount_cents, purpose }) =>
      `Transfer ${inMoney(amount_cents)} to ${nameOf(to)}?${purpose && ` Purpose: ${purpose}`}`,
    fallback: 'Nobody approved the transfer within a week, so no money was moved.',
  },
  async execute(input, context) {
    const { table, user, now } = context;
    const order = orderOf(input, context);
    const sender = await accountOf(table, user, now);
    const receiver = await receiverOf(table, order);
    const rows = transferRows(order, sender, receiver, now);
    const left = sender.balanceCents - order.cents;
    const text = `${inMoney(order.cents)} moved to ${receiver.name}; ${inMoney(left)} left.`;
    return tableEffect({
      output: { moved_cents: order.cents, to: receiver.name, balance_cents: left, text },
      rows,
    });
  },
  // Without an output, nothing has moved, because the money and the call's completion are one transaction.
  async compensate(input, output, context) {
    if (!output) return;
    const { table, user, now } = context;
    const order = orderOf(input, context);
    const [sender, receiver] = await Promise.all([accountOf(table, user, now), receiverOf(table, order)]);
    return tableEffect({ output: undefined, rows: reversalRows(order, sender, receiver, now) });
  },
});

const orderOf = ({ to, amount_cents, purpose }: z.infer<typeof Input>, { user, callId }: ToolContext): Order => ({
  customer: user,
  to,
  cents: amount_cents,
  purpose: purpose || 'Transfer',
  callId,
});

export const handler = serveTool(transfer);
