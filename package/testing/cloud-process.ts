import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { place } from '../place';

/** A local cloud in a separate process. */
export interface CloudProcess {
  url: string;
  awsUrl: string;
  process: ChildProcess;
  /** The file with everything that it writes to stderr. */
  terminal: string;
}

export interface CloudOptions {
  assembly: string;
  state: string;
  env: NodeJS.ProcessEnv;
  /** The file of a signing key. Generating one takes as long as the rest of a start. */
  identityKey: string;
  /** More arguments of `local/serve.ts`. */
  args?: string[];
  /** The program that Node runs. */
  entry?: string[];
}

const packaged = join(place, 'dist/local/serve.js');
const ownEntry = __filename.endsWith('.js') ? [packaged] : ['--import', 'tsx', join(place, 'local/serve.ts')];
const startsWithinMs = 180_000;

/**
 * Starts a single process without a shell or launcher, so that a kill -9 reaches all of it. It stops when this process
 * ends.
 */
export async function startCloud(options: CloudOptions): Promise<CloudProcess> {
  const { assembly, state, env, identityKey, args = [], entry = ownEntry } = options;
  mkdirSync(state, { recursive: true, mode: 0o700 });
  if (!existsSync(join(state, 'identity.pem'))) copyFileSync(identityKey, join(state, 'identity.pem'));
  const terminal = join(state, 'terminal.log');
  const stderr = openSync(terminal, 'w');
  const child = spawn(process.execPath, [...entry, '--assembly', assembly, '--state', state, ...args], {
    cwd: place,
    env,
    stdio: ['ignore', 'pipe', stderr, 'ipc'],
  });
  closeSync(stderr);
  const tooLong = setTimeout(() => child.kill('SIGKILL'), startsWithinMs);
  try {
    for await (const line of createInterface({ input: child.stdout! })) {
      if (!line.startsWith('ready ')) continue;
      child.stdout!.resume();
      const { url, awsUrl } = JSON.parse(line.slice('ready '.length)) as Pick<CloudProcess, 'url' | 'awsUrl'>;
      return { url, awsUrl, process: child, terminal };
    }
  } finally {
    clearTimeout(tooLong);
  }
  throw new Error(`The local cloud does not start: ${readFileSync(terminal, 'utf8')}`);
}

/** Ends the process, if it runs. */
export async function endCloud({ process: child }: CloudProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await exited;
  clearTimeout(timer);
}
