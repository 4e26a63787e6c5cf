import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What the group and others may do. */
const others = 0o077;

/**
 * Creates a folder for this user only. An existing folder that others can enter is closed, with everything in it, if it
 * is ours. Windows has no such modes: there the folder has the rights of the one that contains it. @throws Error in one
 * line if it is not ours, or cannot be closed.
 */
export async function makePrivate(folder: string, isOurs: (entries: string[]) => boolean): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return;
  const { mode } = await stat(folder);
  if ((mode & others) === 0) return;
  const advice = `run "chmod 700 ${folder}", or set VIGIL_STATE_DIR to another folder.`;
  if (!isOurs(await readdir(folder)))
    throw new Error(`Other users of this machine can read ${folder}, which has files that are not Vigil's: ${advice}`);
  await chmod(folder, 0o700).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`Other users of this machine can read ${folder} (${error.code}): ${advice}`, { cause: error });
  });
  await closeFiles(folder);
}

/**
 * Nobody else reaches a file in a closed folder. This holds for its copies, too. A file that cannot be closed is gone,
 * or is another user's.
 */
async function closeFiles(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // Symbolic links lead elsewhere.
    if (!entry.isDirectory() && !entry.isFile()) continue;
    await stat(path)
      .then(({ mode }) => chmod(path, mode & 0o700))
      .catch(() => undefined);
    if (entry.isDirectory()) await closeFiles(path).catch(() => undefined);
  }
}
