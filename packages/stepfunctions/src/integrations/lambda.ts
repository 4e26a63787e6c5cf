import { randomUUID } from 'node:crypto';
import { type Integration, type ServiceError, type TaskCall, TaskError, unreachable } from '../engine/integration';
import { isObject, type Json, type JsonObject, JsonOutOfRange, jsonText, parseJson } from '../language/json';
import { sdkMetadata } from './sdk-metadata';
import { errorClass } from './service-errors';

/** An invocation of a function. Errors that the service itself throws carry its error's name. */
export interface LambdaRequest {
  /** A name or an ARN. */
  functionName: string;
  /** JSON text. */
  payload: string;
  signal: AbortSignal;
  /** The role that calls. */
  principal: string;
  /** Asks for the end of the function's log. */
  logType?: 'Tail';
}

export interface LambdaAnswer {
  /** JSON text, or nothing. */
  payload: string;
  functionError?: string;
  executedVersion?: string;
  /** Base64. */
  logResult?: string;
}

export type InvokeLambda = (request: LambdaRequest) => Promise<LambdaAnswer>;

/** A Task whose Resource is a function's ARN: the input is the event, the function's answer the result. */
export function lambdaFunction(invoke: InvokeLambda): Integration {
  return {
    async call(call) {
      // A string given to a function directly is JSON like any other value.
      const { payload } = await invoked(invoke, requestOf(call, call.resource.arn, jsonText(call.parameters)));
      return payload;
    },
  };
}

/** The status of a call that does not wait for the function. `DryRun` does not even invoke it. */
const unawaitedStatus = new Map<unknown, number>([
  ['Event', 202],
  ['DryRun', 204],
]);

/** `states:::lambda:invoke`, with and without a task token. */
export function lambdaInvoke(invoke: InvokeLambda): Integration {
  return {
    async call(call) {
      const { request, unawaited } = begun(invoke, call);
      if (unawaited !== undefined)
        return { ...sdkMetadata({ 'Content-Length': '0' }, unawaited), StatusCode: unawaited };
      const { payload, text, version, log } = await invoked(invoke, request);
      return {
        ExecutedVersion: version,
        ...(request.logType && { LogResult: log ?? '' }),
        Payload: payload,
        ...sdkMetadata({
          'X-Amz-Executed-Version': version,
          'x-amzn-Remapped-Content-Length': '0',
          'Content-Length': String(Buffer.byteLength(text)),
          'X-Amzn-Trace-Id': `Root=1-${randomUUID()}`,
          'Content-Type': 'application/json',
        }),
        StatusCode: 200,
      } satisfies JsonObject;
    },
  };
}

/** `states:::aws-sdk:lambda:invoke`: the API as it is, the payload as text, a function's error no failure of the call. */
export function lambdaSdk(invoke: InvokeLambda): Integration {
  return {
    async call(call) {
      const { request, unawaited } = begun(invoke, call);
      if (unawaited !== undefined) return { Payload: '', StatusCode: unawaited };
      try {
        const answer = await invoke(request);
        return {
          ExecutedVersion: answer.executedVersion ?? '$LATEST',
          ...(request.logType && { LogResult: answer.logResult ?? '' }),
          ...(answer.functionError !== undefined && { FunctionError: answer.functionError }),
          Payload: answer.payload,
          StatusCode: 200,
        } satisfies JsonObject;
      } catch (error) {
        throw serviceFailure(error, sdk);
      }
    },
  };
}

/** Reads the request from the parameters. A function that the call does not wait for is invoked here; `unawaited` is the call's status. */
function begun(invoke: InvokeLambda, call: TaskCall): { request: LambdaRequest; unawaited?: number } {
  const parameters = isObject(call.parameters) ? call.parameters : {};
  const { FunctionName, Payload, InvocationType, Qualifier, LogType } = parameters;
  if (typeof FunctionName !== 'string') throw new TaskError('States.Runtime', 'The field FunctionName is required');
  const name = typeof Qualifier === 'string' ? `${FunctionName}:${Qualifier}` : FunctionName;
  const request = requestOf(call, name, Payload ?? {});
  if (InvocationType === 'Event') void invoke(request).catch(() => undefined);
  return {
    request: { ...request, ...(LogType === 'Tail' && { logType: 'Tail' }) },
    unawaited: unawaitedStatus.get(InvocationType),
  };
}

const requestOf = (call: TaskCall, functionName: string, payload: Json): LambdaRequest => ({
  functionName,
  payload: typeof payload === 'string' ? asJson(payload) : jsonText(payload),
  signal: call.signal,
  principal: call.principal,
});

/** A payload that is a string is sent as it is where it is JSON text. */
function asJson(text: string): string {
  try {
    parseJson(text);
    return text;
  } catch {
    return jsonText(text);
  }
}

async function invoked(invoke: InvokeLambda, request: LambdaRequest) {
  let answer: LambdaAnswer;
  try {
    answer = await invoke(request);
  } catch (error) {
    throw serviceFailure(error, optimised);
  }
  if (answer.functionError !== undefined) throw functionFailure(answer.payload);
  return {
    payload: parsed(answer.payload),
    text: answer.payload,
    version: answer.executedVersion ?? '$LATEST',
    log: answer.logResult,
  };
}

function parsed(text: string): Json {
  if (text === '') return null;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonOutOfRange)
      throw new TaskError('States.TaskFailed', `The function's result cannot be read: ${error.message}`);
    return text;
  }
}

/** A function that threw: the error's type is the name, its whole description the cause. One that ran out of time has no type. */
function functionFailure(payload: string): TaskError {
  const described = parsed(payload);
  if (isObject(described) && typeof described.errorType === 'string')
    return new TaskError(described.errorType, payload);
  const cause = 'The cause could not be determined because Lambda did not return an error type.';
  return new TaskError('Lambda.Unknown', payload === '' ? cause : `${cause} Returned payload: ${payload}`);
}

/** Names and explains the error of a refused call: as the older client of AWS's SDK does, or the newer one. */
type Explain = (error: Required<ServiceError>) => [name: string, cause: string];

const optimised: Explain = ({ name, message, status, requestId }) => [
  errorClass('lambda', name, 'AWSLambdaException'),
  `${message} (Service: AWSLambda; Status Code: ${status}; Error Code: ${name}; Request ID: ${requestId}; Proxy: null)`,
];

const sdk: Explain = ({ name, message, status, requestId }) => [
  errorClass('lambda', name, 'LambdaException'),
  `${message} (Service: Lambda, Status Code: ${status}, Request ID: ${requestId})`,
];

function serviceFailure(error: unknown, explain: Explain): TaskError {
  if (error instanceof TaskError) return error;
  const { name, message, status = 400, requestId = randomUUID() } = error as Partial<ServiceError>;
  if (name === undefined || name === 'Error' || name === 'TypeError')
    return new TaskError('Lambda.SdkClientException', unreachable(error));
  const [type, cause] = explain({ name, message: message ?? '', status, requestId });
  return new TaskError(`Lambda.${type}`, cause);
}
