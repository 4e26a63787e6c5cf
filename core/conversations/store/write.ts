import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { wellFormed } from '../../base/text/clip';
import { newTodosId } from '../../base/text/ids';
import { formatOf } from '../rows/formats';
import { conversationIn, key, prefix } from '../rows/keys';
import { assertReadable } from '../rows/kinds';
import { openIn, openList } from '../rows/open-lists';
import type { DueTodo, Todo, TodoRow } from '../rows/todo';

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** A condition on the existing row. Each attribute equals the value or one of the values; null: it is absent. `'absent'`: no such row. */
export type Condition = 'absent' | Record<string, string | number | null | readonly (string | number)[]>;

/**
 * A write of one row of the conversation, or of partition `pk`.
 *
 * - `put` and `set` take a condition, which makes repeated and concurrent writes safe. `set` also increments `version`.
 * - `add` changes numbers. A missing row or attribute counts as 0. `atMost` is the largest value that a number may grow to; one
 *   that shrinks is not checked.
 * - `mark` lets a row expire, unconditionally.
 * - `todo` is what follows from the transaction. All of one transaction are one row.
 */
export type RowWrite = SetWrite | PutWrite | AddWrite | MarkWrite | TodoWrite;
/** A write of a row that is there, or is to be. */
export type SingleWrite = Exclude<RowWrite, TodoWrite>;
type PutWrite = At & { put: object; onlyIf?: Condition };
type AddWrite = At & { add: Record<string, number>; atMost?: Record<string, number> };
type MarkWrite = At & { mark: { ttl: number } };
type TodoWrite = At & { todo: Todo };
export type SetWrite = At & {
  set: Record<string, unknown>;
  remove?: string[];
  onlyIf: Condition;
};

interface At {
  pk?: string;
  sk: string;
}

/** DynamoDB refuses a whole transaction for half a character in it, whoever wrote that. */
function stored(content: unknown): unknown {
  if (typeof content === 'string') return wellFormed(content);
  if (Array.isArray(content)) return content.map(stored);
  if (typeof content !== 'object' || content === null) return content;
  // Bytes and sets stay what they are.
  if (![Object.prototype, null].includes(Object.getPrototypeOf(content))) return content;
  return Object.fromEntries(Object.entries(content).map(([name, value]) => [wellFormed(name), stored(value)]));
}

/** The names and values of an item's expressions, which DynamoDB takes apart from their texts. */
class Terms {
  private readonly names: Record<string, string> = {};
  private readonly values: Record<string, unknown> = {};

  readonly name = (attribute: string): string => {
    this.names[`#${attribute}`] = attribute;
    return `#${attribute}`;
  };

  readonly value = (content: unknown): string => {
    const placeholder = `:v${Object.keys(this.values).length}`;
    this.values[placeholder] = stored(content);
    return placeholder;
  };

  attributes() {
    return {
      ...(Object.keys(this.names).length && { ExpressionAttributeNames: this.names }),
      ...(Object.keys(this.values).length && { ExpressionAttributeValues: this.values }),
    };
  }
}

/**
 * Converts the write to an item of a DynamoDB transaction. Undefined values are left out.
 *
 * @throws UnreadableRow if what is written could not be read afterwards.
 */
export function toItem(TableName: string, conversation: string, write: SingleWrite): TransactItem {
  const { pk = conversation, sk } = write;
  assertReadable({ ...write, pk });
  const terms = new Terms();
  if ('put' in write) {
    const ConditionExpression = conditionOf(write, terms);
    const format = formatOf(pk, sk);
    const Item = { ...(stored(write.put) as object), ...(format !== undefined && { format }), pk, sk };
    return { Put: { TableName, Item, ...(ConditionExpression && { ConditionExpression }), ...terms.attributes() } };
  }
  const expressions =
    'add' in write ? addition(write, terms) : 'mark' in write ? mark(write, terms) : change(write, terms);
  return { Update: { TableName, Key: { pk, sk }, ...expressions, ...terms.attributes() } };
}

function addition({ add, atMost = {} }: AddWrite, { name, value }: Terms) {
  const sums = Object.entries(add).map(([attribute, sum]) => `${name(attribute)} ${value(sum)}`);
  const tests = Object.entries(atMost).flatMap(([attribute, most]) => {
    const sum = add[attribute] ?? 0;
    if (sum <= 0) return [];
    const test = `${name(attribute)} <= ${value(most - sum)}`;
    return sum > most ? [test] : [`(attribute_not_exists(${name(attribute)}) OR ${test})`];
  });
  return {
    UpdateExpression: `ADD ${sums.join(', ')}`,
    ConditionExpression: tests.length > 0 ? tests.join(' AND ') : undefined,
  };
}

const mark = ({ mark: { ttl } }: MarkWrite, { name, value }: Terms) => ({
  UpdateExpression: `SET ${name('ttl')} = ${value(ttl)}`,
});

function change(write: SetWrite, terms: Terms) {
  const { name, value } = terms;
  const ConditionExpression = conditionOf(write, terms);
  const set = [
    ...Object.entries(write.set)
      .filter(([, content]) => content !== undefined)
      .map(([attribute, content]) => `${name(attribute)} = ${value(content)}`),
    `${name('version')} = ${name('version')} + ${value(1)}`,
  ];
  const removed = write.remove?.length ? ` REMOVE ${write.remove.map(name).join(', ')}` : '';
  return { UpdateExpression: `SET ${set.join(', ')}${removed}`, ConditionExpression };
}

/** The write of what follows from a transaction: about the conversation of the transaction, or about another one. */
export const toDo = (todo: Todo, conversationId?: string): RowWrite => ({
  ...(conversationId !== undefined && { pk: key.conversation(conversationId) }),
  sk: prefix.todos,
  todo,
});

/** Returns the writes with all that follows from them in one row, of the transaction's conversation, and that row. */
export function withTodos(
  conversationId: string,
  writes: RowWrite[],
  now: Date,
): { rows: SingleWrite[]; todoRow?: TodoRow } {
  const todos: DueTodo[] = [];
  const rows: SingleWrite[] = [];
  for (const write of writes) {
    if (!('todo' in write)) rows.push(write);
    else todos.push({ conversationId: write.pk ? conversationIn(write.pk) : conversationId, todo: write.todo });
  }
  if (todos.length === 0) return { rows };
  const [id, at] = [newTodosId(), now.toISOString()];
  const [pk, sk] = [key.conversation(conversationId), key.todos(id)];
  rows.push({ sk, put: { todos, at, ...openIn(openList.todos(conversationId), at, id) } });
  return { rows, todoRow: { pk, sk, todos, at } };
}

/**
 * Returns the writes with one `add` for each row, because a transaction changes a row at most once. They come last: if the
 * conditions of several rows fail, the failure of another row is reported.
 */
export function mergeAdds(writes: RowWrite[]): RowWrite[] {
  const sums = new Map<string, AddWrite>();
  for (const write of writes) {
    if (!('add' in write)) continue;
    const at = `${write.pk} ${write.sk}`;
    const before = sums.get(at);
    const add = { ...before?.add };
    for (const [attribute, more] of Object.entries(write.add)) add[attribute] = (add[attribute] ?? 0) + more;
    sums.set(at, { ...write, add, atMost: { ...before?.atMost, ...write.atMost } });
  }
  return [...writes.filter((write) => !('add' in write)), ...sums.values()];
}

function conditionOf({ onlyIf }: { onlyIf?: Condition }, { name, value }: Terms): string | undefined {
  if (onlyIf === undefined) return undefined;
  if (onlyIf === 'absent') return `attribute_not_exists(${name('pk')})`;
  return Object.entries(onlyIf)
    .map(([attribute, wanted]) => {
      if (wanted === null) return `attribute_not_exists(${name(attribute)})`;
      if (typeof wanted !== 'object') return `${name(attribute)} = ${value(wanted)}`;
      return `${name(attribute)} IN (${wanted.map(value).join(', ')})`;
    })
    .join(' AND ');
}
