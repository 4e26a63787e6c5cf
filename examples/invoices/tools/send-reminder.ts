import { defineTool, serveTool, TellModel, ToolFailed } from 'vigil';
import * as z from 'zod';
import { callInvoiceApi, Invoice } from './invoice-api';

export const sendReminder = defineTool({
  name: 'send_reminder',
  title: 'Send a payment reminder',
  description: 'Mails the customer of an overdue invoice a reminder. It does not change the invoice.',
  input: z.object({
    invoice: z
      .string()
      .regex(/^[\w-]+$/)
      .describe('Its number, as list_overdue_invoices tells it, such as 2030-17'),
    cents: z.int().positive().describe('What is open, in cents, as list_overdue_invoices tells it'),
  }),
  output: z.object({ sent: z.boolean() }),
  // The mail server knows no idempotency keys: better no mail than two.
  effect: 'once',
  source: 'none',
  needs: { secrets: ['INVOICES_API_KEY'], variables: ['INVOICES_URL', 'MAIL_URL'] },
  // No word of a stranger can change the mail: the address and the sum are those of the invoice, the text is fixed.
  afterUntrusted: () => 'allow',
  approval: {
    when: ({ cents }) => cents > 100_000,
    prompt: 'Remind the customer of invoice {invoice}, of which {cents} is open?',
    money: { cents: 'EUR' },
    approvers: { group: 'finance' },
    excludesOwner: true,
    expiresInSeconds: 5 * 86_400,
    fallback: 'Nobody of finance decided within five days, so no reminder was sent.',
  },
  async execute({ invoice, cents }, context) {
    const { email, ...asked } = Invoice.parse(await callInvoiceApi(`/invoices/${invoice}`, context));
    // The sum decides about the approval, so it must be the true one.
    if (asked.cents !== cents) throw new TellModel(`${asked.cents} cents are open of ${invoice}, not ${cents}.`);
    const response = await fetch(`${context.variables.MAIL_URL}/mails`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ to: email, subject: `Invoice ${invoice}`, text: `It was due on ${asked.due}.` }),
    });
    // It says that it has not sent the mail, so another attempt may.
    if (response.status === 503) throw new ToolFailed('The mail server is busy.');
    if (!response.ok) throw new Error(`The mail server answered ${response.status}.`);
    return { sent: true };
  },
});

export const handler = serveTool(sendReminder);
