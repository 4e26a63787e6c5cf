import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In bytes. macOS allows 104, Linux 108. */
const socketPathLimit = 100;

/**
 * Makes this process the only one that uses a folder. The folder exists, and its path is absolute.
 *
 * The lock is a socket that its owner listens on. After a kill -9 the socket is dead, so a stale lock is recognized
 * without a process id, which the system may have reused. A lock does not keep the process alive.
 *
 * @param inUse says in one line what to do if the process `owner` uses the folder
 * @throws Error with that line, or one for a folder that cannot be written
 * @example
 * ```ts
 * import { mkdtemp } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { lockFolder } from 'vigil-stepfunctions/shared';
 *
 * const folder = await mkdtemp(join(tmpdir(), 'state-'));
 * const inUse = (owner: string) => `${folder} is used by process ${owner}: stop that one, or take another folder.`;
 * const lock = await lockFolder(folder, inUse);
 * await lockFolder(folder, inUse); // throws stop that one, or take another folder.
 * await lock.release();
 * ```
 */
export async function lockFolder(
  folder: string,
  inUse: (owner: string) => string,
): Promise<{ release(): Promise<void> }> {
  const owner = await ownerOf(folder);
  if (owner !== undefined) throw new Error(inUse(owner));
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
  server.unref();
  return { release: () => new Promise((done) => server.close(() => done())) };
}

/**
 * Returns the id of the process that has locked the folder, or undefined.
 *
 * @example
 * ```ts
 * import { mkdtemp } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { lockFolder, ownerOf } from 'vigil-stepfunctions/shared';
 *
 * const folder = await mkdtemp(join(tmpdir(), 'state-'));
 * await ownerOf(folder); // → undefined
 * const { release } = await lockFolder(folder, String);
 * (await ownerOf(folder)) === String(process.pid); // → true
 * await release();
 * ```
 */
export function ownerOf(folder: string): Promise<string | undefined> {
  return new Promise((done) => {
    let pid = '';
    const socket = connect(lockPath(folder));
    socket.setTimeout(1_000, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      pid += chunk.toString();
    });
    socket.once('error', () => done(undefined));
    socket.once('close', (failed) => done(failed ? undefined : pid || 'unknown'));
  });
}

/** A socket's path has a length limit, so the lock of a deep folder is elsewhere, named by its hash. */
function lockPath(folder: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\vigil-${hash(folder)}`;
  const path = join(folder, 'lock');
  return Buffer.byteLength(path) < socketPathLimit ? path : join(tmpdir(), `vigil-${hash(folder)}.lock`);
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
