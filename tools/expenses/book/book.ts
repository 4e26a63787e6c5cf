import { joined, type Source } from '../../../core/base/content/sources';
import type { ToolContext } from '../../../core/conversations/agent/tool';
import { readRows } from '../../../core/conversations/store/table';
import type { RowWrite } from '../../../core/conversations/store/write';
import { Expense, Report } from './expense';
import { inMoney } from './money';

/**
 * The expenses of a conversation are rows of its partition, so they expire with it. The book's own row has a version: every change is
 * conditional on the version that was read, so what was checked against the other expenses holds when it is written.
 */
export interface Book {
  version: number;
  /** All that are not removed, by date. */
  expenses: Expense[];
  reports: Report[];
}

const sk = {
  book: 'EXPENSES',
  expense: (id: string) => `EXPENSE#${id}`,
  report: (callId: string) => `EXPENSES#REPORT#${callId}`,
};

export const mostExpenses = 1_000;

export async function readBook({
  table,
  conversationId,
}: Pick<ToolContext, 'table' | 'conversationId'>): Promise<Book> {
  const rows = (await readRows(table, conversationId, 'EXPENSE', 'EXPENSE~')) as { sk: string; version?: number }[];
  const under = (prefix: string) => rows.filter((row) => row.sk.startsWith(prefix));
  return {
    version: rows.find((row) => row.sk === sk.book)?.version ?? 0,
    expenses: under(sk.expense(''))
      .map((row) => Expense.parse(row))
      .filter(({ removed }) => !removed)
      .sort((one, other) => (one.date + one.notedAt < other.date + other.notedAt ? -1 : 1)),
    reports: under(sk.report('')).map((row) => Report.parse(row)),
  };
}

/** Returns the write of the book's own row, which fails if the book has changed since it was read. */
const unchanged = ({ version }: Book): RowWrite =>
  version === 0
    ? { sk: sk.book, put: { version: 1 }, onlyIf: 'absent' }
    : { sk: sk.book, set: {}, onlyIf: { version } };

export const added = (book: Book, put: Expense): RowWrite[] => [
  unchanged(book),
  { sk: sk.expense(put.id), put, onlyIf: 'absent' },
];

export const changed = (book: Book, { id, version }: Expense, set: Partial<Expense>): RowWrite[] => [
  unchanged(book),
  { sk: sk.expense(id), set, onlyIf: { version } },
];

export const reported = (book: Book, callId: string, put: Report): RowWrite[] => [
  unchanged(book),
  { sk: sk.report(callId), put, onlyIf: 'absent' },
];

/** Returns the report that an expense is in. */
export const reportOf = ({ reports }: Book, { id }: Expense): Report | undefined =>
  reports.find(({ expenses }) => expenses.includes(id));

/** Returns the expenses that are in no report, until a day. */
export function openExpenses(book: Book, through?: string): Expense[] {
  const done = new Set(book.reports.flatMap(({ expenses }) => expenses));
  return book.expenses.filter(({ id, date }) => !done.has(id) && (through === undefined || date <= through));
}

/** The sum of some expenses in one currency. */
export interface Total {
  currency: string;
  units: number;
  expenses: Expense[];
}

export function totals(expenses: readonly Expense[]): Total[] {
  const currencies = [...new Set(expenses.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const own = expenses.filter((one) => one.currency === currency);
    return { currency, units: own.reduce((sum, { units }) => sum + units, 0), expenses: own };
  });
}

/** Describes an expense on one line. */
export const inWords = ({ date, merchant, units, currency, category }: Omit<Expense, 'version' | 'id' | 'notedAt'>) =>
  `${date} ${merchant} (${category}): ${inMoney(units, currency)}`;

export const sourcesIn = (expenses: readonly Pick<Expense, 'sources'>[]): Source[] =>
  joined(...expenses.map(({ sources }) => sources)) ?? [];
