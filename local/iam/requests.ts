import type { Place } from '../template/physical-ids';
import { leadingKeys, type PartitionKeyOf } from './leading-keys';

/** An action and a resource that a request needs. All of a request's pairs must be allowed. */
export interface Asked {
  action: string;
  resource: string;
  /** For DynamoDB: the partition keys that the request names in this table. */
  leadingKeys?: readonly string[];
}

type Input = Readonly<Record<string, unknown>>;

/** A transaction needs the actions of its items. */
const transactionActions: Readonly<Record<string, string>> = {
  ConditionCheck: 'ConditionCheckItem',
  Delete: 'DeleteItem',
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
};

/** https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html */
export function dynamodbRequests(
  operation: string,
  input: Input,
  place: Place,
  partitionKeyOf: PartitionKeyOf = () => undefined,
): Asked[] {
  const asked = (action: string, TableName: unknown, parts: readonly Input[], index?: string): Asked => ({
    action: `dynamodb:${action}`,
    resource: tableArn(String(TableName), place) + (index === undefined ? '' : `/index/${index}`),
    leadingKeys: leadingKeys(action, parts, partitionKeyOf(String(TableName), index)),
  });
  if (operation.startsWith('Transact') && Array.isArray(input.TransactItems)) {
    return (input.TransactItems as Record<string, Input>[]).flatMap((item) =>
      Object.entries(item).map(([kind, part]) => asked(transactionActions[kind] ?? kind, part.TableName, [part])),
    );
  }
  if (operation.startsWith('Batch') && input.RequestItems) {
    const tables = Object.entries(input.RequestItems as Record<string, BatchPart>);
    return tables.map(([name, part]) => asked(operation, name, partsOf(part)));
  }
  const action = `dynamodb:${operation}`;
  if (/Stream|Shard/.test(operation) && typeof input.StreamArn === 'string')
    return [{ action, resource: input.StreamArn }];
  if (input.TableName === undefined) return [{ action, resource: '*' }];
  return [asked(operation, input.TableName, [input], input.IndexName as string | undefined)];
}

/** BatchGetItem's keys of one table, or BatchWriteItem's requests. */
type BatchPart = { Keys: object[] } | { PutRequest?: Input; DeleteRequest?: Input }[];

const partsOf = (part: BatchPart): Input[] =>
  Array.isArray(part)
    ? part.map(({ PutRequest, DeleteRequest }) =>
        PutRequest ? { Item: PutRequest.Item } : { Key: DeleteRequest?.Key },
      )
    : part.Keys.map((Key) => ({ Key }));

function tableArn(name: string, { region, accountId }: Place): string {
  return name.startsWith('arn:') ? name : `arn:aws:dynamodb:${region}:${accountId}:table/${name}`;
}

/**
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsstepfunctions.html
 *
 * Only the engine knows which state machine a task token belongs to, so a role that may answer any of the state
 * machines may answer here.
 */
export function stepFunctionsRequests(
  operation: string,
  input: Input,
  stateMachineArns: readonly string[],
): { anyOf: Asked[] } {
  const action = `states:${operation}`;
  if (operation.startsWith('SendTask')) return { anyOf: stateMachineArns.map((resource) => ({ action, resource })) };
  const resource =
    input.executionArn ?? input.stateMachineArn ?? input.mapRunArn ?? input.activityArn ?? input.resourceArn ?? '*';
  return { anyOf: [{ action, resource: String(resource) }] };
}
