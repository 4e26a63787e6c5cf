import { randomUUID } from 'node:crypto';
import type { AwsRequest } from './integrations/aws-service';
import type { LambdaRequest } from './integrations/lambda';
import { isObject, type Json, type JsonObject, jsonText, parseJson } from './language/json';
import { objectStorage } from './object-storage';
import { queryProtocol } from './query-protocol';
import type { Settings } from './settings';
import type { Services } from './start';

/** An error as the service named it. */
export class HttpServiceError extends Error {
  constructor(
    override readonly name: string,
    message: string,
    readonly status: number,
    readonly requestId?: string,
  ) {
    super(message);
  }
}

/** The header's target prefix and the version of AWS JSON that each service speaks. */
const jsonServices: Record<string, { target: string; version: string }> = {
  dynamodb: { target: 'DynamoDB_20120810', version: '1.0' },
  sqs: { target: 'AmazonSQS', version: '1.0' },
  events: { target: 'AWSEvents', version: '1.1' },
  secretsmanager: { target: 'secretsmanager', version: '1.1' },
  sfn: { target: 'AWSStepFunctions', version: '1.0' },
};

/**
 * Returns the services behind endpoints: Lambda's Invoke API, AWS JSON, the query protocol (SNS) and S3. The names of endpoints are
 * `lambda`, `dynamodb`, `sqs`, `sns`, `events`, `s3` and `secretsmanager`; what has none is asked at `lambda`.
 *
 * @example
 * ```ts
 * import { httpServices, startStepFunctions } from 'vigil-stepfunctions';
 *
 * // Functions and all other services are those of MiniStack, for example.
 * const services = httpServices({ region: 'us-east-1', endpoints: { lambda: 'http://127.0.0.1:4566' } });
 * const engine = await startStepFunctions({ services });
 * await engine.stop();
 *
 * // Without an endpoint, a call says which one is missing.
 * const { invokeLambda } = httpServices({ region: 'us-east-1', endpoints: {} });
 * const request = { functionName: 'pay', payload: '{}', principal: 'any', signal: AbortSignal.timeout(1_000) };
 * invokeLambda(request); // throws no endpoint for lambda: set LAMBDA_ENDPOINT
 * ```
 */
export function httpServices({ endpoints, region }: Pick<Settings, 'endpoints' | 'region'>): Services {
  const missing = (service: string): never => {
    throw new Error(`no endpoint for ${service}: set ${service.toUpperCase()}_ENDPOINT`);
  };
  return {
    invokeLambda: (request) => invoke(endpoints.lambda ?? missing('lambda'), request),
    async callAws(request) {
      const { service } = request;
      const endpoint =
        (service === 'sqs' && queueEndpoint(request)) || endpoints[service] || endpoints.lambda || missing(service);
      if (service === 's3') return await objectStorage(endpoint, request);
      if (service === 'sns') return await queryProtocol(endpoint, request);
      return await awsJson(endpoint, region, request);
    },
  };
}

/** A queue's URL is where the SDK sends to. */
function queueEndpoint({ parameters }: AwsRequest): string | undefined {
  return typeof parameters.QueueUrl === 'string' && /^https?:/.test(parameters.QueueUrl)
    ? new URL(parameters.QueueUrl).origin
    : undefined;
}

async function invoke(endpoint: string, { functionName, payload, signal, logType }: LambdaRequest) {
  const [name, qualifier] = split(functionName);
  const query = qualifier === undefined ? '' : `?Qualifier=${encodeURIComponent(qualifier)}`;
  const response = await fetch(`${endpoint}/2015-03-31/functions/${encodeURIComponent(name)}/invocations${query}`, {
    method: 'POST',
    body: payload,
    signal,
    headers: { 'content-type': 'application/json', ...(logType && { 'x-amz-log-type': logType }), ...unsigned },
  });
  const text = await response.text();
  const requestId = response.headers.get('x-amzn-requestid') ?? randomUUID();
  if (!response.ok) throw refusal(response, text, requestId);
  return {
    payload: text,
    functionError: response.headers.get('x-amz-function-error') ?? undefined,
    executedVersion: response.headers.get('x-amz-executed-version') ?? '$LATEST',
    logResult: response.headers.get('x-amz-log-result') ?? undefined,
  };
}

/** Emulators ask for a signature's form, never for its value. */
const unsigned = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20200101/us-east-1/lambda/aws4_request, SignedHeaders=host, Signature=none',
};

/** A function goes by its name, its ARN or the end of its ARN, each with or without a version or an alias. */
function split(functionName: string): [name: string, qualifier: string | undefined] {
  const parts = functionName.split(':');
  if (parts[0] === 'arn') return [parts.slice(0, 7).join(':'), parts[7]];
  if (parts[1] === 'function') return [parts.slice(0, 3).join(':'), parts[3]];
  return [parts[0]!, parts[1]];
}

async function awsJson(
  endpoint: string,
  region: string,
  { service, action, parameters, signal }: AwsRequest,
): Promise<JsonObject> {
  const protocol = jsonServices[service];
  if (protocol === undefined) throw new Error(`this engine does not speak the protocol of ${service}`);
  const response = await fetch(`${endpoint}/`, {
    method: 'POST',
    body: jsonText(parameters),
    signal,
    headers: {
      'content-type': `application/x-amz-json-${protocol.version}`,
      'x-amz-target': `${protocol.target}.${action}`,
      authorization: `AWS4-HMAC-SHA256 Credential=local/20200101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=none`,
    },
  });
  const text = await response.text();
  if (!response.ok) throw refusal(response, text, response.headers.get('x-amzn-requestid') ?? randomUUID());
  return text === '' ? {} : (parseJson(text) as JsonObject);
}

function refusal(response: Response, text: string, requestId: string): HttpServiceError {
  let body: Json = {};
  try {
    body = parseJson(text);
  } catch {
    // An error without a body still has a status.
  }
  const said = isObject(body) ? body : {};
  // SQS keeps its older error codes in a header of their own.
  const query = response.headers.get('x-amzn-query-error')?.split(';')[0];
  const name = query ?? response.headers.get('x-amzn-errortype') ?? String(said.__type ?? `Http${response.status}`);
  const message = String(said.message ?? said.Message ?? text);
  return new HttpServiceError(name.replace(/^.*#/, '').replace(/:.*$/, ''), message, response.status, requestId);
}
