/**
 * What runs inside a Lambda's worker thread. Bundled and loaded as text, so that no loader of TypeScript runs in the thread.
 *
 * `Date` is replaced before the bundle loads: bundles keep what they find at load. The offset lies in memory shared with the cloud's
 * clock, so that a handler that is at work sees the clock move, too. Timers inside a handler stay real, as its work is.
 */

import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { loadModule } from '../code-cache';

export interface WorkerSetup {
  /** File that holds the bundle, and the name that it exports the handler under. */
  file: string;
  handler: string;
  /** Where the compiled code of bundles is kept. */
  codeCache: string;
  functionName: string;
  functionArn: string;
  memoryMb: number;
  /** Milliseconds that the local clock is ahead of the machine's. */
  offset: SharedArrayBuffer;
}

export interface Invocation {
  requestId: string;
  payload: string;
  timeoutMs: number;
}

export interface FunctionError {
  errorType: string;
  errorMessage: string;
  trace: string[];
}

export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'failed-to-load'; error: FunctionError }
  | { kind: 'done'; requestId: string; payload: string }
  | { kind: 'failed'; requestId: string; error: FunctionError };

type Handler = (event: unknown, context: object, callback: (error: unknown, result?: unknown) => void) => unknown;

const setup = workerData as WorkerSetup;

moveTime(new BigInt64Array(setup.offset));
load().then(
  ({ handler, keep }) => {
    let first = keep;
    parentPort?.on('message', async (invocation: Invocation) => {
      await serve(handler, invocation);
      // After its first event: by then the functions that every event needs are compiled.
      first?.();
      first = undefined;
    });
    post({ kind: 'ready' });
  },
  (error) => post({ kind: 'failed-to-load', error: describe(error) }),
);

function moveTime(offset: BigInt64Array): void {
  const RealDate = Date;
  const now = () => RealDate.now() + Number(Atomics.load(offset, 0));
  const moved = new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, given, newTarget) => Reflect.construct(target, given.length ? given : [now()], newTarget),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  });
  Object.defineProperty(RealDate.prototype, 'constructor', { value: moved, writable: true, configurable: true });
  globalThis.Date = moved;
}

interface Loaded {
  handler: Handler;
  keep?: () => void;
}

async function load(): Promise<Loaded> {
  const { keep, exports } = await exportsOf(setup.file);
  const handler = exports[setup.handler];
  if (typeof handler === 'function') return { handler: handler as Handler, keep };
  throw Object.assign(new Error(`${setup.handler} is undefined or not exported`), { name: 'Runtime.HandlerNotFound' });
}

async function exportsOf(file: string): Promise<{ exports: Record<string, unknown>; keep?: () => void }> {
  return file.endsWith('.mjs')
    ? { exports: await import(pathToFileURL(file).href) }
    : loadModule(file, setup.codeCache);
}

async function serve(handler: Handler, { requestId, payload, timeoutMs }: Invocation): Promise<void> {
  try {
    const deadline = performance.now() + timeoutMs;
    const result = await call(handler, JSON.parse(payload), context(requestId, deadline));
    post({ kind: 'done', requestId, payload: JSON.stringify(result) ?? 'null' });
  } catch (error) {
    post({ kind: 'failed', requestId, error: describe(error) });
  }
}

/** A handler answers by a promise, or by the callback of old. */
function call(handler: Handler, event: unknown, context: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const callback = (error: unknown, result?: unknown) => (error ? reject(error) : resolve(result));
    const answer = handler(event, context, callback);
    if (typeof (answer as PromiseLike<unknown> | undefined)?.then === 'function') resolve(answer);
    else if (handler.length < 3) resolve(answer);
  });
}

function context(awsRequestId: string, deadline: number): object {
  return {
    awsRequestId,
    callbackWaitsForEmptyEventLoop: false,
    functionName: setup.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: setup.functionArn,
    memoryLimitInMB: String(setup.memoryMb),
    logGroupName: `/aws/lambda/${setup.functionName}`,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    // Real time: the limit is about work, and work does not get faster when the clock is moved.
    getRemainingTimeInMillis: () => Math.max(0, Math.round(deadline - performance.now())),
  };
}

function describe(error: unknown): FunctionError {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  const code = (error as NodeJS.ErrnoException).code;
  const missing = code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND';
  const errorType = missing ? 'Runtime.ImportModuleError' : error.name;
  return { errorType, errorMessage: error.message, trace: (error.stack ?? '').split('\n') };
}

function post(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}
