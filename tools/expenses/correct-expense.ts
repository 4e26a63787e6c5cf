import * as z from 'zod';
import { joined } from '../../core/base/content/sources';
import { TellModel } from '../../core/base/text/errors';
import { tableEffect } from '../../core/conversations/agent/table-effect';
import { defineTool } from '../../core/conversations/agent/tool';
import { serveTool } from '../../runtime/serve-tool';
import { changed, inWords, readBook, reportOf } from './book/book';
import { noted } from './book/expense';
import { currencyProblem } from './book/money';

const { date, merchant, amount_cents, currency, category } = noted;
const optional = <Field extends z.ZodType>(field: Field) => field.optional().describe(field.description!);

export const correctExpense = defineTool({
  name: 'correct_expense',
  title: 'Correct an expense',
  description:
    'Corrects a noted expense, or takes it out, when the user says so. Fields that are left out stay. It cannot change what is in a report.',
  input: z.object({
    expense_id: z.string().min(1).max(200).describe('Its id, from note_expense or list_expenses'),
    ...{ date: optional(date), merchant: optional(merchant), amount_cents: optional(amount_cents) },
    ...{ currency: optional(currency), category: optional(category) },
    remove: z.boolean().optional().describe('True to take the expense out'),
  }),
  output: z.object({ before: z.string(), after: z.string() }),
  effect: 'table',
  timeoutSeconds: 10,
  // It changes the user's own list, and the result shows how. The report, with its sum, needs an approval.
  afterUntrusted: () => 'allow',
  check: (input) => currencyProblem(input.currency),
  async execute({ expense_id, remove, amount_cents: units, ...fields }, context) {
    const book = await readBook(context);
    const expense = book.expenses.find(({ id }) => id === expense_id);
    if (!expense) throw new TellModel(`There is no expense ${expense_id}. Call list_expenses.`);
    if (reportOf(book, expense)) throw new TellModel('This expense is in a report, so it cannot be changed.');
    const set = { ...fields, ...(units !== undefined && { units }) };
    if (!remove && Object.keys(set).length === 0) throw new TellModel('Say what is to be corrected.');
    const sources = joined(expense.sources, context.sources);
    return tableEffect({
      output: { before: inWords(expense), after: remove ? 'Taken out.' : inWords({ ...expense, ...set }) },
      rows: changed(book, expense, remove ? { removed: true } : { ...set, sources }),
      sources: sources ?? [],
    });
  },
});

export const handler = serveTool(correctExpense);
