import { isDeepStrictEqual } from 'node:util';
import type { Table } from '../../core/store/table';

/** A row of the table. */
export type Row = Record<string, unknown> & { pk: string; sk: string };

/** A command of the SDK's document client, as far as core sends them. */
export interface Command {
  constructor: { name: string };
  input: {
    Key?: { pk: string; sk: string };
    TransactItems?: Item[];
    ClientRequestToken?: string;
    ExpressionAttributeValues?: Record<string, unknown>;
  } & Partial<Update>;
}
interface Update {
  Key: { pk: string; sk: string };
  UpdateExpression: string;
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}
interface Put extends Omit<Update, 'Key' | 'UpdateExpression'> {
  Item: Row;
}
type Item = { Put?: Put; Update?: Update };

/** What core asks of DynamoDB, in memory and at once: thousands of schedules need no engine. A sample is held against the real one. */
export interface MemoryTable {
  /** All that was asked of it, with what it answered. */
  journal: { command: Command; answer: string }[];
  perform(command: Command): unknown;
  rows(): Row[];
  /** Called with each written row and the one it replaces, as the table's stream has them. */
  onWrite(listener: (row: Row, before?: Row) => void): void;
}

export function memoryTable(): MemoryTable {
  const rows = new Map<string, Row>();
  const done = new Map<string, string>();
  let listener: (row: Row, before?: Row) => void = () => undefined;
  const keyOf = ({ pk, sk }: { pk: string; sk: string }) => `${pk} ${sk}`;

  function write(items: Item[]): void {
    const reasons = items.map((item) => {
      const part = item.Put ?? item.Update!;
      const row = rows.get(keyOf('Item' in part ? part.Item : part.Key));
      return { Code: holds(part, row) ? 'None' : 'ConditionalCheckFailed' };
    });
    if (reasons.some(({ Code }) => Code !== 'None'))
      throw named('TransactionCanceledException', { CancellationReasons: reasons });
    const changed = items.map((item) => (item.Put ? copy(item.Put.Item) : updated(item.Update!)));
    for (const row of changed) {
      const before = rows.get(keyOf(row));
      rows.set(keyOf(row), row);
      listener(row, before);
    }
  }

  function updated(update: Update): Row {
    const row: Row = { ...(rows.get(keyOf(update.Key)) ?? update.Key) };
    const name = (text: string) => update.ExpressionAttributeNames![text.trim()]!;
    const value = (text: string) => update.ExpressionAttributeValues![text.trim()];
    for (const [, verb, list] of update.UpdateExpression.matchAll(
      /(SET|REMOVE|ADD) (.*?)(?= (?:SET|REMOVE|ADD) |$)/g,
    )) {
      for (const part of list!.split(',')) {
        if (verb === 'REMOVE') delete row[name(part)];
        else if (verb === 'ADD') {
          const [attribute, sum] = part.trim().split(' ') as [string, string];
          row[name(attribute)] = Number(row[name(attribute)] ?? 0) + Number(value(sum));
        } else {
          const [attribute, to] = part.split('=') as [string, string];
          const [base, sum] = to.split('+');
          row[name(attribute)] = sum ? Number(row[name(base!)]) + Number(value(sum)) : copy(value(to));
        }
      }
    }
    return row;
  }

  const journal: MemoryTable['journal'] = [];
  return {
    journal,
    rows: () => [...rows.values()],
    onWrite(next) {
      listener = next;
    },
    perform(command) {
      try {
        const answer = perform(command);
        journal.push({ command, answer: told(answer) });
        return answer;
      } catch (error) {
        journal.push({ command, answer: told(error) });
        throw error;
      }
    },
  };

  function perform({ constructor: { name }, input }: Command): unknown {
    if (name === 'GetCommand') return { Item: copy(rows.get(keyOf(input.Key!))) };
    if (name === 'QueryCommand') {
      const { ':pk': pk, ':from': from, ':to': to } = input.ExpressionAttributeValues as Record<string, string>;
      const found = [...rows.values()].filter((row) => row.pk === pk && row.sk >= from! && row.sk <= to!);
      return { Items: copy(found.sort((a, b) => (a.sk < b.sk ? -1 : 1))) };
    }
    if (name === 'UpdateCommand') {
      const update = input as Update;
      if (!holds(update, rows.get(keyOf(update.Key)))) throw named('ConditionalCheckFailedException');
      return write([{ Update: update }]);
    }
    if (name !== 'TransactWriteCommand') throw new Error(`The table in memory knows no ${name}.`);
    const { ClientRequestToken: token = '', TransactItems = [] } = input;
    const same = JSON.stringify(TransactItems);
    if (done.has(token) && done.get(token) !== same) throw named('IdempotentParameterMismatchException');
    if (done.has(token)) return undefined;
    write(TransactItems);
    done.set(token, same);
    return undefined;
  }
}

/** An answer as it can be compared with another engine's. */
export function told(answer: unknown): string {
  if (answer instanceof Error) {
    const { name, CancellationReasons: reasons = [] } = answer as Error & { CancellationReasons?: { Code?: string }[] };
    return [name, ...reasons.map(({ Code }) => Code)].join(' ');
  }
  const { Item, Items } = (answer ?? {}) as { Item?: object; Items?: object[] };
  return JSON.stringify(Items ?? Item ?? null, (_key, value: unknown) => sorted(value));
}

const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

function holds(part: Pick<Update, 'ConditionExpression'> & Partial<Update>, row: Row | undefined): boolean {
  if (!part.ConditionExpression) return true;
  const name = (text: string) => part.ExpressionAttributeNames![text.trim()]!;
  const value = (text: string) => part.ExpressionAttributeValues?.[text.trim()];
  return part.ConditionExpression.split(' AND ').every((test) => {
    const [, absent] = /^attribute_not_exists\((#\w+)\)$/.exec(test) ?? [];
    if (absent) return row?.[name(absent)] === undefined;
    const [, orAbsent, limited, most] =
      /^(?:\(attribute_not_exists\((#\w+)\) OR )?(#\w+) <= (:\w+)\)?$/.exec(test) ?? [];
    if (limited) {
      const number = row?.[name(limited)];
      return number === undefined ? orAbsent !== undefined : Number(number) <= Number(value(most!));
    }
    const [, among, list] = /^(#\w+) IN \((.*)\)$/.exec(test) ?? [];
    if (among) return list!.split(',').some((one) => isDeepStrictEqual(row?.[name(among)], value(one)));
    const [attribute, wanted] = test.split(' = ') as [string, string];
    return row !== undefined && isDeepStrictEqual(row[name(attribute)], value(wanted));
  });
}

/** As the wire does: nothing is shared, and what is undefined is left out. */
const copy = <Value>(value: Value): Value => (value === undefined ? value : dropped(value)) as Value;
function dropped(value: unknown): unknown {
  if (value instanceof Uint8Array || value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(dropped);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => (one === undefined ? [] : [[name, dropped(one)]])),
  );
}

export const named = (name: string, more: object = {}): Error => Object.assign(new Error(name), { name }, more);

/** A table whose requests go another way. */
export const tableThrough = (send: (command: Command) => Promise<unknown>): Table => ({
  client: { send } as unknown as Table['client'],
  name: 'conversations',
});
