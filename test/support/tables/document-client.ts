import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { dynamodbClient } from '../../../local/dynamodb/client';

/** The commands of the code under test, with DynamoDB's names for their operations. */
const operations: Record<string, string> = {
  GetCommand: 'GetItem',
  PutCommand: 'PutItem',
  UpdateCommand: 'UpdateItem',
  DeleteCommand: 'DeleteItem',
  QueryCommand: 'Query',
  ScanCommand: 'Scan',
  TransactWriteCommand: 'TransactWriteItems',
};
/** The fields of a request that contain rows or values. */
const valuesIn = new Set(['Item', 'Key', 'ExclusiveStartKey', 'ExpressionAttributeValues']);

/**
 * Sends the SDK's commands to an engine without the SDK's client, whose middleware costs several times as much as the
 * engine. `table.test.ts` compares the results with the SDK's. It omits undefined values, like the product's client.
 */
export function documentClient(endpoint: string): DynamoDBDocumentClient {
  const client = dynamodbClient(endpoint);
  const send = async (command: { input: object }) => {
    const operation = operations[command.constructor.name];
    if (!operation) throw new Error(`The tests' client does not support ${command.constructor.name}.`);
    return toDocuments(await client.call(operation, toAttributes(command.input) as object));
  };
  return { send, destroy: client.stop } as unknown as DynamoDBDocumentClient;
}

function toAttributes(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(toAttributes);
  if (typeof part !== 'object' || part === null) return part;
  const fields = Object.entries(part).map(([name, value]) => [
    name,
    value !== undefined && valuesIn.has(name) ? toRow(value) : toAttributes(value),
  ]);
  return Object.fromEntries(fields);
}

function toDocuments(answer: Record<string, unknown>): Record<string, unknown> {
  const documents = { ...answer };
  for (const name of ['Item', 'Attributes', 'LastEvaluatedKey'])
    if (answer[name]) documents[name] = toDocument(answer[name] as Row);
  if (answer.Items) documents.Items = (answer.Items as Row[]).map(toDocument);
  return documents;
}

type Row = Record<string, AttributeValue>;

const toRow = (document: unknown): Row =>
  eachIn(
    marshall(document, { removeUndefinedValues: true }),
    (bytes) => Buffer.from(bytes).toString('base64') as never,
  );

const toDocument = (row: Row): Record<string, unknown> =>
  unmarshall(eachIn(row, (text) => new Uint8Array(Buffer.from(text as never, 'base64'))));

/** JSON has no bytes, so they travel in Base64. */
type Code = (bytes: Uint8Array) => Uint8Array;

const eachIn = (row: Row, code: Code): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, coded(value, code)]));

function coded(value: AttributeValue, code: Code): AttributeValue {
  if (value.B) return { B: code(value.B) };
  if (value.BS) return { BS: value.BS.map(code) };
  if (value.L) return { L: value.L.map((one) => coded(one, code)) };
  if (value.M) return { M: eachIn(value.M, code) };
  return value;
}
