import type { Place } from '../template/physical-ids';

/** An action and a resource that a request needs. All of a request's pairs must be allowed. */
export interface Asked {
  action: string;
  resource: string;
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
export function dynamodbRequests(operation: string, input: Input, place: Place): Asked[] {
  const table = (name: unknown) => tableArn(String(name), place);
  if (Array.isArray(input.TransactItems)) {
    return (input.TransactItems as Record<string, { TableName: string }>[]).flatMap((item) =>
      Object.entries(item).map(([kind, { TableName }]) => ({
        action: `dynamodb:${transactionActions[kind] ?? kind}`,
        resource: table(TableName),
      })),
    );
  }
  const action = `dynamodb:${operation}`;
  if (operation.startsWith('Batch')) {
    return Object.keys((input.RequestItems ?? {}) as object).map((name) => ({ action, resource: table(name) }));
  }
  if (typeof input.StreamArn === 'string') return [{ action, resource: input.StreamArn }];
  if (input.TableName === undefined) return [{ action, resource: '*' }];
  const index = input.IndexName === undefined ? '' : `/index/${input.IndexName}`;
  return [{ action, resource: table(input.TableName) + index }];
}

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
