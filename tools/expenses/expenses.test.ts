import { receiptsAgent } from '../../agents/receipts-agent';
import type { MarkedEffect } from '../../core/conversations/agent/table-effect';
import type { FunctionTool } from '../../core/conversations/agent/tool';
import { neededAfterUntrusted } from '../../core/conversations/decisions/provenance';
import { storedFile } from '../../core/conversations/files/stored-file';
import { callFiles } from '../../core/conversations/files/tool-files';
import { beginUpload, completeUpload } from '../../core/conversations/files/upload';
import { createConversation } from '../../core/conversations/runs/conversation';
import { RowConflict, write } from '../../core/conversations/store/table';
import { bundled } from '../../test/support/clouds/bundled';
import { digestOf, memoryFileStore } from '../../test/support/memory-file-store';
import { tableOfTests } from '../../test/support/tables/table';
import { totals } from './book/book';
import { cell, csvOf } from './book/csv';
import type { Expense } from './book/expense';
import { inMoney } from './book/money';
import { correctExpense } from './correct-expense';
import { expenseReport } from './expense-report';
import { listExpenses } from './list-expenses';
import { noteExpense } from './note-expense';

const table = tableOfTests();
const store = memoryFileStore();
const most = { file: 100_000, day: 1_000_000, all: 5_000_000 };
const now = new Date('2026-04-01T08:00:00.000Z');
const lunch = { date: '2026-03-02', merchant: 'Café Luna', amount_cents: 1240, currency: 'EUR', category: 'meals' };

let calls = 0;
let conversations = 0;
const someConversation = () => `expenses${++conversations}`;

/** Calls a tool as `runTool` does: what it returns is written under its conditions, or the tool is run again. */
async function called<Output>(tool: object, id: string, input: object, given: object = {}): Promise<Output> {
  const { execute, ...definition } = tool as FunctionTool;
  const args = definition.input.parse(input);
  const files = callFiles(store, { table, conversationId: id, user: 'ada', most, now });
  const context = { table, conversationId: id, user: 'ada', callId: `c${++calls}`, now, files, sources: [], ...given };
  for (;;) {
    const { output, rows = [] } = (await execute(args, context as never)) as MarkedEffect<Output>;
    try {
      if (rows.length === 0 || (await write(table, id, rows))) return output;
    } catch (error) {
      if (!(error instanceof RowConflict)) throw error;
    }
  }
}
type Noted = { expense_id: string };
const note = (id: string, more: object = {}, given?: object) =>
  called<Noted>(noteExpense, id, { ...lunch, ...more }, given);
const list = (id: string) =>
  called<{ expenses: { text: string }[]; totals: object[]; reports: object[] }>(listExpenses, id, {});
const report = (id: string, total: string, expenses: number, given?: object) =>
  called<{ report: { id: string } }>(expenseReport, id, { through: '2026-03-31', total, expenses }, given);

/** A conversation with a file. */
async function withFile(id: string, text: string): Promise<string> {
  const bytes = Buffer.from(text);
  const announced = { size: bytes.length, mediaType: 'text/plain', sha256: digestOf(bytes) };
  const row = await beginUpload({ table, store }, 'ada', announced, most, now);
  await store.write(storedFile(row), bytes);
  await completeUpload({ table, store, typeOf: async () => undefined }, 'ada', row.id, now);
  const parts = [{ type: 'file' as const, id: row.id }];
  await createConversation(table, { id, user: 'ada', agent: 'receipts', text: '', parts }, now);
  return row.id;
}

describe('expenses (R218)', () => {
  test('are noted, listed with a total for each currency, corrected and taken out', async () => {
    const id = someConversation();
    const { expense_id } = await note(id);
    await note(id, { merchant: 'Taxi', amount_cents: 900, currency: 'JPY', category: 'travel' });
    const taken = await note(id, { merchant: 'Cinema' });
    await called(correctExpense, id, { expense_id: taken.expense_id, remove: true });
    expect(await called(correctExpense, id, { expense_id, amount_cents: 1340 })).toEqual({
      ...{ before: '2026-03-02 Café Luna (meals): 12.40 EUR', after: '2026-03-02 Café Luna (meals): 13.40 EUR' },
    });
    expect(await list(id)).toMatchObject({
      expenses: [{ text: expect.stringContaining('13.40 EUR') }, { text: '2026-03-02 Taxi (travel): 900 JPY' }],
      totals: [
        { total: '13.40 EUR', expenses: 1 },
        { total: '900 JPY', expenses: 1 },
      ],
    });
    await expect(called(correctExpense, id, { expense_id })).rejects.toThrow('Say what is to be corrected.');
    const gone = called(correctExpense, id, { expense_id: taken.expense_id, amount_cents: 1 });
    await expect(gone).rejects.toThrow('There is no expense');
  });

  test('that may be noted already need a person, also beside each other; no answer of the model can say so for them', async () => {
    const id = someConversation();
    const file = await withFile(id, 'a receipt');
    const both = await Promise.allSettled([note(id, { file }), note(id, { file, merchant: 'Other' })]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { name: 'NeedsApproval', message: expect.stringContaining('noted already: 2026-03-02') },
    });
    // Another photo of the same receipt has other bytes.
    const other = someConversation();
    await note(other);
    await expect(note(other, { merchant: 'CAFÉ LUNA' })).rejects.toMatchObject({ name: 'NeedsApproval' });
    await note(other, {}, { approved: true });
    expect((await list(other)).expenses).toHaveLength(2);
  });

  test('keep to the files of their conversation, to days that have come and to currencies that exist', async () => {
    const file = await withFile(someConversation(), 'of another conversation');
    const id = someConversation();
    await expect(note(id, { file })).rejects.toMatchObject({
      ...{ name: 'TellModel', message: `The conversation has no file ${file}.` },
    });
    await expect(note(id, { date: '2062-03-02' })).rejects.toThrow('in the future');
    expect(noteExpense.check!({ ...lunch, currency: 'EUX' } as never, [])).toBe(
      'EUX is no currency: use a code like EUR.',
    );
    expect(noteExpense.input.safeParse({ ...lunch, amount_cents: 12.4 }).success).toBe(false);
  });
});

describe('a report (R218)', () => {
  test('has what a person approved and nothing else, and each expense is in one report only', async () => {
    const id = someConversation();
    const { expense_id } = await note(id);
    await note(id, { date: '2026-04-01', merchant: 'Later' });
    await expect(report(id, '12.41 EUR', 1)).rejects.toThrow('is 1 expense, 12.40 EUR in all');
    await expect(report(id, '12.40 EUR', 2)).rejects.toThrow('not what was approved');
    await expect(report(id, '12.40 USD', 1)).rejects.toThrow('No expense in USD');
    const both = await Promise.allSettled([report(id, '12.40 EUR', 1), report(id, '12.40 EUR', 1)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const listed = await list(id);
    expect(listed.expenses).toMatchObject([{ text: expect.stringContaining('Later') }]);
    expect(listed.reports).toHaveLength(1);
    const late = called(correctExpense, id, { expense_id, amount_cents: 1 });
    await expect(late).rejects.toThrow('is in a report');
  });

  test('is a PDF if it is called so, and a CSV if it was approved before there was a choice', async () => {
    // Its fonts are files that the bundler reads.
    const { exports, remove } = bundled<typeof import('./book/pdf')>('tools/expenses/book/pdf.ts');
    jest.doMock('./book/pdf', () => exports);
    const id = someConversation();
    await note(id);
    const input = { through: '2026-03-31', total: '12.40 EUR', expenses: 1 };
    expect(expenseReport.input.parse(input)).toEqual(input);
    const made = await called(expenseReport, id, { ...input, format: 'pdf' });
    remove();
    expect(made).toMatchObject({
      report: { mediaType: 'application/pdf', filename: 'expenses-2026-03-31-EUR.pdf' },
      text: '12.40 EUR in 1 expense, until 2026-03-31.',
    });
    await note(id, { date: '2026-03-03' });
    const next = await called(expenseReport, id, input);
    expect(next).toMatchObject({ report: { mediaType: 'text/csv', filename: 'expenses-2026-03-31-EUR.csv' } });
  });

  test('takes as many expenses as a conversation has, in one commit', async () => {
    const id = someConversation();
    for (let some = 0; some < 120; some++) await note(id, { merchant: `Shop ${some}` });
    await report(id, '1488.00 EUR', 120);
    expect((await list(id)).expenses).toEqual([]);
  });

  test('always waits for its owner, and what a file says moves nothing out without that', () => {
    const read = { sources: ['file' as const], quotes: () => false, callsSinceUser: () => 0 };
    const needs = receiptsAgent.tools.flatMap((tool) =>
      tool.kind === 'function' ? [[tool.name, neededAfterUntrusted(tool, {}, read)]] : [],
    );
    expect(Object.fromEntries(needs)).toEqual({
      ...{ current_time: 'allow', note_expense: 'allow', correct_expense: 'allow', list_expenses: 'allow' },
      expense_report: 'approve',
    });
    expect(expenseReport.approval!.when({} as never)).toBe(true);
    expect(expenseReport.approval!.approvers).toBeUndefined();
  });
});

describe('a report’s CSV (R218)', () => {
  test.each([
    ['=HYPERLINK("https://evil.example")', `"'=HYPERLINK(""https://evil.example"")"`],
    ['+1', `"'+1"`],
    ['-1', `"'-1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['\tx', `"'\tx"`],
    ['\r=1', `"'\r=1"`],
    ['  =1', `"'  =1"`],
    ['＝1', `"'＝1"`],
    ['Smith, "Joe"', '"Smith, ""Joe"""'],
    ['two\nlines', '"two\nlines"'],
    ['a-b=c', 'a-b=c'],
    ['Café', 'Café'],
  ])('shows %j as text', (text, written) => expect(cell(text)).toBe(written));

  test('has a row for each expense, and their sum', () => {
    const expense = (merchant: string, units: number): Expense => ({
      ...{ version: 1, id: 'c', date: '2026-03-02', merchant, units, currency: 'EUR', category: 'meals' },
      notedAt: now.toISOString(),
    });
    const [sum] = totals([expense('=1+1', 5), expense('Café Luna', 1_240)]);
    expect(csvOf(sum!)).toBe(
      [
        '\uFEFFDate,Merchant,Category,Amount,Currency,Receipt',
        `2026-03-02,"'=1+1",meals,0.05,EUR,`,
        '2026-03-02,Café Luna,meals,12.40,EUR,',
        'Total,,,12.45,EUR,',
        '',
      ].join('\r\n'),
    );
  });

  test.each([
    [5, 'EUR', '0.05 EUR'],
    [900, 'JPY', '900 JPY'],
    [1_240, 'KWD', '1.240 KWD'],
    [100_000_000_000, 'USD', '1000000000.00 USD'],
  ])('%d of %s is %s', (units, currency, text) => expect(inMoney(units, currency)).toBe(text));
});
