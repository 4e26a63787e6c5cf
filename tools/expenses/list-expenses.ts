import * as z from 'zod';
import { withSources } from '../../core/conversations/agent/table-effect';
import { defineTool } from '../../core/conversations/agent/tool';
import { serveTool } from '../../runtime/serve-tool';
import { inWords, openExpenses, readBook, sourcesIn, totals } from './book/book';
import { inMoney } from './book/money';

export const listExpenses = defineTool({
  name: 'list_expenses',
  title: 'Look up expenses',
  description:
    'Lists the noted expenses that are in no report yet, with a total for each currency, and the reports that were made. It changes nothing.',
  input: z.object({
    through: z.iso.date().optional().describe('The last day of the expenses to list'),
  }),
  output: z.object({
    expenses: z.array(z.object({ expense_id: z.string(), text: z.string(), file: z.string().optional() })),
    totals: z.array(z.object({ total: z.string(), expenses: z.number().int() })),
    reports: z.array(z.object({ made_at: z.iso.datetime(), through: z.string(), total: z.string() })),
  }),
  effect: 'read',
  timeoutSeconds: 10,
  async execute({ through }, context) {
    const book = await readBook(context);
    const open = openExpenses(book, through);
    return withSources(
      {
        expenses: open.map(({ id, file, ...one }) => ({
          ...{ expense_id: id, text: inWords(one) },
          ...(file && { file }),
        })),
        totals: totals(open).map(({ units, currency, expenses }) => ({
          total: inMoney(units, currency),
          expenses: expenses.length,
        })),
        reports: book.reports.map(({ at, through: until, units, currency }) => ({
          ...{ made_at: at, through: until, total: inMoney(units, currency) },
        })),
      },
      sourcesIn(open),
    );
  },
});

export const handler = serveTool(listExpenses);
