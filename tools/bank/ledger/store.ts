import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { RowConflict, type Table, write } from '../../../core/conversations/store/table';
import type { RowWrite } from '../../../core/conversations/store/write';
import { Account, accountNumber, bankKey, Transaction } from './account';
import { generatedHistory } from './history';
import { generatedLoans, Loan } from './loan';

const numbersToTry = 5;

/**
 * Returns a customer's account. On first use, one transaction opens it with a generated history and loans, and only one of several
 * concurrent attempts wins. Opening it does not count as an effect of a call.
 */
export async function accountOf(table: Table, customer: string, now: Date): Promise<Account> {
  for (let attempt = 0; ; attempt++) {
    const known = await readAccount(table, bankKey.customer(customer));
    if (known) return known;
    try {
      await write(table, customer, opening(customer, accountNumber(customer, attempt), now));
    } catch (error) {
      // Another customer has this number.
      if (!(error instanceof RowConflict) || attempt === numbersToTry) throw error;
    }
  }
}

function opening(customer: string, number: string, now: Date): RowWrite[] {
  const pk = bankKey.customer(customer);
  const loans = generatedLoans(customer, now);
  const { openingCents, transactions } = generatedHistory(customer, loans, now);
  const balanceCents = transactions.reduce((sum, { amountCents }) => sum + amountCents, openingCents);
  const account: Account = { number, balanceCents, openingCents, openedAt: now.toISOString(), version: 1 };
  return [
    { pk, sk: bankKey.account, put: account, onlyIf: 'absent' },
    { pk: bankKey.number(number), sk: bankKey.owner, put: { customer }, onlyIf: 'absent' },
    ...transactions.map((put, index): RowWrite => ({ pk, sk: bankKey.transaction(put.at, `h${index}`), put })),
    ...loans.map((put): RowWrite => ({ pk, sk: bankKey.loan(put.id), put })),
  ];
}

async function readAccount(table: Table, pk: string): Promise<Account | undefined> {
  const row = await read(table, pk, bankKey.account);
  return row && Account.parse(row);
}

/** Returns what a receiver has, which may be someone outside the bank. */
export async function heldBy(table: Table, pk: string): Promise<Pick<Account, 'balanceCents' | 'version'>> {
  const row = await read(table, pk, bankKey.account);
  return Account.pick({ balanceCents: true, version: true }).parse(row ?? { balanceCents: 0, version: 0 });
}

/** Returns the customer of an account number; undefined if there is none. */
export async function customerOf(table: Table, number: string): Promise<string | undefined> {
  const row = await read(table, bankKey.number(number), bankKey.owner);
  return row?.customer as string | undefined;
}

export async function read(table: Table, pk: string, sk: string): Promise<Record<string, unknown> | undefined> {
  return (await table.client.send(new GetCommand({ TableName: table.name, Key: { pk, sk }, ConsistentRead: true })))
    .Item;
}

/** Reads transactions, newest first. */
export const readTransactions = async (table: Table, customer: string, limit: number): Promise<Transaction[]> =>
  (await latest(table, customer, 'TX#', limit)).map((row) => Transaction.parse(row));

export const readLoans = async (table: Table, customer: string): Promise<Loan[]> =>
  (await latest(table, customer, 'LOAN#', 100)).map((row) => Loan.parse(row)).reverse();

/** Reads a customer's rows by the prefix of their key, last ones first. */
async function latest(table: Table, customer: string, prefix: string, Limit: number) {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': bankKey.customer(customer), ':prefix': prefix },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit,
    }),
  );
  return Items;
}
