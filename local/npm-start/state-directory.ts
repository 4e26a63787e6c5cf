import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { lockFolder, ownerOf } from 'vigil-stepfunctions/shared';

/** The permissions of the group and others. */
const others = 0o077;

/**
 * Creates a folder for this user only. An existing folder that others can enter is closed, with everything in it, if it
 * is ours. Windows has no such modes: there the folder has the rights of the one that contains it. @throws Error in one
 * line if it is not ours, or cannot be closed.
 */
async function makePrivate(folder: string, isOurs: (entries: string[]) => boolean): Promise<void> {
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

/**
 * The folder of everything that a local cloud keeps: journal, tables, positions, logs. Only one process can use it at a
 * time.
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
  /^(?:assembly|clock\.json.*|dynamodb\..*|events\.jsonl|generated-secrets|identity\.pem|lock|logs|s3|stepfunctions|stream-.*|undelivered\.jsonl|vigil-state)$/;

export async function openStateDirectory(path: string): Promise<StateDirectory> {
  const folder = resolve(path);
  await prepareStateDirectory(folder);
  const { release } = await lockFolder(folder, (owner) => inUse(folder, owner));
  await writeFile(
    join(folder, mark),
    'A local cloud of Vigil keeps its state here. A start with --reset empties it.\n',
  );
  return { path: folder, release };
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
  const owner = await ownerOf(folder);
  if (owner) throw new Error(inUse(folder, owner));
}

const inUse = (folder: string, owner: string) =>
  `${folder} is in use by another local cloud (process ${owner}): stop that one, or set VIGIL_STATE_DIR.`;
