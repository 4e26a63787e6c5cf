import type { Template } from '../template/template';

type Input = Readonly<Record<string, unknown>>;
type Item = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Returns the name of a table's partition key, or of that of its index. */
export type PartitionKeyOf = (table: string, index?: string) => string | undefined;

interface Keyed {
  IndexName?: string;
  KeySchema?: { AttributeName: string; KeyType: string }[];
}

export const partitionKeysIn =
  (template: Template): PartitionKeyOf =>
  (table, index) => {
    const found = template.ofType('AWS::DynamoDB::Table').find(({ ref }) => table === ref || table.endsWith(`/${ref}`));
    const { GlobalSecondaryIndexes = [], LocalSecondaryIndexes = [] } = (found?.properties ?? {}) as {
      GlobalSecondaryIndexes?: Keyed[];
      LocalSecondaryIndexes?: Keyed[];
    };
    const keyed =
      index === undefined
        ? (found?.properties as Keyed | undefined)
        : [...GlobalSecondaryIndexes, ...LocalSecondaryIndexes].find(({ IndexName }) => IndexName === index);
    return keyed?.KeySchema?.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName;
  };

type Named = (part: Input, partitionKey: string) => (Item[string] | undefined)[];
const inField =
  (field: 'Key' | 'Item'): Named =>
  (part, partitionKey) => [(part[field] as Item | undefined)?.[partitionKey]];

/** The place where each action names its keys. Other actions, such as Scan, name none. */
const named: Readonly<Record<string, Named>> = {
  BatchGetItem: inField('Key'),
  BatchWriteItem: (part, partitionKey) => inField(part.Item ? 'Item' : 'Key')(part, partitionKey),
  ConditionCheckItem: inField('Key'),
  DeleteItem: inField('Key'),
  GetItem: inField('Key'),
  PutItem: inField('Item'),
  Query: queriedValues,
  UpdateItem: inField('Key'),
};

/**
 * Returns the values of the partition keys that a request names: `dynamodb:LeadingKeys`.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 *
 * @param parts the request's parts that concern one table: items of a transaction or a batch, or the request itself.
 */
export function leadingKeys(action: string, parts: readonly Input[], partitionKey: string | undefined): string[] {
  const find = named[action];
  if (!find || partitionKey === undefined) return [];
  return parts.flatMap((part) => find(part, partitionKey)).flatMap((value) => Object.values(value ?? {}).map(String));
}

/** A Query compares the partition key with one value. Anything else names no key, so that conditions on it fail. */
function queriedValues(query: Input, partitionKey: string): Item[string][] {
  const names = (query.ExpressionAttributeNames ?? {}) as Record<string, string>;
  const values = (query.ExpressionAttributeValues ?? {}) as Item;
  const compared = [...String(query.KeyConditionExpression ?? '').matchAll(/(#?[\w.-]+)\s*=\s*(:\w+)/g)]
    .filter(([, name = '']) => (names[name] ?? name) === partitionKey)
    .map(([, , placeholder = '']) => values[placeholder] ?? {});
  return compared.length === 1 ? compared : [];
}
