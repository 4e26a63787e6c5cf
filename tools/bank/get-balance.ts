import * as z from 'zod';
import { defineTool } from '../../core/conversations/agent/tool';
import { serveTool } from '../../runtime/serve-tool';
import { grouped } from './ledger/account';
import { inMoney } from './ledger/money';
import { accountOf } from './ledger/store';

export const getBalance = defineTool({
  name: 'get_balance',
  title: 'Look up the balance',
  description: "Returns the balance and the number of the signed-in customer's account. It shows no other account.",
  input: z.object({}),
  output: z.object({ account_number: z.string(), balance_cents: z.number().int(), text: z.string() }),
  effect: 'read',
  timeoutSeconds: 10,
  needs: { partitions: ['B#', 'NUMBER#'] },
  async execute(_input, { table, user, now }) {
    const { number, balanceCents } = await accountOf(table, user, now);
    const text = `Account ${grouped(number)}: ${inMoney(balanceCents)}`;
    return { account_number: number, balance_cents: balanceCents, text };
  },
});

export const handler = serveTool(getBalance);
