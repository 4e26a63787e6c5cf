import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const lockName = 'building';
const lookAgainMs = 50;

/**
 * Does the work while no other process does such work in the same folder. The lock of a process that has died is
 * removed.
 */
export async function withFolderLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true });
  const lock = join(folder, lockName);
  while (!(await taken(lock))) await sleep(lookAgainMs);
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** Takes the lock by creating the file, which fails if it exists (`wx`). The file holds the owner's process id. */
async function taken(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const owner = Number(await readFile(lock, 'utf8').catch(() => ''));
  // An empty file is being written, or has just been removed.
  if (owner > 0 && !isRunning(owner)) await rm(lock, { force: true });
  return false;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
