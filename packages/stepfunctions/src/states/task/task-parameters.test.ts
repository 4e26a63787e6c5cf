import { parseResource } from '../../execution/task-resource';
import type { Json } from '../../language/json';
import { checkParameters } from './task-parameters';

const checked = (name: string, parameters: Json) => () =>
  checkParameters(parseResource(`arn:aws:states:::${name}`)!, parameters, 'Parameters');

test.each<[string, Json, string]>([
  ['lambda:invoke', { FunctionName: 'f', TaskToken: 't' }, 'The field "TaskToken" is not supported by Step Functions'],
  ['lambda:invoke.waitForTaskToken', { Payload: 1 }, "The field 'FunctionName' is required but was missing"],
  ['lambda:invoke', { FunctionName: 1 }, "The value for the field 'FunctionName' must be a STRING"],
  ['aws-sdk:sfn:startExecution', { stateMachineArn: 'a' }, 'The field "stateMachineArn" is not supported'],
  ['dynamodb:putItem', { TableName: 't', Item: { a: { L: [{ N: 1 }] } } }, "The value for the field 'N' must be"],
])('%s is not started with %j', (name, parameters, problem) => {
  const start = `The Parameters '${JSON.stringify(parameters)}' could not be used to start the Task: [${problem}`;
  expect(checked(name, parameters)).toThrow(start);
});

test.each<[string, Json]>([
  ['lambda:invoke', { FunctionName: 'f', LogType: 'Tail' }],
  ['sqs:sendMessage', { QueueUrl: 'q', MessageBody: null }],
  ['sns:publish', { Message: 1 }],
  ['aws-sdk:dynamodb:putItem', { TableName: 't', Item: null }],
  ['dynamodb:updateItem', { TableName: 't', Key: { a: { S: 'x' }, b: { M: { c: { N: '1' } } } } }],
])('%s is started with %j', (name, parameters) => {
  expect(checked(name, parameters)).not.toThrow();
});
