import type { TaskResource } from '../../execution/task-resource';
import { runtimeFailure } from '../../language/errors';
import { isObject, type Json, type JsonObject, jsonText } from '../../language/json';

const item = 'ConditionExpression ConditionalOperator Expected ExpressionAttributeNames ExpressionAttributeValues ';
const returned = 'ReturnConsumedCapacity ReturnItemCollectionMetrics ReturnValues ReturnValuesOnConditionCheckFailure';

/** The parameters of each optimised integration, with an exclamation mark where it cannot do without one. */
const optimised: Record<string, string> = {
  'dynamodb:getItem':
    'TableName! Key! AttributesToGet ConsistentRead ExpressionAttributeNames ProjectionExpression ReturnConsumedCapacity',
  'dynamodb:putItem': `TableName! Item! ${item}${returned}`,
  'dynamodb:updateItem': `TableName! Key! AttributeUpdates UpdateExpression ${item}${returned}`,
  'dynamodb:deleteItem': `TableName! Key! ${item}${returned}`,
  'events:putEvents': 'Entries! EndpointId',
  'lambda:invoke': 'FunctionName! ClientContext InvocationType LogType Payload Qualifier TenantId',
  'sns:publish':
    'Message! MessageAttributes MessageDeduplicationId MessageGroupId MessageStructure PhoneNumber Subject TargetArn TopicArn',
  'sqs:sendMessage':
    'QueueUrl! MessageBody! DelaySeconds MessageAttributes MessageDeduplicationId MessageGroupId MessageSystemAttributes',
  'states:startExecution': 'StateMachineArn! Input Name TraceHeader',
};

interface Fields {
  readonly all: ReadonlySet<string>;
  readonly required: readonly string[];
}

const known = new Map<string, Fields>(
  Object.entries(optimised).map(([name, text]) => {
    const fields = text.split(' ');
    const required = fields.filter((field) => field.endsWith('!')).map((field) => field.slice(0, -1));
    return [name, { all: new Set(fields.map((field) => field.replace('!', ''))), required }];
  }),
);

/** Texts that are never made from other JSON. */
const texts = new Set(['FunctionName', 'QueueUrl', 'Qualifier', 'StateMachineArn', 'TableName', 'TopicArn']);

/**
 * Whether an integration takes a parameter of this name. Names begin with a capital, also where they do not in the service's API. A function
 * that is named by its ARN takes any.
 */
export function isSupported({ kind, service, action }: TaskResource, name: string): boolean {
  if (kind !== 'service') return true;
  const fields = known.get(`${service}:${action}`);
  return fields ? fields.all.has(name) : !(service.startsWith('aws-sdk:') && /^[a-z]/.test(name));
}

/** Checks that come before the call: such a task is never scheduled. Throws StateFailure. */
export function checkParameters(resource: TaskResource, parameters: Json, field: string): void {
  const { service, action, kind } = resource;
  if (kind !== 'service' || !isObject(parameters)) return;
  const problems = [
    ...Object.keys(parameters)
      .filter((name) => !isSupported(resource, name))
      .map((name) => `The field "${name}" is not supported by Step Functions`),
    ...(known.get(`${service}:${action}`)?.required ?? [])
      .filter((name) => !Object.hasOwn(parameters, name))
      .map((name) => `The field '${name}' is required but was missing`),
    ...wrongTypes(parameters, service.endsWith('dynamodb')),
  ];
  if (problems.length === 0) return;
  throw runtimeFailure(
    `The ${field} '${jsonText(parameters)}' could not be used to start the Task: [${problems.join(', ')}]`,
  );
}

const notText = (name: string) => `The value for the field '${name}' must be a STRING`;

function wrongTypes(parameters: JsonObject, dynamodb: boolean): string[] {
  const names = Object.keys(parameters).filter((name) => texts.has(name) && !isText(parameters[name]));
  const inside = dynamodb ? [parameters.Item, parameters.Key, parameters.ExpressionAttributeValues] : [];
  return [...names, ...inside.flatMap((each) => (isObject(each) ? Object.values(each).flatMap(attribute) : []))].map(
    notText,
  );
}

/** Null is left to the service. */
const isText = (value: Json | undefined) => value === null || typeof value === 'string';

/** The types of a DynamoDB attribute, however deep, whose value is no text where it has to be one: numbers, above all. */
function attribute(value: Json): string[] {
  if (!isObject(value)) return [];
  const { M, L } = value;
  return [
    ...['S', 'N'].filter((type) => Object.hasOwn(value, type) && !isText(value[type])),
    ...(isObject(M) ? Object.values(M).flatMap(attribute) : []),
    ...(Array.isArray(L) ? L.flatMap(attribute) : []),
  ];
}
