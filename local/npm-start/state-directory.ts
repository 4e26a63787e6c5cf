import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { makePrivate } from './private-folder';

/**
 * The folder of everything that a local cloud keeps: journal, tables, positions, logs. Only one process can use it at a
 * time.
 *
 * The lock is a socket that its owner listens on. After a kill -9 the socket is dead, so a stale lock is recognized
 * without a process id, which the system may have reused.
 */
export interface StateDirectory {
  path: string;
  release(): Promise<void>;
}

const mark = 'vigil-state';
/** The tests and the demo keep files there, too. */
const defaultName = '.vigil';
/** The files that a local cloud writes. The folder may contain other files. */
const ours =
  /^(?:assembly|clock\.json.*|dynamodb\..*|events\.jsonl|generated-secrets|identity\.pem|lock|logs|published\.jsonl|stepfunctions|stream-.*|undelivered\.jsonl|vigil-state)$/;
/** In bytes. macOS allows 104, Linux 108. */
const socketPathLimit = 100;

export async function openStateDirectory(path: string): Promise<StateDirectory> {
  const folder = resolve(path);
  await prepareStateDirectory(folder);
  const server = await lock(folder);
  await writeFile(
    join(folder, mark),
    'A local cloud of Vigil keeps its state here. A start with --reset empties it.\n',
  );
  return { path: folder, release: () => new Promise((done) => server.close(() => done())) };
}

/**
 * Creates the folder if it is missing. It contains users' messages, so other users of this machine have no access. @throws
 * Error in one line for a folder that they can read and that is not only ours.
 */
export async function prepareStateDirectory(path: string): Promise<void> {
  const folder = resolve(path);
  const isOurs = (entries: string[]) =>
    basename(folder) === defaultName || entries.includes(mark) || entries.every((entry) => ours.test(entry));
  await makePrivate(folder, isOurs);
}

/**
 * Removes the files that a local cloud wrote, and nothing else. Refuses a folder without Vigil's mark, and one that is
 * in use.
 */
export async function resetStateDirectory(path: string): Promise<void> {
  const folder = resolve(path);
  if (!existsSync(folder)) return;
  const entries = await readdir(folder);
  // A first start that fails early leaves only the assembly.
  if (!entries.includes(mark) && entries.some((entry) => entry !== 'assembly')) {
    throw new Error(`${folder} is not a state directory of Vigil, so it was not emptied.`);
  }
  const { release } = await openStateDirectory(folder);
  await release();
  for (const entry of entries.filter((name) => ours.test(name)))
    await rm(join(folder, entry), { recursive: true, force: true });
}

/**
 * @throws Error in one line if another local cloud uses the folder.
 */
export async function assertFree(path: string): Promise<void> {
  const folder = resolve(path);
  const owner = await ownerOf(lockPath(folder));
  if (owner)
    throw new Error(
      `${folder} is in use by another local cloud (process ${owner}): stop that one, or set VIGIL_STATE_DIR.`,
    );
}

async function lock(folder: string): Promise<Server> {
  await assertFree(folder);
  const path = lockPath(folder);
  await rm(path, { force: true });
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(String(process.pid));
  });
  await new Promise<void>((done, reject) => {
    server.once('error', () => reject(new Error(`${folder} cannot be locked: it is in use or not writable.`)));
    server.listen(path, () => done());
  });
  return server.unref();
}

/** A socket's path has a length limit, so the lock of a deep folder is elsewhere, named by its hash. */
function lockPath(folder: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\vigil-${hash(folder)}`;
  const path = join(folder, 'lock');
  return Buffer.byteLength(path) < socketPathLimit ? path : join(tmpdir(), `vigil-${hash(folder)}.lock`);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Returns the process that listens, or undefined. */
function ownerOf(path: string): Promise<string | undefined> {
  return new Promise((done) => {
    let pid = '';
    const socket = connect(path);
    socket.setTimeout(1_000, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      pid += chunk.toString();
    });
    socket.once('error', () => done(undefined));
    socket.once('close', (failed) => done(failed ? undefined : pid || 'unknown'));
  });
}
