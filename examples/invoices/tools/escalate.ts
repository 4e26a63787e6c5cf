import { defineTool, serveTool } from 'vigil';
import * as z from 'zod';
import { callInvoiceApi } from './invoice-api';

export const escalate = defineTool({
  name: 'escalate',
  title: 'Hand over to debt collection',
  description: 'Gives an invoice that is still overdue after a reminder to debt collection. It sends no mail.',
  input: z.object({ invoice: z.string().describe('Its number, such as 2030-17') }),
  output: z.object({ collection: z.string() }),
  // The invoice API knows a repeated attempt by its key.
  effect: 'idempotent',
  source: 'none',
  needs: { secrets: ['INVOICES_API_KEY'], variables: ['INVOICES_URL'] },
  approval: {
    when: () => true,
    prompt: 'Hand invoice {invoice} over to debt collection?',
    approvers: { group: 'finance' },
    excludesOwner: true,
    showsMessages: 5,
  },
  async execute({ invoice }, context) {
    const { callId: key } = context;
    await callInvoiceApi('/collections', context, { key, body: { collection: key, invoice } });
    return { collection: key };
  },
  // A rollback takes it back. The second time changes nothing.
  async compensate(_input, _output, context) {
    const { callId: key } = context;
    await callInvoiceApi('/withdrawals', context, { key, body: { collection: key } });
  },
});

export const handler = serveTool(escalate);
