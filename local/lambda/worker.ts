/**
 * The code of a Lambda worker thread. It is bundled and loaded as text, so the thread needs no TypeScript loader.
 *
 * `Date` is replaced before the bundle loads, because bundles may keep a reference to it. The offset is in memory
 * shared with the cloud's clock, so running handlers see the clock move, too. Timers in a handler use real time, like
 * its work.
 */

import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { loadModule } from '../code-cache';

export interface WorkerSetup {
  /** The file of the bundle, and the name of its exported handler. */
  file: string;
  handler: string;
  /** The folder for the compiled code of bundles. */
  codeCache: string;
  functionName: string;
  functionArn: string;
  memoryMb: number;
  /** The lead of the local clock over the machine's, in milliseconds. */
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
      // After the first event, the functions that every event needs are compiled.
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

/** A handler returns a promise, or calls the legacy callback. */
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
    // Real time: the limit is about work, which does not get faster when the clock is moved.
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
