import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FunctionError, Invocation, WorkerMessage, WorkerSetup } from './worker';

/** A thread or a process with one function, like Lambda's execution environment. It serves one event at a time. */
export interface Sandbox {
  /** Resolves when the bundle is loaded, or with the error if loading fails. */
  loaded: Promise<Ending | undefined>;
  /** The time of the load in milliseconds, known after `loaded`. */
  loadMs(): number;
  run(invocation: Invocation): Promise<Ending>;
  /** Kills it at once. `loaded` and `run` then resolve with `exited`. */
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

/** The esbuild options for the worker's code: one file that imports only Node's modules. */
export const workerBuild = { bundle: true, platform: 'node', format: 'cjs', target: 'node20' } as const;

/** A report of a thread or a process. */
export type Report = { kind: 'ready' } | { kind: 'failed-to-load'; error: FunctionError } | Ending;

/** The actions of a sandbox on its thread or process. */
interface Host {
  send(invocation: Invocation): void;
  kill(): Promise<void>;
}

/**
 * @returns a sandbox, and the function that its thread or process reports to. `exited` is the last report.
 */
export function newSandbox({ send, kill }: Host): { sandbox: Sandbox; report: (report: Report) => void } {
  const started = performance.now();
  let loadMs = 0;
  let dead = false;
  let end: Ending = { kind: 'exited', error: exitOf(1) };
  let settleRun: ((ending: Ending) => void) | undefined;
  let settleLoad: (ending: Ending | undefined) => void = () => undefined;
  const loaded = new Promise<Ending | undefined>((resolve) => {
    settleLoad = resolve;
  });

  function report(report: Report): void {
    if (report.kind === 'ready') {
      loadMs = performance.now() - started;
      settleLoad(undefined);
    } else if (report.kind === 'failed-to-load') settleLoad({ kind: 'exited', error: report.error });
    else if (report.kind === 'exited') {
      dead = true;
      end = report;
      settleLoad(end);
      settleRun?.(end);
    } else settleRun?.(report);
  }

  const sandbox: Sandbox = {
    loaded,
    loadMs: () => loadMs,
    dead: () => dead,
    run(invocation) {
      return new Promise<Ending>((resolve) => {
        if (dead) resolve(end);
        settleRun = resolve;
        send(invocation);
      }).finally(() => {
        settleRun = undefined;
      });
    },
    async kill() {
      dead = true;
      await kill();
    },
  };
  return { sandbox, report };
}

/** A worker thread with a function's bundle. */
export function startSandbox({ code, setup, environment, print }: SandboxOptions): Sandbox {
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
  const { sandbox, report } = newSandbox({
    send: (invocation) => worker.postMessage(invocation),
    kill: async () => void (await worker.terminate()),
  });
  worker.stdout.on('data', print);
  worker.stderr.on('data', print);
  worker.on('message', (message: WorkerMessage) => report(message));
  let crash: FunctionError | undefined;
  worker.on('error', (error: unknown) => {
    crash = crashOf(error);
    print(`${crash.trace.join('\n')}\n`);
  });
  worker.on('exit', (code) => report({ kind: 'exited', error: crash ?? exitOf(code) }));
  return sandbox;
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
