import { defineTool, serveTool } from 'vigil';
import * as z from 'zod';
import { callInvoiceApi, Invoice } from './invoice-api';

export const listOverdueInvoices = defineTool({
  name: 'list_overdue_invoices',
  title: 'Look up overdue invoices',
  description: 'Lists the invoices that are overdue today, with what is open in cents. It sends nothing to customers.',
  input: z.object({}),
  output: z.object({ invoices: z.array(Invoice.omit({ email: true })) }),
  // Has no effect, so an attempt may be repeated.
  effect: 'read',
  // Customers chose their names: these are a stranger's words.
  source: 'system',
  needs: { secrets: ['INVOICES_API_KEY'], variables: ['INVOICES_URL'] },
  // It has no arguments, so nothing that it has read can leave by it.
  afterUntrusted: () => 'allow',
  async execute(_input, context) {
    const invoices = z.array(Invoice).parse(await callInvoiceApi('/overdue', context));
    return { invoices: invoices.map(({ email: _, ...invoice }) => invoice) };
  },
});

export const handler = serveTool(listOverdueInvoices);
