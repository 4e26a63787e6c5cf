import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** What must hold of the row as it is: each attribute equals the value, or is one of the values. `'absent'`: no such row. */
export type Condition = 'absent' | Record<string, string | number | readonly (string | number)[]>;

/** A write of one row of a conversation. `onlyIf` is what makes it safe when it runs twice, or beside itself. */
export type RowWrite =
  | { sk: string; put: object; onlyIf?: Condition }
  | { sk: string; set: Record<string, unknown>; remove?: string[]; onlyIf: Condition };

interface Expression {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
  ConditionExpression?: string;
  UpdateExpression?: string;
}

/** The write as DynamoDB's transactions and single-row calls take it. Undefined values are left out. */
export function toItem(table: string, pk: string, write: RowWrite): TransactItem {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const name = (attribute: string) => {
    names[`#${attribute}`] = attribute;
    return `#${attribute}`;
  };
  const value = (content: unknown) => {
    const placeholder = `:v${Object.keys(values).length}`;
    values[placeholder] = content;
    return placeholder;
  };
  const condition = write.onlyIf && conditionExpression(write.onlyIf, name, value);

  if ('put' in write) {
    const expression: Expression = condition ? { ConditionExpression: condition } : {};
    return { Put: { TableName: table, Item: { ...write.put, pk, sk: write.sk }, ...expression, ...attributes() } };
  }
  const set = Object.entries(write.set).filter(([, content]) => content !== undefined);
  const parts = [
    `SET ${[...set.map(([attribute, content]) => `${name(attribute)} = ${value(content)}`), `${name('version')} = ${name('version')} + ${value(1)}`].join(', ')}`,
    ...(write.remove?.length ? [`REMOVE ${write.remove.map(name).join(', ')}`] : []),
  ];
  return {
    Update: {
      TableName: table,
      Key: { pk, sk: write.sk },
      UpdateExpression: parts.join(' '),
      ConditionExpression: condition!,
      ...attributes(),
    },
  };

  function attributes(): Expression {
    return {
      ...(Object.keys(names).length && { ExpressionAttributeNames: names }),
      ...(Object.keys(values).length && { ExpressionAttributeValues: values }),
    };
  }
}

function conditionExpression(
  condition: Condition,
  name: (attribute: string) => string,
  value: (content: unknown) => string,
): string {
  if (condition === 'absent') return `attribute_not_exists(${name('pk')})`;
  return Object.entries(condition)
    .map(([attribute, wanted]) =>
      Array.isArray(wanted)
        ? `${name(attribute)} IN (${wanted.map(value).join(', ')})`
        : `${name(attribute)} = ${value(wanted)}`,
    )
    .join(' AND ');
}
