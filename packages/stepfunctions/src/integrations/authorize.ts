import { randomUUID } from 'node:crypto';
import { type TaskCall, TaskError } from '../engine/integration';
import { isObject, type Json } from '../language/json';

/** The authorization request that IAM would receive. */
export interface AuthorizationRequest {
  /** The state machine's role. */
  principal: string;
  /** `lambda:InvokeFunction` */
  action: string;
  /** An ARN. */
  resource: string;
}

/** Throws where the role may not. */
export type Authorize = (request: AuthorizationRequest) => void;

interface Permission {
  action: string;
  /** The ARN that the call concerns, out of its parameters. */
  resource(text: (name: string) => string, arn: (service: string, rest: string) => string): string;
  /** The name of the failure. */
  error: string;
}

const functionArn: Permission['resource'] = (text, arn) =>
  text('FunctionName').startsWith('arn:') ? text('FunctionName') : arn('lambda', `function:${text('FunctionName')}`);
const tableArn: Permission['resource'] = (text, arn) => arn('dynamodb', `table/${text('TableName')}`);
const dynamodb = (action: string): Permission => ({
  action: `dynamodb:${action}`,
  resource: tableArn,
  error: 'DynamoDB.AmazonDynamoDBException',
});

/** The permission that a role needs for each optimised integration. */
const permissions: Record<string, Permission> = {
  'lambda:invoke': { action: 'lambda:InvokeFunction', resource: functionArn, error: 'Lambda.AWSLambdaException' },
  'states:startExecution': {
    action: 'states:StartExecution',
    resource: (text) => text('StateMachineArn'),
    error: 'StepFunctions.AWSStepFunctionsException',
  },
  'sfn:startSyncExecution': {
    action: 'states:StartSyncExecution',
    resource: (text) => text('StateMachineArn'),
    error: 'Sfn.SfnException',
  },
  'dynamodb:getItem': dynamodb('GetItem'),
  'dynamodb:putItem': dynamodb('PutItem'),
  'dynamodb:updateItem': dynamodb('UpdateItem'),
  'dynamodb:deleteItem': dynamodb('DeleteItem'),
  'sqs:sendMessage': {
    action: 'sqs:SendMessage',
    resource: (text, arn) => arn('sqs', text('QueueUrl').split('/').pop() ?? ''),
    error: 'SQS.AmazonSQSException',
  },
  'sns:publish': { action: 'sns:Publish', resource: (text) => text('TopicArn'), error: 'SNS.AmazonSNSException' },
  'events:putEvents': {
    action: 'events:PutEvents',
    resource: (_text, arn) => arn('events', 'event-bus/default'),
    error: 'EventBridge.AmazonEventBridgeException',
  },
};

/** The check that runs before each call. Throws TaskError, named as AWS names a refusal. */
export function authorization(
  authorize: Authorize | undefined,
  region: string,
  accountId: string,
): (call: TaskCall) => void {
  if (authorize === undefined) return () => undefined;
  const arn = (service: string, rest: string) => `arn:aws:${service}:${region}:${accountId}:${rest}`;
  return ({ resource, parameters, principal }) => {
    const name =
      resource.kind === 'lambda' ? 'lambda:invoke' : `${resource.service.replace(/^aws-sdk:/, '')}:${resource.action}`;
    const permission = permissions[name] ?? {
      action: name,
      resource: () => '*',
      error: `${resource.service}.AccessDeniedException`,
    };
    const text = (field: string) => textField(parameters, field);
    const target = resource.kind === 'lambda' ? resource.arn : permission.resource(text, arn);
    try {
      authorize({ principal, action: permission.action, resource: target });
    } catch (error) {
      const said =
        (error as Error).message ||
        `User: ${principal} is not authorized to perform: ${permission.action} on resource: ${target}`;
      throw new TaskError(
        permission.error,
        `${said} (Status Code: 403; Error Code: AccessDeniedException; Request ID: ${randomUUID()}; Proxy: null)`,
      );
    }
  };
}

const textField = (parameters: Json, field: string): string => {
  const value = isObject(parameters) ? parameters[field] : undefined;
  return typeof value === 'string' ? value : '';
};
