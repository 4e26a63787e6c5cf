import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port';
import { findBinary } from './binary';
import { commandLine } from './command-line';

/**
 * Runs the DynamoDB engine of the npm package `@dynoxide/<platform>` as a child process with one SQLite file.
 *
 * The engine must not outlive this process, because a second one on the same file would return stale pages. A shell
 * starts the engine by `exec` and leaves a background process, which waits for the pipe to this process to break, also
 * after a kill -9, and then stops the engine. Windows needs no shell: it ends a child that is not detached together
 * with its parent. The pid file covers the remaining cases.
 */
export interface Dynoxide {
  endpoint: string;
  stop(): Promise<void>;
}

const databaseFile = 'dynamodb.sqlite';
const pidFileName = 'dynamodb.pid';
const startTimeoutMs = 10_000;
const stopTimeoutMs = 800;

/**
 * `read` fails only at the end of the pipe. A line means that the engine ended by itself and there is nothing to stop.
 */
const wrapper = 'exec 3<&0; (read -r line <&3 || kill -TERM $$ 2>/dev/null) & exec "$@" </dev/null 3<&-';

/** After this many unexpected ends, the engine is not restarted. */
const restartLimit = 5;

export async function startDynoxide(
  stateDirectory: string,
  log: (line: string) => void,
  shell: readonly string[] = ['/bin/sh'],
): Promise<Dynoxide> {
  const binary = findBinary();
  const database = join(stateDirectory, databaseFile);
  const pidFile = join(stateDirectory, pidFileName);
  await stopOrphan(pidFile, database);
  const port = await freePort();
  let stopping = false;
  let restarts = 0;

  const open = async (): Promise<Engine> => {
    const engine = spawnEngine(shell, [binary, 'serve', '--port', String(port), '--db-path', database]);
    await writeFile(pidFile, String(engine.child.pid));
    await ready(port, engine);
    engine.ended.then(async () => {
      if (stopping) return;
      restarts += 1;
      log(`The DynamoDB engine stopped unexpectedly. ${engine.lastWords()}`);
      // Uses the same port, so callers see only a short outage, which the SDK retries.
      if (restarts <= restartLimit) current = open();
      await current.catch((error: Error) => log(error.message));
    });
    return engine;
  };
  let current = open();
  await current;

  return {
    endpoint: `http://127.0.0.1:${port}`,
    async stop() {
      stopping = true;
      const engine = await current.catch(() => undefined);
      if (engine) await end(engine);
      await rm(pidFile, { force: true });
    },
  };
}

interface Engine {
  child: ChildProcess;
  ended: Promise<void>;
  /** Returns the last output on stderr. */
  lastWords(): string;
}

function spawnEngine(
  [shell = '', ...options]: readonly string[],
  command: [binary: string, ...args: string[]],
): Engine {
  const stdio: ['pipe', 'ignore', 'pipe'] = ['pipe', 'ignore', 'pipe'];
  // One thread: there is one SQLite file behind it, and passing requests between threads costs more than serving them.
  const env = { ...process.env, TOKIO_WORKER_THREADS: '1' };
  // A separate process group: this process handles Ctrl-C and stops the engine last.
  const child =
    process.platform === 'win32'
      ? spawn(command[0], command.slice(1), { windowsHide: true, env, stdio })
      : spawn(shell, [...options, '-c', wrapper, 'sh', ...command], { detached: true, env, stdio });
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-500);
  });
  child.stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      child.stdin.end('ended\n');
      resolve();
    });
  });
  return { child, ended, lastWords: () => words.trim() };
}

async function end({ child, ended }: Engine): Promise<void> {
  child.kill('SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  await ended;
  clearTimeout(killer);
}

async function ready(port: number, { child, lastWords }: Engine): Promise<void> {
  for (const deadline = Date.now() + startTimeoutMs; Date.now() < deadline; ) {
    if (child.exitCode !== null) throw new Error(`The DynamoDB engine does not start: ${lastWords()}`);
    if (await answers(port)) return;
    await sleep(5);
  }
  child.kill('SIGKILL');
  throw new Error('The DynamoDB engine does not respond.');
}

/** Uses `node:http`, which is loaded anyway. Loading `fetch` would take as long as the engine's start. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const call = request({ host: '127.0.0.1', port, agent: false }, (response) => {
      response.resume();
      resolve(true);
    });
    call.once('error', () => resolve(false));
    call.end();
  });
}

/** Stops the engine of an earlier run. Pids are reused, so the command line must name this database file. */
async function stopOrphan(pidFile: string, database: string): Promise<void> {
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''));
  if (!Number.isInteger(pid) || pid <= 1) return;
  for (let attempt = 0; attempt < 200; attempt++) {
    const command = await commandLine(pid);
    if (!command.includes('dynoxide') || !command.includes(database)) return;
    try {
      process.kill(pid, attempt < 100 ? 'SIGTERM' : 'SIGKILL');
    } catch {
      return;
    }
    await sleep(10);
  }
  throw new Error(`An earlier DynamoDB engine (process ${pid}) does not stop: end that process.`);
}
