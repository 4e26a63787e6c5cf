import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { assertReadable } from '../rows/kinds';
import { wellFormed } from '../text/clip';

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
 */
export type RowWrite =
  | SetWrite
  | (At & { put: object; onlyIf?: Condition })
  | (At & { add: Record<string, number>; atMost?: Record<string, number> })
  | (At & { mark: { ttl: number } });
export type SetWrite = At & {
  set: Record<string, unknown>;
  remove?: string[];
  onlyIf: Condition;
};

interface At {
  pk?: string;
  sk: string;
}

interface Expression {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
  ConditionExpression?: string;
  UpdateExpression?: string;
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

/**
 * Converts the write to an item of a DynamoDB transaction. Undefined values are left out.
 *
 * @throws UnreadableRow if what is written could not be read afterwards.
 */
export function toItem(table: string, conversation: string, write: RowWrite): TransactItem {
  const { pk = conversation } = write;
  assertReadable({ ...write, pk });
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const name = (attribute: string) => {
    names[`#${attribute}`] = attribute;
    return `#${attribute}`;
  };
  const value = (content: unknown) => {
    const placeholder = `:v${Object.keys(values).length}`;
    values[placeholder] = stored(content);
    return placeholder;
  };
  const update = (UpdateExpression: string, ConditionExpression?: string) => ({
    Update: { TableName: table, Key: { pk, sk: write.sk }, UpdateExpression, ConditionExpression, ...attributes() },
  });
  if ('add' in write) {
    const sums = Object.entries(write.add).map(([attribute, sum]) => `${name(attribute)} ${value(sum)}`);
    const tests = Object.entries(write.atMost ?? {}).flatMap(([attribute, most]) => {
      const sum = write.add[attribute] ?? 0;
      if (sum <= 0) return [];
      const test = `${name(attribute)} <= ${value(most - sum)}`;
      return sum > most ? [test] : [`(attribute_not_exists(${name(attribute)}) OR ${test})`];
    });
    return update(`ADD ${sums.join(', ')}`, tests.length > 0 ? tests.join(' AND ') : undefined);
  }
  if ('mark' in write) return update(`SET ${name('ttl')} = ${value(write.mark.ttl)}`);
  const condition = write.onlyIf && conditionExpression(write.onlyIf, name, value);

  if ('put' in write) {
    const expression: Expression = condition ? { ConditionExpression: condition } : {};
    return {
      Put: {
        TableName: table,
        Item: { ...(stored(write.put) as object), pk, sk: write.sk },
        ...expression,
        ...attributes(),
      },
    };
  }
  const set = [
    ...Object.entries(write.set)
      .filter(([, content]) => content !== undefined)
      .map(([attribute, content]) => `${name(attribute)} = ${value(content)}`),
    `${name('version')} = ${name('version')} + ${value(1)}`,
  ];
  const parts = [
    `SET ${set.join(', ')}`,
    ...(write.remove?.length ? [`REMOVE ${write.remove.map(name).join(', ')}`] : []),
  ];
  return update(parts.join(' '), condition);

  function attributes(): Expression {
    return {
      ...(Object.keys(names).length && { ExpressionAttributeNames: names }),
      ...(Object.keys(values).length && { ExpressionAttributeValues: values }),
    };
  }
}

/**
 * Returns the writes with one `add` for each row, because a transaction changes a row at most once. They come last: if the
 * conditions of several rows fail, the failure of another row is reported.
 */
export function mergeAdds(writes: RowWrite[]): RowWrite[] {
  const sums = new Map<string, Extract<RowWrite, { add: object }>>();
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

function conditionExpression(
  condition: Condition,
  name: (attribute: string) => string,
  value: (content: unknown) => string,
): string {
  if (condition === 'absent') return `attribute_not_exists(${name('pk')})`;
  return Object.entries(condition)
    .map(([attribute, wanted]) => {
      if (wanted === null) return `attribute_not_exists(${name(attribute)})`;
      if (typeof wanted !== 'object') return `${name(attribute)} = ${value(wanted)}`;
      return `${name(attribute)} IN (${wanted.map(value).join(', ')})`;
    })
    .join(' AND ');
}
