import { jsonTexts } from './json-texts';

test.each<[string, object, object]>([
  ['sfn', { Input: { Key: [1] }, Name: 'n' }, { Input: '{"Key":[1]}', Name: 'n' }],
  ['sfn', { Input: '{"a":1}' }, { Input: '{"a":1}' }],
  ['sfn', { Input: null }, { Input: null }],
  ['sfn', { Output: true }, { Output: 'true' }],
  ['events', { Entries: [{ Detail: { a: 1 } }] }, { Entries: [{ Detail: '{"a":1}' }] }],
  ['sqs', { MessageBody: { a: 1 } }, { MessageBody: '{"a":1}' }],
  ['dynamodb', { Item: { Message: { S: 'x' } } }, { Item: { Message: { S: 'x' } } }],
])('%s is asked with %j as %j', (service, given, sent) => {
  expect(jsonTexts(service, given as never)).toEqual(sent);
});
