import * as z from 'zod';
import { NeedsApproval, TellModel } from '../../core/base/text/errors';
import { tableEffect } from '../../core/conversations/agent/table-effect';
import { defineTool, type ToolContext } from '../../core/conversations/agent/tool';
import { readOpenFile } from '../../core/conversations/files/references';
import { fileInput } from '../../core/conversations/files/tool-files';
import { serveTool } from '../../runtime/serve-tool';
import { added, type Book, inWords, mostExpenses, readBook } from './book/book';
import { type Expense, noted } from './book/expense';
import { currencyProblem } from './book/money';

const receipt = 'The receipt, if there is one';

export const noteExpense = defineTool({
  name: 'note_expense',
  title: 'Note an expense',
  description:
    'Notes one expense of the user for the next report. If it may be noted already, the user is asked whether it is another purchase; do ' +
    'not ask them yourself. It reports nothing and changes no other expense.',
  input: z.object({ ...noted, file: fileInput(receipt).optional().describe(`${receipt}: its id, f_…`) }),
  output: z.object({ expense_id: z.string(), text: z.string() }),
  effect: 'table',
  timeoutSeconds: 10,
  needs: { files: true },
  // It adds to the user's own list, which stays in the conversation. What leaves it, the report, needs an approval.
  afterUntrusted: () => 'allow',
  check: ({ currency }) => currencyProblem(currency),
  async execute({ amount_cents: units, file, ...rest }, context) {
    const { callId, now, sources } = context;
    if (Date.parse(rest.date) > now.getTime() + dayMs)
      throw new TellModel(`${rest.date} is in the future. Read the date again, or ask the user.`);
    if (file) await checkFile(file, context);
    const book = await readBook(context);
    if (book.expenses.length >= mostExpenses)
      throw new TellModel(`A conversation has at most ${mostExpenses} expenses. The user must begin another one.`);
    const expense: Expense = {
      ...{ version: 1, id: callId, ...rest, units, notedAt: now.toISOString() },
      ...(file && { file }),
      ...(sources.length > 0 && { sources }),
    };
    const same = sameAs(book, expense);
    if (same && !context.approved)
      throw new NeedsApproval(`This is noted already: ${inWords(same)}. Approve it only if it is another purchase.`);
    return tableEffect({ output: { expense_id: callId, text: inWords(expense) }, rows: added(book, expense), sources });
  },
  // No `compensate`: a run may last for weeks, and whoever stops it does not want its notes undone.
});

/** A receipt from a place where it is tomorrow already is not in the future. */
const dayMs = 86_400_000;

async function checkFile(id: string, { table, user, conversationId }: ToolContext): Promise<void> {
  await readOpenFile(table, { owner: user, conversationId }, id).catch((error: Error) => {
    throw error.name === 'NotFound' ? new TellModel(error.message) : error;
  });
}

/** Returns an expense with the same receipt, or with the same day, amount and merchant: a second photo has other bytes. */
const sameAs = ({ expenses }: Book, { file, date, units, currency, merchant }: Expense): Expense | undefined =>
  expenses.find(
    (one) =>
      (file !== undefined && one.file === file) ||
      (one.date === date &&
        one.units === units &&
        one.currency === currency &&
        one.merchant.toLowerCase() === merchant.toLowerCase()),
  );

export const handler = serveTool(noteExpense);
