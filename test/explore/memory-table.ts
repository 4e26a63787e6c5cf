import {
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { bytesOf } from '../../core/conversations/rows/size';
import type { Table } from '../../core/conversations/store/table';
import { type Expression, holds, updated } from './expressions';

/** A row of the table. */
export type Row = Record<string, unknown> & { pk: string; sk: string };

/** A command of the SDK's document client, as far as core sends them. */
export interface Command {
  input: {
    Key?: Key;
    Item?: Row;
    TransactItems?: Item[];
    ClientRequestToken?: string;
    ConsistentRead?: boolean;
    ExpressionAttributeValues?: Record<string, unknown>;
  } & Partial<Update>;
}
type Key = Pick<Row, 'pk' | 'sk'>;
type Put = Expression & { Item: Row };
type Update = Expression & { Key: Key; UpdateExpression: string };
type Item = { Put?: Put; Update?: Update };

/** Told of each request and its answer, or the error. */
export type Journal = (command: Command, answer: unknown) => void;

/** What core asks of DynamoDB, in memory and at once: thousands of schedules need no engine. A sample is held against the real one. */
export interface MemoryTable {
  /**
   * @param isLost the answer will not arrive, so the same transaction may come again.
   * @param looking for a read: what it may see besides the newest rows.
   */
  perform(command: Command, isLost: boolean, looking?: Looking): unknown;
  /** The number of writes so far. */
  writes(): number;
  row(key: Pick<Row, 'pk' | 'sk'>): Row | undefined;
  /** Frozen, as all that it answers: who changes what was read fails. */
  rows(): Row[];
  /** Called with each written row and the one it replaces, as the table's stream has them. */
  onWrite(listener: (row: Row, before?: Row) => void): void;
}

/**
 * A query sees a part of a transaction that is made meanwhile. A read that is not consistent sees rows as they were before, whenever they
 * were written.
 */
export interface Looking {
  /** The number of writes when the read began. */
  since: number;
  /** Whether it sees a row as it was before the last write. */
  before(): boolean;
}

export function memoryTable(journal?: Journal): MemoryTable {
  const partitions = new Map<string, Map<string, Row>>();
  /** The transactions that were made, by their tokens. Those that may come again are kept as text. */
  const done = new Map<string, string | undefined>();
  let listener: (row: Row, before?: Row) => void = () => undefined;
  /** What each row has replaced, and in which write. */
  const replaced = new Map<Row, { row?: Row; by: number; isPart: boolean }>();
  let writes = 0;
  const rowAt = ({ pk, sk }: Key) => partitions.get(pk)?.get(sk);

  function keep(row: Row, isPart: boolean): void {
    const { pk, sk } = row;
    const partition = partitions.get(pk) ?? new Map<string, Row>();
    partitions.set(pk, partition);
    const before = partition.get(sk);
    partition.set(sk, row);
    if (before) replaced.delete(before);
    replaced.set(row, { row: before, by: writes, isPart });
    listener(row, before);
  }

  function write(items: Item[]): void {
    const reasons = items.map(({ Put, Update }) =>
      holds(Put ?? Update!, rowAt(Put?.Item ?? Update!.Key)) ? { Code: 'None' } : { Code: 'ConditionalCheckFailed' },
    );
    if (reasons.some(({ Code }) => Code !== 'None'))
      throw named('TransactionCanceledException', { CancellationReasons: reasons });
    const changed = items.map(({ Put, Update }) =>
      frozen(Put ? Put.Item : updated(Update!, rowAt(Update!.Key) ?? (Update!.Key as Row))),
    );
    const sizes = changed.map(bytesOf);
    if (changed.length > 100 || sizes.some((bytes) => bytes > mostItemBytes) || sum(sizes) > mostTransactionBytes)
      throw named('ValidationException', { message: 'The transaction or one of its items is too large.' });
    writes += 1;
    for (const row of changed) keep(row, changed.length > 1);
  }

  function transact({ ClientRequestToken: token = '', TransactItems = [] }: Command['input'], isLost: boolean): void {
    const same = isLost || done.has(token) ? JSON.stringify(TransactItems) : undefined;
    if (done.has(token)) {
      const made = done.get(token);
      if (made === undefined) throw new Error('A transaction comes again whose answer has arrived.');
      if (made !== same) throw named('IdempotentParameterMismatchException');
      return;
    }
    write(TransactItems);
    done.set(token, same);
  }

  function perform(command: Command, isLost: boolean): unknown {
    const { input } = command;
    if (command instanceof GetCommand) return { Item: rowAt(input.Key!) };
    if (command instanceof QueryCommand) {
      const { ':pk': pk, ':from': from, ':to': to } = input.ExpressionAttributeValues as Record<string, string>;
      const rows = [...(partitions.get(pk!)?.values() ?? [])].filter(({ sk }) => sk >= from! && sk <= to!);
      return { Items: rows.sort((a, b) => (a.sk < b.sk ? -1 : 1)) };
    }
    // The only scan is that of the index of what is open.
    if (command instanceof ScanCommand) {
      const open = rows().filter(({ openFor }) => openFor !== undefined);
      return { Items: open.sort(byOpenSince).map(({ pk, sk }) => ({ pk, sk })) };
    }
    if (command instanceof TransactWriteCommand) return transact(input, isLost);
    if (command instanceof PutCommand) {
      const put = input as unknown as Put;
      if (!holds(put, rowAt(put.Item))) throw named('ConditionalCheckFailedException');
      return write([{ Put: put }]);
    }
    if (!(command instanceof UpdateCommand))
      throw new Error(`The table in memory knows no such command: ${JSON.stringify(input)}`);
    const update = input as Update;
    if (!holds(update, rowAt(update.Key))) throw named('ConditionalCheckFailedException');
    return write([{ Update: update }]);
  }

  function seen(row: Row, { input }: Command, { since, before }: Looking): Row | undefined {
    const last = replaced.get(row)!;
    // A single consistent read is of one moment.
    const isOpen = input.ConsistentRead ? !input.Key && last.isPart && last.by > since : true;
    return isOpen && before() ? last.row : row;
  }

  const rows = () => [...partitions.values()].flatMap((partition) => [...partition.values()]);

  return {
    rows,
    row: rowAt,
    onWrite(next) {
      listener = next;
    },
    writes: () => writes,
    perform(command, isLost, looking) {
      try {
        const answer = perform(command, isLost);
        journal?.(command, answer);
        // The index is read like this, too: whoever acts by it reads the rows themselves.
        if (!looking || !(command instanceof GetCommand || command instanceof QueryCommand)) return answer;
        const { Item, Items } = answer as { Item?: Row; Items?: Row[] };
        if (!Items) return { Item: Item && seen(Item, command, looking) };
        return { Items: Items.flatMap((row) => seen(row, command, looking) ?? []) };
      } catch (error) {
        journal?.(command, error);
        throw error;
      }
    },
  };
}

/** DynamoDB's limits. The exploration needs them without those of the code that it explores. */
const mostItemBytes = 400 * 1_024;
const mostTransactionBytes = 4 * 1_024 * 1_024;
const sum = (sizes: number[]): number => sizes.reduce((all, one) => all + one, 0);

/** In the order of the index, as far as one reader needs it. */
const byOpenSince = (one: Row, other: Row) => (String(one.openSince) < String(other.openSince) ? -1 : 1);

export const isRead = (command: Command): boolean =>
  command instanceof GetCommand || command instanceof QueryCommand || command instanceof ScanCommand;

/** Jest has a Uint8Array of its own. */
const isBytes = (value: unknown): value is Uint8Array => ArrayBuffer.isView(value);

/** An answer as it can be compared with another engine's. */
export function told(answer: unknown): string {
  if (answer instanceof Error) {
    const { name, CancellationReasons: reasons = [] } = answer as Error & { CancellationReasons?: { Code?: string }[] };
    return [name, ...reasons.map(({ Code }) => Code)].join(' ');
  }
  const { Item, Items } = (answer ?? {}) as { Item?: object; Items?: object[] };
  return JSON.stringify(Items ?? Item ?? null, (_key, value: unknown) => sorted(value));
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { type, data } = value as { type?: unknown; data?: number[] };
  if (isBytes(value) || (type === 'Buffer' && data))
    return Buffer.from(isBytes(value) ? value : data!).toString('base64');
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** A copy that cannot be changed. As on the wire, nothing is shared, and what is undefined is left out. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || isBytes(value)) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozen)) as Value;
  const made: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const one = (value as Record<string, unknown>)[name];
    if (one !== undefined) made[name] = frozen(one);
  }
  return Object.freeze(made) as Value;
}

/** An error of AWS. It has no stack, which would say only that the exploration made it. */
export function named(name: string, more: object = {}): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new Error(name);
  Error.stackTraceLimit = stackTraceLimit;
  return Object.assign(error, { name }, more);
}

/** A table whose requests go another way. */
export const tableThrough = (send: (command: Command) => Promise<unknown>): Table => ({
  client: { send } as unknown as Table['client'],
  name: 'conversations',
});
