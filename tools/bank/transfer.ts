import * as z from 'zod';
import { tableEffect } from '../../core/conversations/agent/table-effect';
import { defineTool, type ToolContext } from '../../core/conversations/agent/tool';
import { serveTool } from '../../runtime/serve-tool';
import { numberIn } from './ledger/account';
import { allowance, checkAllowance } from './ledger/allowance';
import { inMoney } from './ledger/money';
import { accountOf, heldBy } from './ledger/store';
import { type Order, receiverOf, reversalRows, transferRows } from './ledger/transfers';

const maxCents = 100_000_000;

const Input = z.object({
  to: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .regex(/^\P{C}*$/u, 'has characters that cannot be seen')
    .describe("Another customer's account number, or the name of someone outside the bank, as the user gave it")
    .meta({ title: 'Receiver' }),
  amount_cents: z
    .number()
    .int()
    .positive()
    .max(maxCents)
    .describe('The amount in cents: 900 dollars are 90000')
    .meta({ title: 'Amount' }),
  purpose: z
    .string()
    .trim()
    .max(140)
    .describe("What it is for, in the user's words; empty if they did not say")
    .meta({ title: 'Purpose' }),
});

export const transfer = defineTool({
  name: 'transfer',
  title: 'Send money',
  description:
    "Moves money from the signed-in customer's account to someone else, at once. For larger amounts and new receivers the user is asked to approve it first; do not ask them yourself. It cannot take money from any other account.",
  input: Input,
  output: z.object({
    moved_cents: z.number().int(),
    to: z.string(),
    balance_cents: z.number().int(),
    text: z.string(),
    at: z.iso.datetime(),
  }),
  effect: 'table',
  timeoutSeconds: 10,
  needs: { partitions: ['B#', 'P#', 'NUMBER#'] },
  approval: {
    when: ({ amount_cents }) => amount_cents > allowance.atOnce,
    prompt: ['Send {amount_cents} to {to} for {purpose}?', 'Send {amount_cents} to {to}?'],
    money: { amount_cents: 'USD' },
    // The rent every month, without being asked each time.
    standing: { mayDiffer: ['purpose'], mostCalls: 12, mostDays: 90 },
    kinds: ({ to }) => ({ to: numberIn(to) ? 'account number' : 'outside the bank' }),
    fallback: 'Nobody approved the transfer within a week, so no money was moved.',
  },
  async execute(input, context) {
    const { table, user, now } = context;
    const order = orderOf(input, context);
    const sender = await accountOf(table, user, now);
    const receiver = await receiverOf(table, order);
    if (sender.balanceCents >= order.cents && !order.approved)
      await checkAllowance(table, order, sender, receiver, now);
    const rows = transferRows(order, sender, receiver, now);
    const left = sender.balanceCents - order.cents;
    const text = `${inMoney(order.cents)} moved to ${receiver.name}; ${inMoney(left)} left.`;
    return tableEffect({
      output: { moved_cents: order.cents, to: receiver.name, balance_cents: left, text, at: now.toISOString() },
      rows,
    });
  },
  // Without an output, nothing has moved, because the money and the call's completion are one transaction.
  async compensate(input, output, context) {
    if (!output) return;
    const { table, user, now } = context;
    const order = orderOf(input, context);
    const [sender, receiver] = await Promise.all([accountOf(table, user, now), receiverOf(table, order)]);
    const held = await heldBy(table, receiver.pk);
    const rows = reversalRows(order, sender, receiver, { held, madeAt: output.at, now });
    return tableEffect({ output: undefined, rows });
  },
});

const orderOf = (
  { to, amount_cents, purpose }: z.infer<typeof Input>,
  { user, callId, runId, approved }: ToolContext,
): Order => ({
  customer: user,
  to,
  cents: amount_cents,
  purpose: purpose || 'Transfer',
  callId,
  runId,
  approved,
});

export const handler = serveTool(transfer);
