/**
 * What runs in the worker thread of `load-bundles.ts`: loads one bundle after the other, as Lambda would, and tells of each. Compiled on
 * its own and run as text, so it imports nothing but types and what Node has.
 */

import { parentPort, workerData } from 'node:worker_threads';

export interface Load {
  file: string;
  /** What it must export: a function `handler`, or anything called `shipped`. */
  exports: 'handler' | 'shipped';
  variables: Record<string, string>;
}

/** `stack` is there for what was thrown. */
export type Loaded = { problem?: string; stack?: string };

Error.stackTraceLimit = 50;
const globals = new Set(Reflect.ownKeys(globalThis));

async function loadAll(loads: Load[]): Promise<void> {
  for (const load of loads) {
    const answer = await loaded(load);
    // zod and others keep things there, which the next bundle must not find.
    for (const key of Reflect.ownKeys(globalThis)) if (!globals.has(key)) Reflect.deleteProperty(globalThis, key);
    parentPort?.postMessage(answer);
  }
}

/** An exit would end the thread, and nothing would say where it was. */
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
    // What fails as soon as the load is over fails now.
    await new Promise((resolve) => setImmediate(resolve));
    if (exports === 'handler' && typeof value !== 'function') return { problem: 'it exports no function "handler"' };
    return value === undefined ? { problem: `it exports no "${exports}"` } : {};
  } catch (error) {
    if (!(error instanceof Error)) return { problem: `it throws ${String(error)}` };
    const { name, message, stack } = error;
    // One of these names what it is about.
    return { problem: name === 'ConfigurationError' ? message : `${name}: ${message}`, stack };
  }
}

void loadAll(workerData as Load[]);
