import * as z from 'zod';
import { TellModel } from '../../core/base/text/errors';
import { tableEffect } from '../../core/conversations/agent/table-effect';
import { defineTool } from '../../core/conversations/agent/tool';
import { fileOutput } from '../../core/conversations/files/tool-files';
import { serveTool } from '../../runtime/serve-tool';
import { openExpenses, readBook, reported, sourcesIn, type Total, totals } from './book/book';
import { csvOf } from './book/csv';
import { currencyProblem, inMoney } from './book/money';

export const expenseReport = defineTool({
  name: 'expense_report',
  title: 'Make an expense report',
  description:
    'Makes one report of the noted expenses in one currency until a day, as a CSV or PDF file. Take the total and the number from list_expenses. ' +
    'The user is asked to approve it; do not ask them yourself. It sends the report to nobody.',
  input: z.object({
    through: z.iso.date().describe('The last day of the expenses in the report'),
    // The sum is what a person approves, so it is in the arguments, and `execute` makes no report with another one.
    total: z
      .string()
      .regex(/^\d{1,15}(?:\.\d{1,4})? [A-Z]{3}$/)
      .describe('The sum with its currency, as list_expenses tells it: for example "57.80 EUR"'),
    expenses: z.int().positive().describe('How many expenses are in the report'),
    // Without a default: what was approved before this argument existed has another digest with one.
    format: z.enum(['csv', 'pdf']).optional().describe('"csv" for a program for tables, which is usual, or "pdf"'),
  }),
  output: z.object({ report: fileOutput, text: z.string() }),
  effect: 'table',
  timeoutSeconds: 30,
  needs: { files: true },
  // The package that writes PDFs could fetch, and nothing asks it to.
  source: 'none',
  approval: {
    // It is what others pay by, and its words may come from receipts that strangers wrote.
    when: () => true,
    prompt: 'Make an expense report of {total} until {through}?',
    fallback: 'Nobody approved the report within a week, so it was not made. The expenses are still noted.',
  },
  check: ({ total }) => currencyProblem(currencyOf(total)),
  async execute({ through, total, expenses: count, format = 'csv' }, context) {
    const { callId, now, files } = context;
    const book = await readBook(context);
    const currency = currencyOf(total);
    const sum = totals(openExpenses(book, through)).find((one) => one.currency === currency);
    if (!sum) throw new TellModel(`No expense in ${currency} until ${through} is left to report.`);
    const { expenses, units } = sum;
    if (inMoney(units, currency) !== total || expenses.length !== count)
      throw new TellModel(
        `What is noted until ${through} is ${inWords(expenses.length)}, ${inMoney(units, currency)} in all: not what was ` +
          'approved. Call list_expenses, and call this again with the total that it tells.',
      );
    const sources = sourcesIn(expenses);
    const written = await files.write({
      ...(format === 'pdf' ? await asPdf(sum, through) : { bytes: Buffer.from(csvOf(sum)), mediaType: 'text/csv' }),
      filename: `expenses-${through}-${currency}.${format}`,
    });
    // The words of receipts are their writers' also in what a person has approved.
    const report = { ...written, ...(sources.length > 0 && { sources }) };
    return tableEffect({
      output: { report, text: `${total} in ${inWords(count)}, until ${through}.` },
      // The expenses are reported with the call or not at all. A file without a call is swept.
      rows: reported(book, callId, {
        ...{ at: now.toISOString(), through, currency, units, expenses: expenses.map(({ id }) => id) },
      }),
      sources,
    });
  },
});

/** What makes it is large, and loaded when it is needed. */
async function asPdf(sum: Total, through: string) {
  const { pdfOf } = await import('./book/pdf');
  return { bytes: await pdfOf(sum, through), mediaType: 'application/pdf' };
}

const inWords = (count: number): string => `${count} ${count === 1 ? 'expense' : 'expenses'}`;
// ASCII.
const currencyOf = (total: string): string => total.slice(-3);

export const handler = serveTool(expenseReport);
