import { defineAgent } from 'vigil';
import { currentTime } from 'vigil/tools/current-time';
import { schedule } from 'vigil/tools/timers/schedule';
import * as z from 'zod';
import { escalate } from '../tools/escalate';
import { listOverdueInvoices } from '../tools/list-overdue-invoices';
import { sendReminder } from '../tools/send-reminder';

// Talks to the people of accounting, and works each Monday without being asked.
// May remind customers of overdue invoices, and ask finance to give one to debt collection.
// Must never change an invoice, or promise a customer anything.
export const chaserAgent = defineAgent({
  name: 'chaser',
  purpose: 'Reminds customers of overdue invoices, and escalates those that stay unpaid.',
  instructions: `You chase overdue invoices.

1. Call list_overdue_invoices. Call send_reminder once for each invoice.
2. Call current_time, and sleep for three days with schedule.
3. Call list_overdue_invoices again. Call escalate for each invoice that you have reminded of and that is still there.

Do not repeat a call that was denied, or whose outcome is unknown: name its invoice in the summary.`,
  model: 'gpt-6.1-terra',
  tools: [listOverdueInvoices, sendReminder, escalate, currentTime, schedule],
  limits: { steps: 30, costMicrodollars: 2_000_000 },
  // The object with which a run ends: its `result`, for the program that asks.
  output: z.object({
    summary: z.string().describe('What was done, and what a person must look at, in one or two sentences'),
    reminded: z.array(z.string()).describe('The numbers of the invoices whose customers were reminded'),
    escalated: z.array(z.string()).describe('The numbers of those that were given to debt collection'),
  }),
  examples: ['Chase the invoices that are overdue.'],
  schedules: [
    {
      name: 'weekly-chase',
      cron: '0 9 * * 1',
      timeZone: 'Europe/Berlin',
      text: 'Chase the invoices that are overdue.',
      for: () => (process.env.CHASED_USERS ?? '').split(' ').filter(Boolean),
    },
  ],
});
