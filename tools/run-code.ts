import variant from '@jitl/quickjs-singlefile-cjs-release-sync';
import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';
import * as z from 'zod';
import { clip } from '../core/base/text/clip';
import { TellModel } from '../core/base/text/errors';
import { defineTool } from '../core/conversations/agent/tool';
import { serveIsolated } from '../runtime/serve-isolated';
import { JobEnded, workerJob } from '../runtime/worker-job';

const memoryBytes = 64 * 1024 * 1024;
const stackBytes = 128 * 1024;
const timeMs = 3_000;
/** QuickJS stops at `timeMs`, but not within one of its own functions, such as a search. Its own start counts here, too. */
const deadlineMs = timeMs + 3_000;
const outputBytes = 20_000;

export const runCode = defineTool({
  name: 'run_code',
  title: 'Calculate',
  description:
    'Runs JavaScript and returns the value of its last expression and what it printed with console.log. Use it for every calculation: ' +
    'you are not a calculator. It has no network, files, modules or timers, and may run for 3 seconds.',
  input: z.object({ code: z.string().min(1).max(20_000).describe('For example: (1 + 0.05) ** 12 * 1000') }),
  output: z.object({ value: z.unknown(), printed: z.array(z.string()) }),
  effect: 'read',
  timeoutSeconds: 20,
  memoryMiB: 512,
  isolated: true,
  // The interpreter's package could fetch, and nothing asks it to: the arguments stay here.
  source: 'none',
  afterUntrusted: () => 'allow',
  execute: ({ code }) => run(code, deadlineMs),
});

export interface Evaluated {
  value: unknown;
  printed: string[];
}

const inThread = workerJob({ file: __filename, name: 'run_code', heapMiB: 192, run: evaluate });

/**
 * Runs code in a thread of its own, which is ended after `withinMs` milliseconds.
 *
 * @throws TellModel for whatever is wrong with the code. A timeout is an answer: another attempt would take as long.
 * @example
 * ```ts
 * import { run } from 'vigil/tools/run-code';
 *
 * await run('console.log("squares"); [1, 2, 3].map((n) => n * n)', 6_000); // → { value: [1, 4, 9], printed: ['squares'] }
 * await run('fetch("https://example.com")', 6_000); // throws The code failed. ReferenceError
 * ```
 */
export async function run(code: string, withinMs: number): Promise<Evaluated> {
  try {
    return await inThread(code, withinMs);
  } catch (error) {
    const { name, message } = error as Error;
    if (error instanceof JobEnded)
      throw new TellModel(error.reason === 'deadline' ? tooLong : `The code failed. ${message}`);
    // Other errors are QuickJS's own, for example when the code has used up its memory.
    throw new TellModel(name === 'TellModel' ? message : `The code failed. ${name}: ${message}`);
  }
}

const tooLong = `The code failed. It took longer than ${timeMs / 1_000} seconds.`;

/**
 * Runs the code in QuickJS, compiled to WebAssembly. The code can reach only the one function that it is given, so it has neither this
 * process's environment nor its permissions.
 *
 * @throws TellModel for whatever is wrong with the code.
 * @example
 * ```ts
 * import { evaluate } from 'vigil/tools/run-code';
 *
 * // In this thread, which is busy meanwhile: `run` uses another one.
 * await evaluate('(1 + 0.05) ** 2 * 1000'); // → { value: 1102.5, printed: [] }
 * await evaluate('typeof process'); // → { value: 'undefined', printed: [] }
 * ```
 */
export async function evaluate(code: string): Promise<Evaluated> {
  const quickjs = await newQuickJSWASMModuleFromVariant(variant);
  // Set when the code starts. `performance.now()` does not follow the local cloud's clock.
  let end = Number.POSITIVE_INFINITY;
  const runtime = quickjs.newRuntime({
    memoryLimitBytes: memoryBytes,
    maxStackSizeBytes: stackBytes,
    interruptHandler: () => performance.now() > end,
  });
  const context = runtime.newContext();
  const printed: string[] = [];
  let bytes = 0;
  const log = context.newFunction('log', (...parts) => {
    const line = parts.map((part) => asText(context.dump(part))).join(' ');
    bytes += bytesOf(line);
    if (bytes <= outputBytes) printed.push(line);
  });
  const console = context.newObject();
  context.setProp(console, 'log', log);
  context.setProp(context.global, 'console', console);
  end = performance.now() + timeMs;
  const result = context.evalCode(code, 'code.js');
  if (result.error) throw new TellModel(`The code failed. ${reasonOf(context.dump(result.error))}`);
  const value = context.dump(result.value) as unknown;
  if (bytesOf(value) <= outputBytes) return { value: value ?? null, printed };
  throw new TellModel(`The value is longer than ${outputBytes} bytes of JSON. Return less.`);
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));

function reasonOf(error: unknown): string {
  const { name, message } = (error ?? {}) as { name?: string; message?: string };
  if (message === 'interrupted') return `It took longer than ${timeMs / 1_000} seconds.`;
  return message ? `${name}: ${message}` : clip(asText(error), { characters: 500 });
}

export const handler = serveIsolated(runCode);
