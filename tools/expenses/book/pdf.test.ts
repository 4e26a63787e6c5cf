import { documentReader } from '../../../lambdas/models/document-text';
import { mediaTypeOf } from '../../../runtime/file-type';
import { bundled } from '../../../test/support/clouds/bundled';
import { bundledReader } from '../../../test/support/document-reader';
import { totals } from './book';
import type { Expense } from './expense';

describe('a report’s PDF (R218)', () => {
  const { exports, remove } = bundled<typeof import('./pdf')>('tools/expenses/book/pdf.ts');
  afterAll(remove);
  const read = documentReader({ file: bundledReader() });
  const expense = (merchant: string, units = 1_240, currency = 'EUR'): Expense => ({
    ...{ version: 1, id: 'c', date: '2026-03-02', merchant, units, currency, category: 'meals' },
    notedAt: '2026-03-02T10:00:00.000Z',
  });
  const pdfOf = (...expenses: Expense[]) => exports.pdfOf(totals(expenses)[0]!, '2026-03-31');
  async function textOf(...expenses: Expense[]) {
    const bytes = await pdfOf(...expenses);
    const answer = await read(`f_${bytes.length}`, 'pdf', bytes);
    return 'text' in answer ? answer : { text: answer.problem, pages: 0 };
  }

  test('has a row for each expense, their sum and the pages’ numbers', async () => {
    const { text, pages } = await textOf(expense('Café Luna'), expense('Taxi', 5));
    expect(pages).toBe(1);
    expect(text.replace(/\s+/g, ' ')).toBe(
      'Expense report until 2026-03-31 2 expenses in EUR Date Merchant Category Amount (EUR) ' +
        '2026-03-02 Café Luna meals 12.40 2026-03-02 Taxi meals 0.05 Total 12.45 EUR Page 1 of 1',
    );
  });

  test('has as many pages as it needs, each with its heading and number, and no row on two of them', async () => {
    const long = 'A shop with a name that needs more than one line of the table, as some of them do';
    const { text, pages = 0 } = await textOf(...Array.from({ length: 100 }, (_, at) => expense(`${long} ${at}.`)));
    expect(pages).toBeGreaterThan(3);
    expect(text.match(/Amount \(EUR\)/g)).toHaveLength(pages);
    for (let number = 1; number <= pages; number++) expect(text).toContain(`Page ${number} of ${pages}`);
    expect(text.match(/12\.40/g)).toHaveLength(100);
    expect(text).toContain('1240.00 EUR');
    const last = (page: string) => page.trim().split('\n').slice(-4).join(' ');
    for (const page of text.split('\n\n').slice(0, -1)) expect(last(page)).toMatch(/\d+\.\s+meals\s+12\.40\s+Page/);
  });

  test('has the letters of Latin, Greek and Cyrillic; others are replaced, and none stops it', async () => {
    const known = 'Żółć Ñandú Straße Ψαρόταβερνα Кафе';
    expect((await textOf(expense(known))).text).toContain(known);
    const decomposed = 'Cafe\u0301';
    expect((await textOf(expense(decomposed))).text).toContain('Café');
    expect((await textOf(expense('日本 a 👩‍👩‍👧 b \ud83d'))).text.replace(/\s+/g, ' ')).toContain('�� a � b �');
    expect((await textOf(expense('شاي'), expense('\u202eevil'))).pages).toBe(1);
  });

  test('is the same bytes for the same expenses, at any time, and has no script', async () => {
    jest.useFakeTimers({ now: new Date('2027-01-01T00:00:00Z'), doNotFake: ['nextTick', 'setImmediate'] });
    const first = await pdfOf(expense('Café Luna'));
    jest.setSystemTime(new Date('2031-05-05T05:05:05Z'));
    const second = await pdfOf(expense('Café Luna'));
    jest.useRealTimers();
    expect(second.equals(first)).toBe(true);
    expect(await mediaTypeOf(first)).toBe('application/pdf');
    expect((await pdfOf(expense('Café Lina'))).equals(first)).toBe(false);
    expect(first.toString('latin1')).not.toMatch(/\/(?:JavaScript|JS|OpenAction|AA|Launch|URI)\b/);
  });

  test.each([
    ['JPY', '900'],
    ['KWD', '0.900'],
  ])('writes amounts of %s as they are written: %s', async (currency, digits) => {
    expect((await textOf(expense('Shop', 900, currency))).text.replace(/\s+/g, ' ')).toContain(
      `Total ${digits} ${currency}`,
    );
  });
});
