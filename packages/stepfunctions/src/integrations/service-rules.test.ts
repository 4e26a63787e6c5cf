import { checkRequest, entryProblem } from './service-rules';

const fifo = 'arn:aws:sns:us-east-1:123456789012:t.fifo';

test.each<[string, string, object, string]>([
  ['dynamodb', 'PutItem', { TableName: 't', Item: null }, "1 validation error detected: Value null at 'item'"],
  ['dynamodb', 'GetItem', {}, "2 validation errors detected: Value null at 'tableName'"],
  ['sns', 'Publish', { TopicArn: fifo, Message: 'm' }, 'The MessageGroupId parameter is required for FIFO topics'],
  ['secretsmanager', 'CreateSecret', { Name: 'Not a name' }, 'Invalid name. Must be a valid name containing'],
])('%s:%s refuses %j', (service, action, parameters, message) => {
  expect(() => checkRequest(service, action, parameters as never)).toThrow(message);
});

test.each<[string, string, object]>([
  ['dynamodb', 'PutItem', { TableName: 't', Item: {} }],
  ['dynamodb', 'Query', {}],
  ['sns', 'Publish', { TopicArn: fifo, MessageGroupId: 'g' }],
  ['secretsmanager', 'CreateSecret', { Name: 'a/B_c+d=e.f@g!h-1' }],
])('%s:%s takes %j', (service, action, parameters) => {
  expect(() => checkRequest(service, action, parameters as never)).not.toThrow();
});

const event = { Source: 's', DetailType: 't', Detail: '{"a":1}' };
test.each<[object, string | undefined]>([
  [{}, undefined],
  [{ Detail: '"text"' }, 'Detail is malformed.'],
  [{ Detail: '{' }, 'Detail is malformed.'],
  [{ Detail: undefined }, 'Parameter Detail is not valid. Reason: Detail is a required argument.'],
  [{ Source: '' }, 'Parameter Source is not valid. Reason: Source is a required argument.'],
])('EventBridge says of an event with %j: %s', (fields, message) => {
  expect(entryProblem({ ...event, ...fields } as never)?.ErrorMessage).toBe(message);
});
