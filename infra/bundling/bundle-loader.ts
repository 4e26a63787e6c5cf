/**
 * Runs in the worker thread of `load-bundles.ts`: loads each bundle in turn, as Lambda would, and reports the result.
 * It is compiled on its own and run as text, so it imports only types and Node's modules.
 */

import { parentPort, workerData } from 'node:worker_threads';

export interface Load {
  file: string;
  /** What the bundle must export: a function `handler`, or any value `shipped`. */
  exports: 'handler' | 'shipped';
  variables: Record<string, string>;
}

/** `stack` is that of the error thrown. */
export type Loaded = { problem?: string; stack?: string };

Error.stackTraceLimit = 50;
const globals = new Set(Reflect.ownKeys(globalThis));

async function loadAll(loads: Load[]): Promise<void> {
  for (const load of loads) {
    const answer = await loaded(load);
    // zod and other packages keep values in globals, which the next bundle must not see.
    for (const key of Reflect.ownKeys(globalThis)) if (!globals.has(key)) Reflect.deleteProperty(globalThis, key);
    parentPort?.postMessage(answer);
  }
}

/** `process.exit` would end the thread without a stack trace, so it throws here. */
function required(file: string): Record<string, unknown> {
  const { exit } = process;
  process.exit = (code) => {
    throw new Error(`it calls process.exit(${code ?? ''})`);
  };
  try {
    return require(file);
  } finally {
    process.exit = exit;
  }
}

async function loaded({ file, exports, variables }: Load): Promise<Loaded> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, variables);
  try {
    const value = required(file)[exports];
    // Rejected promises are reported now, not while the next bundle loads.
    await new Promise((resolve) => setImmediate(resolve));
    if (exports === 'handler' && typeof value !== 'function') return { problem: 'it exports no function "handler"' };
    return value === undefined ? { problem: `it exports no "${exports}"` } : {};
  } catch (error) {
    if (!(error instanceof Error)) return { problem: `it throws ${String(error)}` };
    const { name, message, stack } = error;
    // The message of a ConfigurationError says by itself what it is about.
    return { problem: name === 'ConfigurationError' ? message : `${name}: ${message}`, stack };
  }
}

void loadAll(workerData as Load[]);
