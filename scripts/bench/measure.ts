import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** One line of the table. */
export interface Figure {
  /** Its name in `--json`. */
  key: string;
  name: string;
  value: number;
  unit: 'ms' | 's' | 'KB' | 'MB' | 'MiB' | '/s' | '%' | '×' | '$' | '';
  /** The limit that it must not exceed. */
  bar?: number;
  note?: string;
}

export const root = resolve(__dirname, '../..');

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Calls `take` `count` times, one after the other. */
export async function times<T>(count: number, take: () => Promise<T>): Promise<T[]> {
  const taken: T[] = [];
  for (let turn = 0; turn < count; turn++) taken.push(await take());
  return taken;
}

export async function inScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Runs a command of the repository as a user would, in its own process group.
 *
 * @param options.until the output that ends the measurement and stops the command; by default, its end.
 * @returns its output, and how long it took in milliseconds.
 * @throws Error with the end of its output if it fails or takes longer than `limitMs`.
 */
export async function run(
  command: string[],
  { env = {}, until, limitMs = 60_000 }: { env?: Record<string, string>; until?: RegExp; limitMs?: number } = {},
): Promise<{ output: string; ms: number }> {
  const [program = '', ...args] = command;
  const begun = performance.now();
  const child = spawn(program, args, {
    cwd: root,
    env: { ...withoutKeys(process.env), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  let errors = '';
  child.stderr.on('data', (part) => {
    errors += part;
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    const ms = await new Promise<number>((done, fail) => {
      const failed = (why: string) =>
        fail(new Error(`${command.join(' ')}: ${why}\n${(errors || output).slice(-500)}`));
      timer = setTimeout(() => failed(`no end after ${limitMs} ms`), limitMs);
      child.stdout.on('data', (part) => {
        output += part;
        if (until?.test(output)) done(performance.now() - begun);
      });
      child.once('error', (error) => failed(error.message));
      child.once('close', (code) => {
        if (code === 0 && !until) done(performance.now() - begun);
        else failed(`ended with ${code}`);
      });
    });
    return { output, ms };
  } finally {
    clearTimeout(timer);
    await end(child);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || !child.pid) return;
  const gone = new Promise((resolved) => child.once('close', resolved));
  const kill = (signal: NodeJS.Signals) => {
    try {
      process.kill(-child.pid!, signal);
    } catch {
      // It has ended by itself.
    }
  };
  kill('SIGTERM');
  const timer = setTimeout(() => kill('SIGKILL'), 5_000);
  await gone;
  clearTimeout(timer);
}

/** Uses the stand-in model, whatever the developer has configured. */
function withoutKeys({ OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return env;
}
