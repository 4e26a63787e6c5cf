import { randomUUID } from 'node:crypto';
import { type Integration, isServiceError, type ServiceError, TaskError, unreachable } from '../engine/integration';
import { isObject, type Json, type JsonObject, jsonText } from '../language/json';
import { dated } from './dates';
import { jsonTexts } from './json-texts';
import { sdkMetadata } from './sdk-metadata';
import { errorClass } from './service-errors';
import { checkRequest } from './service-rules';

/** A call of an AWS service other than Lambda. */
export interface AwsRequest {
  /** As in the resource: `dynamodb`, `sqs`, `sns`, `events`, `s3`, `secretsmanager` … */
  service: string;
  /** As in the API: `PutItem`. */
  action: string;
  parameters: JsonObject;
  /** The role that calls. */
  principal: string;
  signal: AbortSignal;
}

/** Answers with the API's JSON. Throws an Error with `name`, `message` and `status` where the service refuses. */
export type CallAws = (request: AwsRequest) => Promise<JsonObject>;

/** The names of services in the errors and messages of the optimised integrations. */
const optimised: Record<string, { prefix: string; client: string }> = {
  dynamodb: { prefix: 'DynamoDB', client: 'AmazonDynamoDB' },
  sqs: { prefix: 'SQS', client: 'AmazonSQS' },
  sns: { prefix: 'SNS', client: 'AmazonSNS' },
  events: { prefix: 'EventBridge', client: 'AmazonEventBridge' },
};

const upper = (name: string) => name[0]!.toUpperCase() + name.slice(1);

/** An optimised integration: `states:::dynamodb:putItem`. */
export function optimisedService(
  service: string,
  call: CallAws,
  prepare: (parameters: JsonObject) => JsonObject = (same) => same,
): Integration {
  const { prefix, client } = optimised[service]!;
  // The message names the second version of DynamoDB's client, the error does not.
  const said = service === 'dynamodb' ? 'AmazonDynamoDBv2' : client;
  return {
    async call({ resource, parameters, principal, signal }) {
      const body = prepare(isObject(parameters) ? parameters : {});
      const action = upper(resource.action);
      try {
        checkRequest(service, action, body);
        const answer = await call({ service, action, parameters: body, principal, signal });
        return { ...answer, ...sdkMetadata({ 'Content-Type': 'application/x-amz-json-1.0' }) };
      } catch (error) {
        throw failure(prefix, error, ({ name, message, status = 400, requestId = randomUUID() }) => [
          errorClass(service, name, `${client}Exception`),
          `${message} (Service: ${said}; Status Code: ${status}; Error Code: ${name}; Request ID: ${requestId}; Proxy: null)`,
        ]);
      }
    },
  };
}

/** The services that `aws-sdk:` reaches, and how AWS's SDK for Java spells them in error names. */
const sdkNames: Record<string, string> = {
  dynamodb: 'DynamoDb',
  sqs: 'Sqs',
  sns: 'Sns',
  eventbridge: 'EventBridge',
  s3: 'S3',
  secretsmanager: 'SecretsManager',
};

/** A task's blob is stored as the JSON that it is: a text with its quotes. */
function asJson(service: string, action: string, parameters: JsonObject): JsonObject {
  const { Body } = parameters;
  return service === 's3' && action === 'PutObject' && typeof Body === 'string'
    ? { ...parameters, Body: jsonText(Body) }
    : parameters;
}

/** Returns the parameters as they are: what a Map state itself writes is plain text. */
export const asText = (_service: string, _action: string, parameters: JsonObject): JsonObject => parameters;

/** An AWS SDK integration: `states:::aws-sdk:s3:listObjects`. Its answer carries no metadata. */
export function sdkService(service: string, call: CallAws, blobs = asJson): Integration {
  const prefix = sdkNames[service]!;
  return {
    async call({ resource, parameters, principal, signal }): Promise<Json> {
      const target = service === 'eventbridge' ? 'events' : service;
      const action = upper(resource.action);
      const body = blobs(service, action, jsonTexts(target, isObject(parameters) ? parameters : {}));
      try {
        checkRequest(target, action, body);
        return dated(await call({ service: target, action, parameters: body, principal, signal }));
      } catch (error) {
        throw failure(prefix, error, ({ name, message, status = 400, requestId = randomUUID() }) => {
          const extended = service === 's3' ? `, Extended Request ID: ${randomUUID()}` : '';
          return [
            errorClass(target, name, `${prefix}Exception`),
            `${message} (Service: ${prefix}, Status Code: ${status}, Request ID: ${requestId}${extended})`,
          ];
        });
      }
    },
  };
}

export const sdkServices = Object.keys(sdkNames);

function failure(prefix: string, error: unknown, describe: (error: ServiceError) => [string, string]): TaskError {
  if (error instanceof TaskError) return error;
  if (!isServiceError(error)) return new TaskError(`${prefix}.SdkClientException`, unreachable(error));
  const [name, cause] = describe(error);
  return new TaskError(`${prefix}.${name}`, cause);
}
