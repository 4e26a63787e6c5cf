import { randomUUID } from 'node:crypto';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { ConversationBusy, NotFound } from '../text/errors';
import { key, Meta } from './rows';
import { type RowWrite, toItem } from './write';

/** The one table, and the client that reaches it: made once per process, passed in everywhere. */
export interface Table {
  client: DynamoDBDocumentClient;
  name: string;
}

/** A row's condition did not hold; nothing of the transaction was written. `sk` says which row. */
export class RowConflict extends Error {
  override readonly name = 'RowConflict';
  constructor(readonly sk: string) {
    super(`The row ${sk} is not in the state that this write needs.`);
  }
}

/** What a change makes of a conversation: its next META, other rows in the same transaction, and an answer for the caller. */
export interface Change<Answer> {
  meta?: Meta;
  rows?: RowWrite[];
  answer: Answer;
}

const attemptsToChange = 25;

interface Changing {
  /** META as it was read a moment ago: saves a read if it is still current. */
  known?: Meta;
  /** Selects the rows whose conflict the caller handles; at all others `decide` is called again. */
  throwsAt?(sk: string): boolean;
}

/**
 * Changes a conversation in one transaction, fenced by META's version. `decide` gets the current META and is called again
 * whenever META or another row changed in between, or when it throws a RowConflict because it has read a stale row. All
 * appends and steps therefore have one order.
 *
 * @throws NotFound if there is no such conversation, RowConflict if the condition of a row of `throwsAt` failed, ConversationBusy
 *   after many conflicts.
 */
export async function changeConversation<Answer>(
  table: Table,
  conversationId: string,
  decide: (meta: Meta) => Change<Answer> | Promise<Change<Answer>>,
  { known, throwsAt = () => false }: Changing = {},
): Promise<Answer> {
  for (let attempt = 1; attempt <= attemptsToChange; attempt++) {
    const fromCaller = attempt === 1 ? known : undefined;
    const current = fromCaller ?? (await readMeta(table, conversationId));
    if (!current) throw new NotFound(`There is no conversation ${conversationId}.`);
    try {
      const { meta, rows = [], answer } = await decide(current);
      if (!meta && rows.length === 0) {
        if (fromCaller) continue;
        return answer;
      }
      const next = meta ?? current;
      const fence: RowWrite = {
        sk: key.meta,
        // Omit the owner once deleted: an index drops a row without its key, and refuses an empty one.
        put: { ...next, owner: next.owner || undefined, version: current.version + 1 },
        onlyIf: { version: current.version },
      };
      if (await write(table, conversationId, [fence, ...rows])) return answer;
    } catch (error) {
      if (!(error instanceof RowConflict) || throwsAt(error.sk)) throw error;
    }
    await pause(attempt);
  }
  throw new ConversationBusy(`The conversation ${conversationId} changes too fast. Try again.`);
}

/** For a write that has nothing more to do where somebody else was first: what is in the table holds. */
export function unlessConflict(error: unknown): void {
  if (!(error instanceof RowConflict)) throw error;
}

/**
 * Writes the rows all together or not at all, and once: all tries have one token, by which DynamoDB knows a transaction that it
 * has committed already. So an error 500, a timeout or a lost connection after the commit changes nothing.
 *
 * @returns false if the first row's condition failed: read again and decide anew.
 * @throws RowConflict if the condition of another row failed, ConversationBusy when the table does not answer for long.
 */
export function write(table: Table, conversationId: string, rows: RowWrite[]): Promise<boolean> {
  if (rows.length === 0) return Promise.resolve(true);
  const TransactItems = rows.map((row) => toItem(table.name, key.conversation(conversationId), row));
  const command = { TransactItems, ClientRequestToken: randomUUID() };
  return persistently(conversationId, rows, () => table.client.send(new TransactWriteCommand(command)));
}

/**
 * Updates one row at half a transaction's price, for what may be done twice.
 *
 * @returns false if its condition failed.
 */
export function overwrite(table: Table, conversationId: string, row: RowWrite): Promise<boolean> {
  const { Update } = toItem(table.name, key.conversation(conversationId), row);
  const command = Update as Required<NonNullable<typeof Update>>;
  return persistently(conversationId, [row], () => table.client.send(new UpdateCommand(command)));
}

async function persistently(conversationId: string, rows: RowWrite[], send: () => Promise<unknown>): Promise<boolean> {
  for (let attempt = 1; attempt <= attemptsToChange; attempt++) {
    try {
      await send();
      return true;
    } catch (error) {
      const failed = whatFailed(error);
      if (failed === 'other') throw error;
      if (failed === 0) return false;
      if (typeof failed === 'number') throw new RowConflict(rows[failed]!.sk);
      await pause(failed === 'busy' ? attempt * busyFactor : attempt);
    }
  }
  throw new ConversationBusy(`The conversation ${conversationId} changes too fast, or the table is busy. Try again.`);
}

/** Before a conflict is tried again: longer each time, and not as long as the others that it clashed with. */
export const pause = (attempt: number) => new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * attempt));

/** What passes later than the SDK has patience for. A paid model call may hang on the write. */
const busy = new Set([
  ...['ThrottlingException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded', 'InternalServerError'],
  ...['ThrottlingError', 'ProvisionedThroughputExceeded', 'ServiceUnavailable', 'TransactionInProgressException'],
  ...['TimeoutError', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN'],
]);
/** 25 attempts then last some 8 seconds more. */
const busyFactor = 5;

interface TableError {
  name?: string;
  code?: string;
  CancellationReasons?: { Code?: string }[];
  $metadata?: { httpStatusCode?: number };
}

/** The index of the write whose condition failed, a clash with another transaction, which left no trace, or a table that is busy. */
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
  return item && Meta.parse(item);
}

export async function readRow(table: Table, conversationId: string, sk: string): Promise<object | undefined> {
  const Key = { pk: key.conversation(conversationId), sk };
  return (await table.client.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }))).Item;
}

/** All rows of a conversation whose `sk` lies between two keys (both included), in their order. */
export const readRows = (table: Table, conversationId: string, from: string, to: string): Promise<object[]> =>
  readPartition(table, key.conversation(conversationId), from, to);

/** The same of any partition. */
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
    rows.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return rows;
}
