import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { readMeta, type Table } from '../../../core/conversations/store/table';
import { bankKey, Transaction } from '../../../tools/bank/ledger/account';

/** The contents of one account, straight from its partition. */
export interface Books {
  number: string;
  openingCents: number;
  balanceCents: number;
  /** Oldest first. */
  entries: Transaction[];
  /** The amounts of the entries that belong to a call. */
  moved: number[];
  loans: number;
  /** Whether the opening balance plus the entries is the balance. */
  addsUp: boolean;
}

/** Returns the customer of a conversation, as named by the verified token. */
export const customerOf = async (table: Table, conversationId: string): Promise<string> =>
  (await readMeta(table, conversationId))!.owner;

export const booksOf = (table: Table, customer: string): Promise<Books> => books(table, bankKey.customer(customer));
export const payeesBooks = (table: Table, customer: string, name: string): Promise<Books> =>
  books(table, bankKey.payee(customer, name));

async function books(table: Table, pk: string): Promise<Books> {
  const rows: Record<string, unknown>[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
        ConsistentRead: true,
        ExclusiveStartKey,
      }),
    );
    rows.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  const account = rows.find(({ sk }) => sk === bankKey.account) ?? {};
  const { number = '', openingCents = 0, balanceCents = 0 } = account as Partial<Books>;
  const entries = rows.filter(({ sk }) => String(sk).startsWith('TX#')).map((row) => Transaction.parse(row));
  const sum = entries.reduce((total, { amountCents }) => total + amountCents, openingCents);
  return {
    number,
    openingCents,
    balanceCents,
    entries,
    addsUp: sum === balanceCents,
    moved: entries.filter(({ callId }) => callId).map(({ amountCents }) => amountCents),
    loans: rows.filter(({ sk }) => String(sk).startsWith('LOAN#')).length,
  };
}
