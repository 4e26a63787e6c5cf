import { booksOf } from '../../../test/support/stories/bank';
import { tableOfTests } from '../../../test/support/tables/table';
import { accountNumber, bankKey, grouped, numberIn } from './account';
import { generatedHistory } from './history';
import { generatedLoans, type Loan, monthlyPaymentCents, monthsLeft } from './loan';
import { accountOf, readTransactions } from './store';

const now = new Date('2030-03-10T12:00:00Z');
const customers = Array.from({ length: 300 }, (_, index) => `customer ${index}`);

test('a generated year adds up, is never overdrawn, ends with enough for a larger transfer, and fits one transaction', () => {
  for (const customer of customers) {
    const loans = generatedLoans(customer, now);
    const { openingCents, transactions } = generatedHistory(customer, loans, now);
    let balance = openingCents;
    // One `expect` for all of them, because 24,000 would cost more than the rest of the test.
    const wrong = transactions.filter(({ amountCents, at }) => {
      balance += amountCents;
      return !(balance >= 0 && at < now.toISOString() && at >= '2029-03-10');
    });
    expect(wrong).toEqual([]);
    expect(balance).toBeGreaterThan(150_000);
    expect(transactions.length + loans.length + 2).toBeLessThanOrEqual(100);
    expect(transactions.length).toBeGreaterThan(60);
    expect(loans.length).toBeGreaterThanOrEqual(1);
    expect(loans.length).toBeLessThanOrEqual(3);
  }
});

test('it is the same for the same customer, and another for another', () => {
  const of = (customer: string) => generatedHistory(customer, generatedLoans(customer, now), now);
  expect(of('ada')).toEqual(of('ada'));
  expect(of('ada').openingCents).not.toBe(of('bob').openingCents);
});

test.each([
  [1_000_000, 600, 36, 30_422],
  [1_200_000, 0, 12, 100_000],
  [2_000_000, 500, 60, 37_742],
])('the monthly payment of %d cents at %d basis points over %d months is %d cents', (amount, rate, months, payment) => {
  const loan = { amountCents: amount, rateBasisPoints: rate, months } as Loan;
  expect(monthlyPaymentCents(loan)).toBe(payment);
});

test.each([
  ['2030-03-14T00:00:00Z', '2030-03-14T23:00:00Z', 24],
  ['2030-03-14T00:00:00Z', '2030-03-15T00:00:00Z', 23],
  ['2030-03-15T00:00:00Z', '2030-04-14T00:00:00Z', 24],
  ['2030-03-15T00:00:00Z', '2031-03-15T00:00:00Z', 12],
  ['2030-03-15T00:00:00Z', '2040-03-15T00:00:00Z', 0],
])('of a loan of %s there are on %s %d months left', (decidedAt, at, left) => {
  expect(monthsLeft({ decidedAt, months: 24 } as Loan, new Date(at))).toBe(left);
});

test('an account number is known by its digits, however they are grouped; all else is a name', () => {
  expect(['1234 5678 9012', '1234-5678-9012', '123456789012'].map(numberIn)).toEqual(Array(3).fill('123456789012'));
  expect(['Ada', 'Ada 2', 'account 1234', ''].map(numberIn)).toEqual(Array(4).fill(undefined));
  expect(grouped('123456789012')).toBe('1234 5678 9012');
});

test('payees of two customers are never one, whatever their ids hold', () => {
  expect(bankKey.payee('a', 'b#c')).not.toBe(bankKey.payee('a#b', 'c'));
  expect(bankKey.payee('a', '  ÅDA  lovelace ')).toBe(bankKey.payee('a', 'A\u030Ada Lovelace'));
});

describe('in the table', () => {
  const table = tableOfTests();

  test('M7 of many first uses at once one opens the account, and all see it', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => accountOf(table, 'ada', now)));
    expect(new Set(all.map(({ number, version }) => `${number} ${version}`)).size).toBe(1);
    const books = await booksOf(table, 'ada');
    expect(books.addsUp).toBe(true);
    expect(books.entries).toHaveLength(generatedHistory('ada', generatedLoans('ada', now), now).transactions.length);
    const last = await readTransactions(table, 'ada', 5);
    expect(last).toEqual(books.entries.slice(-5).reverse());
  });

  test('an account number that is taken is left to its owner', async () => {
    const { number } = await accountOf(table, 'eve', now);
    const first = accountNumber('mallory', 0);
    const { client, name } = table;
    const { PutCommand } = await import('@aws-sdk/lib-dynamodb');
    const taken = { pk: bankKey.number(first), sk: bankKey.owner, customer: 'eve' };
    await client.send(new PutCommand({ TableName: name, Item: taken }));
    expect((await accountOf(table, 'mallory', now)).number).toBe(accountNumber('mallory', 1));
    expect((await accountOf(table, 'eve', now)).number).toBe(number);
  });
});
