// core/conversations/store: the table: conditions, conflicts, and the one way to write.

import { randomUUID } from 'node:crypto';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { ConversationBusy, UnreadableRow } from '../../base/text/errors';
import { ttlAfter } from '../../base/time/ttl';
import { inThisFormat } from '../rows/formats';
import { conversationIn, key, prefix, type RowKind } from '../rows/keys';
import { Meta, withGiven } from '../rows/meta';
import { ifReadable, metaAtLeast, parsedAs } from '../rows/readable';
import { StoredGiven } from '../rows/rows';
import { bytesOf, mostOfTransaction } from '../rows/size';
import type { TodoRow } from '../rows/todo';
import { pause } from './retry-on-conflict';
import { mergeAdds, type RowWrite, type SingleWrite, toItem, withTodos } from './write';

/** A table and its client, created once per process. */
export interface Table {
  client: DynamoDBDocumentClient;
  name: string;
  /** The time at which to-dos are written and done. By default, the process's. */
  clock?(): Date;
  /** Hears of what follows from each transaction, once it is committed: a process that acts on it at once. */
  committed?(row: TodoRow): void;
}

/** Returns the time of whoever uses the table. */
export const timeOf = ({ clock }: Table): Date => clock?.() ?? new Date();

/** The condition of row `sk` failed, so nothing of the transaction was written. */
export class RowConflict extends Error {
  override readonly name = 'RowConflict';
  constructor(readonly sk: string) {
    super(`The row ${sk} is not in the state that this write needs.`);
  }
}

/** Nothing was sent: the writes are more than one transaction takes. Those who can do less at once write again. */
export class TransactionTooLarge extends Error {
  override readonly name = 'TransactionTooLarge';
  constructor(
    readonly rows: number,
    readonly bytes: number,
  ) {
    super(`A transaction of ${rows} rows and ${bytes} bytes is too large.`);
  }
}

/** Ignores a conflict, for a write that is unnecessary if another process was first, or that is decided again. */
export function ignoreConflict(error: unknown): undefined {
  if (!(error instanceof RowConflict)) throw error;
}

/**
 * Writes all rows in one transaction, once. All attempts have the same request token, by which DynamoDB recognizes a transaction
 * that it has already committed. So an error 500, a timeout or a lost connection after the commit changes nothing.
 *
 * @returns false if the first row's condition failed. The caller reads and decides again.
 * @throws RowConflict if the condition of another row failed.
 * @throws ConversationBusy if the table stays busy.
 * @throws TransactionTooLarge before anything is sent.
 */
export async function write(table: Table, conversationId: string, given: RowWrite[]): Promise<boolean> {
  if (given.length === 0) return true;
  const { rows, todoRow } = withTodos(conversationId, mergeAdds(given), timeOf(table));
  const bytes = rows.length > 1 ? bytesOf(rows) : 0;
  if (rows.length > mostOfTransaction.rows || bytes > mostOfTransaction.bytes)
    throw new TransactionTooLarge(rows.length, bytes);
  const TransactItems = rows.map((row) => toItem(table.name, key.conversation(conversationId), row));
  const command = { TransactItems, ClientRequestToken: randomUUID() };
  const isDone = await withRetries(conversationId, rows, () => table.client.send(new TransactWriteCommand(command)));
  if (isDone && todoRow) table.committed?.(todoRow);
  return isDone;
}

/**
 * Writes one row without a transaction, at half the price, for the many pieces of a reply and for rows that expire. The write must be
 * idempotent.
 *
 * @returns false if its condition failed.
 * @throws ConversationBusy if the table stays busy.
 */
export function overwrite(table: Table, conversationId: string, row: SingleWrite): Promise<boolean> {
  const { Put, Update } = toItem(table.name, key.conversation(conversationId), row);
  const send = Put
    ? () => table.client.send(new PutCommand(Put))
    : () => table.client.send(new UpdateCommand(Update as Required<NonNullable<typeof Update>>));
  return withRetries(conversationId, [row], send);
}

/** Empties a row of to-dos that are done, and lets it expire: no function may delete a row. Another process may have done them, too. */
export const closeTodos = (table: Table, { pk, sk, at }: TodoRow): Promise<boolean> =>
  overwrite(table, conversationIn(pk), {
    sk,
    put: { todos: [], at, ttl: ttlAfter(timeOf(table), 1) },
    onlyIf: { at },
  });

const attemptsToWrite = 25;

async function withRetries(conversationId: string, rows: RowWrite[], send: () => Promise<unknown>): Promise<boolean> {
  for (let attempt = 1; attempt <= attemptsToWrite; attempt++) {
    try {
      await send();
      return true;
    } catch (error) {
      const failed = whatFailed(error);
      if (failed === 'other') throw unreadableIn(error, rows) ?? error;
      if (failed === 0) return false;
      if (typeof failed === 'number') throw new RowConflict(rows[failed]!.sk);
      await pause(failed === 'busy' ? attempt * busyFactor : attempt);
    }
  }
  throw new ConversationBusy(`The conversation ${conversationId} keeps changing, or the table is busy. Try again.`);
}

/** Returns which row has a field of another type than an update needs: DynamoDB cannot add to a text. */
function unreadableIn(error: unknown, rows: RowWrite[]): UnreadableRow | undefined {
  const { name, message = '', CancellationReasons: reasons = [] } = error as TableError & { message?: string };
  const invalid = (code = '', words = '') => code.startsWith('Validation') && /type/i.test(words);
  const index =
    name === 'ValidationException' && invalid(name, message)
      ? 0
      : reasons.findIndex(({ Code, Message }) => invalid(Code, Message));
  const row = rows[index];
  return row && new UnreadableRow(row.sk, 'add' in row ? Object.keys(row.add)[0]! : 'version', 'it is not a number');
}

/** Errors that may last longer than the SDK retries. A lost write could waste a paid model call. */
const busy = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'InternalServerError',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'ServiceUnavailable',
  'TransactionInProgressException',
  'TimeoutError',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
]);
/** Makes 25 attempts last about 8 seconds. */
const busyFactor = 5;

interface TableError {
  name?: string;
  code?: string;
  CancellationReasons?: { Code?: string; Message?: string }[];
  $metadata?: { httpStatusCode?: number };
}

/** Returns the index of the write whose condition failed, `clash` for a conflict with another transaction, or `busy` for the table. */
function whatFailed(error: unknown): number | 'clash' | 'busy' | 'other' {
  const { name = '', code = '', CancellationReasons: reasons, $metadata } = error as TableError;
  if (name === 'ConditionalCheckFailedException') return 0;
  if (name === 'TransactionConflictException') return 'clash';
  if (busy.has(name) || busy.has(code) || Number($metadata?.httpStatusCode) >= 500) return 'busy';
  if (name !== 'TransactionCanceledException' || !reasons) return 'other';
  const index = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
  if (index >= 0) return index;
  if (reasons.some(({ Code }) => busy.has(Code ?? ''))) return 'busy';
  return reasons.some(({ Code }) => Code === 'TransactionConflict') ? 'clash' : 'other';
}

export async function readMeta(table: Table, conversationId: string): Promise<Meta | undefined> {
  const item = await readRow(table, conversationId, key.meta);
  const meta = item && parsedAs(Meta, item);
  if (!meta?.given) return meta;
  return withGiven(meta, parsedAs(StoredGiven, (await readRow(table, conversationId, key.given)) ?? {}));
}

/** Reads META for those who show it, also one that cannot be read. */
export async function readShownMeta(table: Table, conversationId: string): Promise<Meta | undefined> {
  const item = await readRow(table, conversationId, key.meta);
  const meta = item && metaAtLeast(item);
  if (!meta?.given) return meta;
  const given = ifReadable(StoredGiven, await readRow(table, conversationId, key.given));
  return given ? withGiven(meta, given) : { ...meta, unreadable: [{ row: key.given, field: 'metadata' }] };
}

export const readRow = (table: Table, conversationId: string, sk: string): Promise<object | undefined> =>
  readItem(table, { pk: key.conversation(conversationId), sk });

/** Like `readRow`, for any partition and any table. */
export async function readItem({ client, name }: Table, Key: { pk: string; sk: string }) {
  const { Item } = await client.send(new GetCommand({ TableName: name, Key, ConsistentRead: true }));
  return Item && inThisFormat(Item);
}

/** Reads all rows of a conversation whose `sk` lies between two keys (both included), in order. */
export const readRows = (table: Table, conversationId: string, from: string, to: string): Promise<object[]> =>
  readPartition(table, key.conversation(conversationId), from, to);

/** Like `readRows`, for the rows of a kind whose ids lie between two beginnings of ids. By default, all. */
export const readKind = (
  table: Table,
  conversationId: string,
  kind: RowKind,
  from = '',
  to = from,
): Promise<object[]> => readRows(table, conversationId, prefix[kind] + from, `${prefix[kind]}${to}~`);

/** Reads the last rows between two keys (both included), at most `count` and 1 MB, in order. */
export async function readLatestRows(
  { client, name: TableName }: Table,
  conversationId: string,
  from: string,
  to: string,
  count: number,
): Promise<object[]> {
  const query = new QueryCommand({
    TableName,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': key.conversation(conversationId), ':from': from, ':to': to },
    ConsistentRead: true,
    ScanIndexForward: false,
    Limit: count,
  });
  return ((await client.send(query)).Items ?? []).map(inThisFormat).reverse();
}

/** Like `readRows`, for any partition. */
export async function readPartition(table: Table, pk: string, from: string, to: string): Promise<object[]> {
  const rows: object[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
        ConsistentRead: true,
        ExclusiveStartKey,
      }),
    );
    rows.push(...(page.Items ?? []).map(inThisFormat));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return rows;
}
