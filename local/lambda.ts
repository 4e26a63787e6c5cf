import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AwsError } from './aws-error';
import type { Clock } from './clock';
import type { Fault, Faults } from './faults';
import { type Credentials, lambdaEnvironment, memoryMb } from './lambda-environment';
import { type LambdaLog, openLambdaLog } from './lambda-log';
import { type Pool, type RunResult, startPool } from './lambda-pool';
import { workerCode } from './lambda-sandbox';
import type { FunctionError } from './lambda-worker';
import type { Resource } from './template';

/** The functions of the template, by name or ARN. */
export interface Lambda {
  /** Resolves with what the function answered or failed with; rejects with an `AwsError` where the service itself refuses. */
  invoke(functionName: string, payload: string, signal?: AbortSignal): Promise<InvokeResult>;
  /** Queues an event: it is run at once, and twice more, a minute and two later, if it fails. */
  invokeLater(functionName: string, payload: string): void;
  /** The function that a name or ARN means, if there is one. */
  find(functionName: string): Resource | undefined;
  stop(): Promise<void>;
}

export interface InvokeResult {
  payload: string;
  functionError?: 'Unhandled';
  executedVersion: '$LATEST';
}

export interface LambdaOptions {
  functions: readonly Resource[];
  stateDirectory: string;
  region: string;
  awsUrl: string;
  credentialsOf: (lambda: Resource) => Credentials;
  variables: Readonly<Record<string, string>>;
  /** See `WorkerSetup`. */
  offset: SharedArrayBuffer;
  clock: Clock;
  faults: Faults;
}

const PAYLOAD_LIMIT = 6_291_556;
const ASYNC_RETRY_DELAYS_MS = [60_000, 120_000];
/** Threads share one machine; more events wait for a sandbox as if the function had this much reserved concurrency. */
const SANDBOX_CAP = 16;

export async function startLambda(options: LambdaOptions): Promise<Lambda> {
  const code = await workerCode();
  const opened = await Promise.all(options.functions.map((lambda) => openFunction(lambda, code, options)));
  const functions = new Map(opened.map((one) => [one.lambda.ref, one]));
  let stopped = false;

  const find = (functionName: string) => functions.get(bareName(functionName));
  const lambda: Lambda = {
    find: (functionName) => find(functionName)?.lambda,
    async invoke(functionName, payload, signal) {
      const found = find(functionName);
      if (!found) throw new AwsError('ResourceNotFoundException', `Function not found: ${functionName}`, 404);
      signal?.throwIfAborted();
      // Who stops waiting does not stop the function: neither does StopExecution on AWS.
      const result = await untilAborted(found.invoke(payload), signal);
      if (stopped) throw new AwsError('ServiceException', 'The local cloud is stopping.', 500);
      return result;
    },
    invokeLater(functionName, payload) {
      const attempt = (number: number): void => {
        const again = () => {
          const delay = ASYNC_RETRY_DELAYS_MS[number];
          if (delay !== undefined && !stopped) options.clock.at(options.clock.now() + delay, () => attempt(number + 1));
        };
        lambda.invoke(functionName, payload).then((result) => result.functionError && again(), again);
      };
      attempt(0);
    },
    async stop() {
      stopped = true;
      await Promise.all(opened.map((one) => one.stop()));
    },
  };
  return lambda;
}

interface LambdaFunction {
  lambda: Resource;
  invoke(payload: string): Promise<InvokeResult>;
  stop(): Promise<void>;
}

async function openFunction(lambda: Resource, code: string, options: LambdaOptions): Promise<LambdaFunction> {
  const { ref: functionName, properties } = lambda;
  const log = await openLambdaLog(options.stateDirectory, lambda.name);
  const reserved = properties.ReservedConcurrentExecutions as number | undefined;
  const timeoutSeconds = Number(properties.Timeout ?? 3);
  const [file, handler] = handlerOf(lambda);
  const credentials = options.credentialsOf(lambda);
  const setup = {
    ...{ file, handler, functionName, offset: options.offset },
    functionArn: String(lambda.attributes.Arn),
    memoryMb: memoryMb(lambda),
  };
  const environment = lambdaEnvironment(lambda, { ...options, credentials });
  const pool = startPool({ code, setup, environment, print: log.print }, SANDBOX_CAP);

  return {
    lambda,
    async invoke(payload) {
      if (Buffer.byteLength(payload) > PAYLOAD_LIMIT) {
        throw new AwsError('RequestTooLargeException', `Request must be smaller than ${PAYLOAD_LIMIT} bytes`, 413);
      }
      if (reserved !== undefined && pool.active() >= reserved) throw throttled();
      const fault = options.faults.take(functionName);
      const invocation = { requestId: randomUUID(), payload, timeoutMs: timeoutSeconds * 1_000 };
      const result = await runWith(fault, pool, invocation);
      report(log, invocation.requestId, result);
      if (fault) return faulty(fault, invocation.requestId, timeoutSeconds);
      return answer(result, invocation.requestId, timeoutSeconds);
    },
    async stop() {
      await pool.stop();
      await log.stop();
    },
  };
}

function handlerOf(lambda: Resource): [file: string, handler: string] {
  const [, path, handler] = /^(.*)\.([^.]+)$/.exec(String(lambda.properties.Handler)) ?? [];
  if (!path || !handler || !lambda.assetPath)
    throw new Error(`The function ${lambda.logicalId} names no handler in a bundle.`);
  const candidates = ['.js', '.mjs', '.cjs'].map((extension) => join(String(lambda.assetPath), path + extension));
  const file = candidates.find((candidate) => existsSync(candidate));
  if (file) return [file, handler];
  throw new Error(`The bundle of ${lambda.logicalId} is not there: ${candidates[0]}.`);
}

async function runWith(
  fault: Fault | undefined,
  pool: Pool,
  invocation: Parameters<Pool['run']>[0],
): Promise<RunResult | undefined> {
  if (fault?.at === 'before') return undefined;
  return pool.run(invocation, typeof fault?.at === 'number' ? fault.at : undefined);
}

function answer(result: RunResult | undefined, requestId: string, timeoutSeconds: number): InvokeResult {
  const ending = result?.ending ?? { kind: 'killed' as const };
  if (ending.kind === 'failed') return failed(ending.error);
  if (ending.kind === 'timed-out') return failed(timedOut(requestId, timeoutSeconds));
  if (ending.kind === 'killed') return failed(crashed(requestId));
  if (ending.kind === 'exited') {
    const { errorMessage } = ending.error;
    return failed({
      ...ending.error,
      errorMessage: errorMessage.replace(/^Error: Runtime/, `RequestId: ${requestId} Error: Runtime`),
    });
  }
  if (Buffer.byteLength(ending.payload) <= PAYLOAD_LIMIT)
    return { payload: ending.payload, executedVersion: '$LATEST' };
  const errorMessage = `Response payload size exceeded maximum allowed payload size (${PAYLOAD_LIMIT} bytes).`;
  return failed({ errorType: 'Function.ResponseSizeTooLarge', errorMessage, trace: [] });
}

function faulty({ kind }: Fault, requestId: string, timeoutSeconds: number): InvokeResult {
  if (kind === 'throttle') throw throttled();
  if (kind === 'timeout') return failed(timedOut(requestId, timeoutSeconds));
  if (kind === 'crash') return failed(crashed(requestId));
  return failed({ errorType: 'Error', errorMessage: 'This error was ordered by /_local/faults.', trace: [] });
}

/** Lambda sends the trace only with errors that the function threw. */
function failed({ errorType, errorMessage, trace }: FunctionError): InvokeResult {
  const body = trace.length ? { errorType, errorMessage, trace } : { errorType, errorMessage };
  return { payload: JSON.stringify(body), functionError: 'Unhandled', executedVersion: '$LATEST' };
}

function timedOut(requestId: string, seconds: number): FunctionError {
  const errorMessage = `RequestId: ${requestId} Error: Task timed out after ${seconds.toFixed(2)} seconds`;
  return { errorType: 'Sandbox.Timedout', errorMessage, trace: [] };
}

function crashed(requestId: string): FunctionError {
  const errorMessage = `RequestId: ${requestId} Error: Runtime exited with error: signal: killed`;
  return { errorType: 'Runtime.ExitError', errorMessage, trace: [] };
}

function throttled(): AwsError {
  return new AwsError('TooManyRequestsException', 'Rate Exceeded.', 429);
}

function report(log: LambdaLog, requestId: string, result: RunResult | undefined): void {
  if (!result) return;
  const load = result.loadMs === undefined ? '' : ` Init Duration: ${result.loadMs.toFixed(1)} ms`;
  log.print(
    `REPORT RequestId: ${requestId} Duration: ${result.durationMs.toFixed(1)} ms${load} Status: ${result.ending.kind}\n`,
  );
}

function bareName(functionName: string): string {
  const arn = /^(?:arn:aws:lambda:[^:]+:\d+:)?(?:\d+:)?function:([^:]+)/.exec(functionName);
  return arn?.[1] ?? functionName.split(':')[0] ?? '';
}

/** Rejects as soon as the signal aborts, and leaves no listener on it otherwise. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
