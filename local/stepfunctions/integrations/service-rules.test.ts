import { checkRequest, malformedEntries } from './service-rules';

const fifo = 'arn:aws:sns:us-east-1:123456789012:t.fifo';

test.each<[string, string, object, string]>([
  ['dynamodb', 'PutItem', { TableName: 't', Item: null }, "1 validation error detected: Value null at 'item'"],
  ['dynamodb', 'GetItem', {}, "2 validation errors detected: Value null at 'tableName'"],
  ['sns', 'Publish', { TopicArn: fifo, Message: 'm' }, 'The MessageGroupId parameter is required for FIFO topics'],
])('%s:%s refuses %j', (service, action, parameters, message) => {
  expect(() => checkRequest(service, action, parameters as never)).toThrow(message);
});

test.each<[string, string, object]>([
  ['dynamodb', 'PutItem', { TableName: 't', Item: {} }],
  ['dynamodb', 'Query', {}],
  ['sns', 'Publish', { TopicArn: fifo, MessageGroupId: 'g' }],
])('%s:%s takes %j', (service, action, parameters) => {
  expect(() => checkRequest(service, action, parameters as never)).not.toThrow();
});

test('EventBridge tells which details are no objects', () => {
  const refused = { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
  expect(malformedEntries([{ Detail: '{}' }, { Detail: '"text"' }, { Detail: '{' }])).toEqual({
    Entries: [{}, refused, refused],
    FailedEntryCount: 2,
  });
  expect(malformedEntries([{ Detail: '{"a":1}' }, {}])).toBeUndefined();
});
