import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { compiledCloud, identityKey } from './compile-cloud';

/** A local cloud in a separate process. */
export interface ServedCloud {
  url: string;
  awsUrl: string;
  process: ChildProcess;
  /** The file with everything that it writes to stderr. */
  terminal: string;
}

const root = join(__dirname, '../..');

/**
 * Starts a single process without a shell or launcher, so that a kill -9 reaches all of it. Uses free ports, or
 * AWS_PORT. With VIGIL_PAGE it serves the page in that folder.
 */
export async function serveCloud(assembly: string, state: string, env: NodeJS.ProcessEnv): Promise<ServedCloud> {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  if (!existsSync(join(state, 'identity.pem'))) copyFileSync(identityKey, join(state, 'identity.pem'));
  const page = env.VIGIL_PAGE ? ['--web', env.VIGIL_PAGE] : [];
  const awsPort = env.AWS_PORT ? ['--aws-port', env.AWS_PORT] : [];
  const args = [compiledCloud, '--assembly', assembly, '--state', state, ...page, ...awsPort];
  const terminal = join(state, 'terminal.log');
  const stderr = openSync(terminal, 'w');
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', stderr, 'ipc'] });
  closeSync(stderr);
  const tooLong = setTimeout(() => child.kill('SIGKILL'), 180_000);
  for await (const line of createInterface({ input: child.stdout! })) {
    if (!line.startsWith('ready ')) continue;
    clearTimeout(tooLong);
    child.stdout!.resume();
    const { url, awsUrl } = JSON.parse(line.slice('ready '.length)) as Pick<ServedCloud, 'url' | 'awsUrl'>;
    return { url, awsUrl, process: child, terminal };
  }
  throw new Error(`The local cloud does not start: ${readFileSync(terminal, 'utf8')}`);
}

/** Deploys other environment variables, and perhaps another assembly, to a running cloud. */
export async function deployTo(
  { process: child }: ServedCloud,
  deployed: { environment: NodeJS.ProcessEnv; assembly?: string },
): Promise<void> {
  const answered = once(child, 'message') as Promise<[{ error?: string }]>;
  child.send(deployed);
  const [{ error }] = await answered;
  if (error) throw new Error(error);
}

export async function endCloud({ process: child }: ServedCloud, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await exited;
  clearTimeout(timer);
}

/** Returns the conversation table. The live view has a table, too. */
export const conversationsIn = (tableNames: string[]): string =>
  tableNames.find((name) => name.includes('ConversationTable'))!;
