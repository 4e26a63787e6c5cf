import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { compiledCloud } from './compile-cloud';

/** A local cloud in a process of its own. */
export interface ServedCloud {
  url: string;
  awsUrl: string;
  process: ChildProcess;
}

const root = join(__dirname, '../..');

/** One process, with no shell or launcher in between: a kill -9 reaches all of it at once. Its ports are any that are free, or AWS_PORT. With VIGIL_PAGE it serves that folder's page. */
export async function serveCloud(assembly: string, state: string, env: NodeJS.ProcessEnv): Promise<ServedCloud> {
  const page = env.VIGIL_PAGE ? ['--web', env.VIGIL_PAGE] : [];
  const awsPort = env.AWS_PORT ? ['--aws-port', env.AWS_PORT] : [];
  const args = ['--enable-source-maps', compiledCloud, '--assembly', assembly, '--state', state, ...page, ...awsPort];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  child.stderr.on('data', (data: Buffer) => said.push(data.toString()));
  const tooLong = setTimeout(() => child.kill('SIGKILL'), 20_000);
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('ready ')) {
      clearTimeout(tooLong);
      child.stdout.resume();
      return { ...(JSON.parse(line.slice('ready '.length)) as Omit<ServedCloud, 'process'>), process: child };
    }
    said.push(`${line}\n`);
  }
  throw new Error(`The local cloud does not start: ${said.join('')}`);
}

export async function endCloud({ process: child }: ServedCloud, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await exited;
  clearTimeout(timer);
}

/** There is the live view's table, too. */
export const conversationsIn = (tableNames: string[]): string =>
  tableNames.find((name) => name.includes('ConversationTable'))!;
