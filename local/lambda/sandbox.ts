import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FunctionError, Invocation, WorkerMessage, WorkerSetup } from './worker';

/** One worker thread with one function's bundle, like Lambda's execution environment. It serves one event at a time. */
export interface Sandbox {
  /** Resolves when the bundle is loaded, or with the error if loading fails. */
  loaded: Promise<Ending | undefined>;
  /** The time of the load in milliseconds, known after `loaded`. */
  loadMs(): number;
  run(invocation: Invocation): Promise<Ending>;
  /** Kills the worker at once. `loaded` and `run` then resolve with `exited`. */
  kill(): Promise<void>;
  dead(): boolean;
}

export type Ending =
  | { kind: 'done'; payload: string }
  | { kind: 'failed'; error: FunctionError }
  | { kind: 'exited'; error: FunctionError };

export interface SandboxOptions {
  /** The worker's code: `workerCode()`. */
  code: string;
  setup: WorkerSetup;
  environment: Record<string, string>;
  /** Receives what the function prints. */
  print: (text: Buffer | string) => void;
}

/**
 * Returns the worker's code, compiled if necessary. Passed as text, it needs no TypeScript loader in the thread, which
 * would double the cold start.
 */
export async function workerCode(): Promise<string> {
  const compiled = await readFile(join(__dirname, 'worker.js'), 'utf8').catch(() => undefined);
  if (compiled !== undefined) return compiled;
  // Imported only if needed, because loading esbuild is slow.
  const { build } = await import('esbuild');
  const { outputFiles } = await build({ ...workerBuild, entryPoints: [join(__dirname, 'worker.ts')], write: false });
  return outputFiles[0]!.text;
}

/** How esbuild builds the worker's code: one file that imports only Node's modules. */
export const workerBuild = { bundle: true, platform: 'node', format: 'cjs', target: 'node20' } as const;

export function startSandbox({ code, setup, environment, print }: SandboxOptions): Sandbox {
  const started = performance.now();
  const worker = new Worker(code, {
    eval: true,
    env: environment,
    // The parent's flags (a TypeScript loader, an inspector) do not apply to the function.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: setup.memoryMb },
    stderr: true,
    stdout: true,
    workerData: setup,
  });
  worker.stdout.on('data', print);
  worker.stderr.on('data', print);

  let loadMs = 0;
  let dead = false;
  let crash: FunctionError | undefined;
  let settleRun: ((ending: Ending) => void) | undefined;
  let settleLoad: (ending: Ending | undefined) => void = () => undefined;
  const loaded = new Promise<Ending | undefined>((resolve) => {
    settleLoad = resolve;
  });

  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'ready') {
      loadMs = performance.now() - started;
      settleLoad(undefined);
    } else if (message.kind === 'failed-to-load') settleLoad({ kind: 'exited', error: message.error });
    else if (message.kind === 'done') settleRun?.({ kind: 'done', payload: message.payload });
    else settleRun?.({ kind: 'failed', error: message.error });
  });
  worker.on('error', (error: unknown) => {
    crash = crashOf(error);
    print(`${crash.trace.join('\n')}\n`);
  });
  worker.on('exit', (code) => {
    dead = true;
    const ending: Ending = { kind: 'exited', error: crash ?? exitOf(code) };
    settleLoad(ending);
    settleRun?.(ending);
  });

  return {
    loaded,
    loadMs: () => loadMs,
    dead: () => dead,
    run(invocation) {
      return new Promise<Ending>((resolve) => {
        if (dead) resolve({ kind: 'exited', error: crash ?? exitOf(1) });
        settleRun = resolve;
        worker.postMessage(invocation);
      }).finally(() => {
        settleRun = undefined;
      });
    },
    async kill() {
      dead = true;
      await worker.terminate();
    },
  };
}

/** An uncaught exception or a full heap ends the runtime. */
function crashOf(error: unknown): FunctionError {
  const { name, message, stack, code } = error as NodeJS.ErrnoException;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return {
      errorType: 'Runtime.OutOfMemory',
      errorMessage: 'Error: Runtime exited with error: signal: killed',
      trace: [],
    };
  }
  const known = typeof message === 'string';
  return {
    errorType: known ? name : 'Error',
    errorMessage: known ? message : String(error),
    trace: stack?.split('\n') ?? [],
  };
}

export function exitOf(code: number): FunctionError {
  const errorMessage = code
    ? `Error: Runtime exited with error: exit status ${code}`
    : 'Error: Runtime exited without providing a reason';
  return { errorType: 'Runtime.ExitError', errorMessage, trace: [] };
}
