/**
 * Runs in the worker thread of `load-bundles.ts`: loads each bundle in turn, as Lambda would, and reports the result.
 * It is compiled on its own and run as text, so it imports only types and Node's modules.
 */

import { parentPort, workerData } from 'node:worker_threads';

export interface Load {
  file: string;
  /** The required export of the bundle: a function `handler`, or any value `shipped`. */
  exports: 'handler' | 'shipped';
  variables: Record<string, string>;
  /** The tool or the MCP server of the file, which the handler must serve. */
  serves?: Served;
}

interface Served {
  name: string;
  /** The tool as agents use it, as JSON: see `definitionText`. Absent for an MCP server. */
  definition?: string;
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

/** Returns why the handler would run other code than that of the tool that agents use; undefined if it does not. */
function misservedBy(all: Record<string, unknown>, { name, definition }: Served): string | undefined {
  const served = (all.handler as Record<symbol, Record<string, unknown> | undefined>)[Symbol.for('vigil.serves')];
  const remedy = 'export const handler = serveTool(…) with the tool of this file';
  if (!served) return `its handler is not what serveTool, serveIsolated or serveMcp returns: ${remedy}`;
  if (served.name !== name) return `its handler serves ${served.name}, not ${name}: ${remedy}`;
  if (!Object.values(all).includes(served)) return `its handler serves a tool that the file does not export: ${remedy}`;
  const { description, effect, source = null, timeoutSeconds } = served;
  if (definition === undefined || definition === JSON.stringify([description, effect, source, timeoutSeconds]))
    return undefined;
  return `agents use another tool with the name ${name}: import it from this file`;
}

async function loaded({ file, exports, variables, serves }: Load): Promise<Loaded> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, variables);
  try {
    const all = required(file);
    const value = all[exports];
    // Rejected promises are reported now, not while the next bundle loads.
    await new Promise((resolve) => setImmediate(resolve));
    if (exports === 'handler' && typeof value !== 'function') return { problem: 'it exports no function "handler"' };
    const misserved = serves && misservedBy(all, serves);
    if (misserved) return { problem: misserved };
    return value === undefined ? { problem: `it exports no "${exports}"` } : {};
  } catch (error) {
    if (!(error instanceof Error)) return { problem: `it throws ${String(error)}` };
    const { name, message, stack } = error;
    // The message of a ConfigurationError says by itself what it is about.
    return { problem: name === 'ConfigurationError' ? message : `${name}: ${message}`, stack };
  }
}

void loadAll(workerData as Load[]);
