import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The DynamoDB engine of the npm package `@dynoxide/<platform>`, as a child process with one SQLite file.
 *
 * It must not outlive us: a second one on the same file would answer with stale pages. A shell stands between only until it becomes the
 * engine (`exec`); what it leaves behind waits for the pipe to us to break, which happens after a kill -9, too. The pid file
 * is for what even that cannot reach.
 */
export interface Dynoxide {
  endpoint: string;
  stop(): Promise<void>;
}

const DATABASE = 'dynamodb.sqlite';
const PID_FILE = 'dynamodb.pid';
const START_TIMEOUT_MS = 10_000;
const STOP_TIMEOUT_MS = 800;

/** `read` fails only at the end of the pipe: a line means that the engine ended by itself and there is nobody to stop. */
const WRAPPER = 'exec 3<&0; (read -r line <&3 || kill -TERM $$ 2>/dev/null) & exec "$@" </dev/null 3<&-';

/** An engine that ends this often by itself will not stay up the next time either. */
const RESTART_LIMIT = 5;

export async function startDynoxide(stateDirectory: string, log: (line: string) => void): Promise<Dynoxide> {
  const binary = findBinary();
  const database = join(stateDirectory, DATABASE);
  const pidFile = join(stateDirectory, PID_FILE);
  await stopOrphan(pidFile, database);
  const port = await freePort();
  let stopping = false;
  let restarts = 0;

  const open = async (): Promise<Engine> => {
    const engine = spawnEngine(binary, port, database);
    await writeFile(pidFile, String(engine.child.pid));
    await ready(port, engine);
    engine.ended.then(async () => {
      if (stopping) return;
      restarts += 1;
      log(`The DynamoDB engine ended by itself. ${engine.lastWords()}`);
      // On the same port, so that callers only see a short outage, which their SDK retries.
      if (restarts <= RESTART_LIMIT) current = open();
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
  /** The end of what it said on stderr. */
  lastWords(): string;
}

function spawnEngine(binary: string, port: number, database: string): Engine {
  const command = [binary, 'serve', '--port', String(port), '--db-path', database];
  const child = spawn('/bin/sh', ['-c', WRAPPER, 'sh', ...command], {
    // A group of its own: Ctrl-C in the terminal is for us, and we stop it when nobody needs it any more.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
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
  const killer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(killer);
}

function findBinary(): string {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    const binary = require.resolve(`${name}/dynoxide`);
    if (existsSync(binary)) return binary;
  } catch {
    // Falls through to the one line that says what to do.
  }
  throw new Error(
    `There is no DynamoDB for this machine: install the optional package ${name}, ` +
      'or set DYNAMODB_ENDPOINT to a running DynamoDB Local, for example http://127.0.0.1:8000.',
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function ready(port: number, { child, lastWords }: Engine): Promise<void> {
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; ) {
    if (child.exitCode !== null) throw new Error(`The DynamoDB engine does not start: ${lastWords()}`);
    try {
      await fetch(`http://127.0.0.1:${port}/`);
      return;
    } catch {
      await sleep(5);
    }
  }
  child.kill('SIGKILL');
  throw new Error('The DynamoDB engine does not answer.');
}

/** Stops what an earlier run left, and only that: a pid is reused, so the command line must name our database file. */
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
  throw new Error(`An earlier DynamoDB engine (process ${pid}) does not stop.`);
}

async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return raw.replaceAll('\0', ' ');
  }
  return new Promise((resolve) => {
    const ps = spawn('ps', ['-o', 'command=', '-p', String(pid)]);
    let output = '';
    ps.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    ps.once('error', () => resolve(''));
    ps.once('close', () => resolve(output));
  });
}
