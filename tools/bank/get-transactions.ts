import * as z from 'zod';
import { withSources } from '../../core/conversations/agent/table-effect';
import { defineTool } from '../../core/conversations/agent/tool';
import { serveTool } from '../../runtime/serve-tool';
import type { Transaction } from './ledger/account';
import { inMoney } from './ledger/money';
import { accountOf, readTransactions } from './ledger/store';

export const getTransactions = defineTool({
  name: 'get_transactions',
  title: 'Look up transactions',
  description:
    "Lists the last transactions of the signed-in customer's account, newest first. It shows no other account. The sender of a payment " +
    'wrote its purpose.',
  input: z.object({
    limit: z.number().int().min(1).max(50).nullable().describe('How many, from 1 to 50; null for the last 10'),
  }),
  output: z.object({
    transactions: z.array(z.object({ at: z.iso.datetime(), amount_cents: z.number().int(), text: z.string() })),
  }),
  effect: 'read',
  timeoutSeconds: 10,
  needs: { partitions: ['B#', 'NUMBER#'] },
  async execute({ limit }, { table, user, now }) {
    await accountOf(table, user, now);
    const transactions = await readTransactions(table, user, limit ?? 10);
    const shown = transactions.map(({ at, amountCents, counterparty, purpose }) => ({
      at,
      amount_cents: amountCents,
      text: `${inMoney(amountCents)} ${amountCents < 0 ? 'to' : 'from'} ${counterparty}: ${purpose}`,
    }));
    return withSources({ transactions: shown }, transactions.some(isOfAnother) ? ['person'] : undefined);
  },
});

/** Whether another customer wrote the purpose. */
const isOfAnother = ({ amountCents, callId }: Transaction): boolean => amountCents > 0 && callId !== undefined;

export const handler = serveTool(getTransactions);
