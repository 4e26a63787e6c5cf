import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** The hash of each source file, by its path relative to the root. */
export type Hashes = ReadonlyMap<string, string>;

/** The hash of a file saved during the build: which version the build contains is unknown. */
const unknown = 'saved during the build';
/** The greatest lag of a file system's clock, in milliseconds. */
const clockTickMs = 20;
/** Excludes tests and the temporary files of editors. */
const isSource = (name: string): boolean => /^[^.#].*\.\w+$/.test(name) && !name.includes('.test.');
/** Excludes packages, and what tools build or keep for themselves. */
const hasSources = (name: string): boolean => !/^(?:\..*|node_modules|cdk\.out)$/.test(name);

/** Returns the files below `sources` (folders and files under the root) and the folders that contain them. */
export async function findSources(
  root: string,
  sources: readonly string[],
): Promise<{ files: string[]; folders: string[] }> {
  const found = await Promise.all(sources.map((source) => below(root, source)));
  const files = [...new Set(found.flatMap((one) => one.files))].sort();
  return { files, folders: [...new Set(found.flatMap((one) => one.folders))] };
}

async function below(root: string, source: string): Promise<{ files: string[]; folders: string[] }> {
  const path = join(root, source);
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined);
  if (!entries) return { files: [source], folders: [dirname(path)] };
  const files = entries.filter((entry) => entry.isFile() && isSource(entry.name));
  const folders = entries.filter((entry) => entry.isDirectory() && hasSources(entry.name));
  const deeper = await Promise.all(folders.map(({ name }) => below(root, join(source, name))));
  return {
    files: [...files.map(({ name }) => relative(root, join(path, name))), ...deeper.flatMap((one) => one.files)],
    folders: [path, ...deeper.flatMap((one) => one.folders)],
  };
}

/** Hashes the files. A file saved since `begun`, if given, gets a hash that never matches. */
export async function hashFiles(root: string, files: readonly string[], begun?: number): Promise<Map<string, string>> {
  const hash = async (file: string) => {
    const path = join(root, file);
    const content = await readFile(path);
    // Checked after the read, because the file may be saved between the two.
    if (begun !== undefined && (await stat(path)).ctimeMs > begun - clockTickMs) return unknown;
    return createHash('sha256').update(content).digest('hex');
  };
  const hashes = await Promise.all(files.map((file) => hash(file).catch(() => 'missing')));
  return new Map(files.map((file, index) => [file, hashes[index] ?? '']));
}

/** Returns the files that were changed, added or removed. */
export function changesBetween(before: Hashes, now: Hashes): string[] {
  const files = new Set([...before.keys(), ...now.keys()]);
  return [...files].filter((file) => before.get(file) !== now.get(file)).sort();
}

/** A mark next to a build result. The result is valid as long as the fingerprint of its sources is the same. */
export interface Mark {
  fingerprint: string;
  /** Sources that only the build discovers. */
  inputs: string[];
}

const markFile = (folder: string): string => join(folder, 'sources.json');

export async function readMark(folder: string): Promise<Mark | undefined> {
  try {
    return JSON.parse(await readFile(markFile(folder), 'utf8')) as Mark;
  } catch {
    return undefined;
  }
}

/** Remove the mark before a build and write it after, so that an interrupted build is repeated. */
export async function writeMark(folder: string, mark: Mark): Promise<void> {
  await writeFile(markFile(folder), JSON.stringify(mark));
}

export const removeMark = (folder: string): Promise<void> => rm(markFile(folder), { force: true });

/** `env`: the variables that the build depends on. */
export function fingerprint(hashes: Hashes, env: object): string {
  const known = [...hashes].filter(([, hash]) => hash !== unknown).sort();
  return createHash('sha256')
    .update(JSON.stringify([process.version, env, known]))
    .digest('hex');
}
