import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clipStart } from '../../core/base/text/clip';
import { findBinary } from './binary';
import { type Address, blockedAddresses } from './blocked-address';
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
  addresses: readonly Address[] = blockedAddresses(),
): Promise<Dynoxide> {
  const binary = findBinary();
  const database = join(stateDirectory, databaseFile);
  const pidFile = join(stateDirectory, pidFileName);
  await stopOrphan(pidFile, database);
  let current: Promise<Engine>;
  let stopping = false;
  let restarts = 0;

  const open = async (address: Address): Promise<Engine> => {
    const place = ['--host', address.host, '--port', String(address.port)];
    const engine = spawnEngine(shell, [binary, 'serve', ...place, '--db-path', database]);
    await writeFile(pidFile, String(engine.child.pid));
    await listening(engine);
    engine.ended.then(async () => {
      if (stopping) return;
      restarts += 1;
      log(`The DynamoDB engine stopped unexpectedly. ${engine.lastWords()}`);
      // Uses the same address, so callers see only a short outage, which the SDK retries.
      if (restarts <= restartLimit) current = open(address);
      await current.catch((error: Error) => log(error.message));
    });
    return engine;
  };
  const { host, port } = await firstFree(addresses, (address) => {
    current = open(address);
    return current;
  });

  return {
    endpoint: `http://${host}:${port}`,
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
  /** False if the engine ended first. */
  isListening: Promise<boolean>;
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
  const isListening = new Promise<boolean>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      words = clipStart(words + chunk.toString(), 500);
      if (words.includes(' listening on ')) resolve(true);
    });
    // After the last output, unlike `exit`.
    child.once('close', () => resolve(false));
  });
  child.stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      child.stdin.end('ended\n');
      resolve();
    });
  });
  return { child, ended, isListening, lastWords: () => words.trim() };
}

async function end({ child, ended }: Engine): Promise<void> {
  child.kill('SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  await ended;
  clearTimeout(killer);
}

/** Opens the engine on the first free address. Only the engine itself can tell: a check before it would be a race. */
async function firstFree(
  addresses: readonly Address[],
  open: (address: Address) => Promise<unknown>,
): Promise<Address> {
  for (const address of addresses) {
    try {
      await open(address);
      return address;
    } catch (error) {
      if (!/already in use|failed to bind/.test((error as Error).message)) throw error;
    }
  }
  const ports = [...new Set(addresses.map(({ port }) => port))].sort((a, b) => a - b).join(', ');
  throw new Error(
    `The DynamoDB engine finds no free port among ${ports}: stop other local clouds, or set DYNAMODB_ENDPOINT.`,
  );
}

/**
 * Resolves when the engine says that it listens. To connect would prove less: another engine may listen there. @throws
 * Error with the engine's last words.
 */
async function listening({ child, isListening, lastWords }: Engine): Promise<void> {
  const late = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs);
  const started = await isListening;
  clearTimeout(late);
  if (!started) throw new Error(`The DynamoDB engine does not start: ${lastWords() || 'it says nothing.'}`);
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
