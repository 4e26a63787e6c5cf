import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Metafile } from 'esbuild';
import { bundle } from './bundle';
import { type Entry, jobs, root, type Sources } from './entries';
import { withFolderLock } from './folder-lock';

/** The hash of each file that a bundle is made from, by the file's path relative to the root. */
type Hashes = Record<string, string>;

interface BundleRecord {
  /** The hash of what every bundle depends on: the packages and the bundling code. */
  base: string;
  bundles: Record<string, Hashes>;
}

const recordFile = 'inputs.json';
/** The hash of a file that was saved during the build: which version the bundle contains is unknown. */
const unknown = 'saved during the build';
/** The largest lag of a file system's clock, in milliseconds. */
const clockTickMs = 20;

/**
 * Updates a folder of bundles: builds only what has changed since the last build. A change of one tool reaches 7 of 29
 * functions. A record next to the bundles has the hashes of the files that each can reach.
 *
 * @returns the files outside node_modules that the bundles are made from, relative to the root.
 */
export const bundleChanged = (entries: Entry[], outdir: string, sources: Sources): Promise<string[]> =>
  withFolderLock(outdir, () => bundleStale(entries, outdir, sources));

async function bundleStale(entries: Entry[], outdir: string, sources: Sources): Promise<string[]> {
  const hashes = hashing();
  const base = await baseOf(hashes, sources);
  const earlier = await readRecord(outdir);
  const known = earlier?.base === base ? earlier.bundles : {};
  const stale: Entry[] = [];
  const bundles: BundleRecord['bundles'] = {};
  for (const entry of entries) {
    const files = known[entry.id];
    const isThere = existsSync(join(outdir, entry.id, 'index.js'));
    if (isThere && files?.[entry.file] && (await isUpToDate(files, hashes))) bundles[entry.id] = files;
    else stale.push(entry);
  }
  if (stale.length) {
    // If the build is interrupted, the record must not list bundles that it has replaced.
    await writeRecord(outdir, { base, bundles });
    const begun = Date.now();
    const metafile = await bundle(stale, outdir, sources);
    const after = hashing(begun);
    for (const entry of stale) {
      const beside = jobs.filter(({ isOf }) => isOf(entry));
      const files = [entry, ...beside].flatMap(({ file }) => filesOf(metafile, file));
      bundles[entry.id] = await hashesOf(files, after);
    }
    await writeRecord(outdir, { base, bundles });
  }
  return [...new Set(Object.values(bundles).flatMap((files) => Object.keys(files)))].filter((file) => !isFolder(file));
}

type Hash = (file: string) => Promise<string>;

/** Returns a function that hashes each file once. A file saved since `begun` gets the hash `unknown`. */
function hashing(begun = Number.POSITIVE_INFINITY): Hash {
  const known = new Map<string, Promise<string>>();
  const hash = async (file: string) => {
    const path = join(root, file);
    if (isFolder(file)) return digest((await readdir(path)).sort().join('\n'));
    const content = await readFile(path);
    // Checked after the read, because the file may be saved between the two.
    return (await stat(path)).ctimeMs > begun - clockTickMs ? unknown : digest(content);
  };
  return (file) => {
    const found = known.get(file) ?? hash(file).catch(() => 'missing');
    known.set(file, found);
    return found;
  };
}

const digest = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

async function hashesOf(files: string[], hash: Hash): Promise<Hashes> {
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file, await hash(file)] as const)));
}

async function isUpToDate(files: Hashes, hash: Hash): Promise<boolean> {
  const now = await hashesOf(Object.keys(files), hash);
  return Object.entries(files).every(([file, known]) => known !== unknown && known === now[file]);
}

async function baseOf(hash: Hash, sources: Sources): Promise<string> {
  const fromRoot = (path: string) => relative(root, path).split(sep).join('/');
  const bundling = (await readdir(__dirname)).filter((file) => !file.includes('.test.')).sort();
  // The second is that of the app, if this is the package.
  const locks = [join(root, 'package-lock.json'), resolve('package-lock.json')];
  const files = [...locks, join(root, 'tsconfig.json'), ...bundling.map((file) => join(__dirname, file))].map(fromRoot);
  return digest(JSON.stringify([sources, await hashesOf(files, hash)]));
}

/**
 * Returns all files that an entry can reach, including those that tree shaking drops. The list of agents depends on its
 * whole folder.
 */
function filesOf({ inputs }: Metafile, entry: string): string[] {
  const reached = new Set([entry]);
  for (const input of reached)
    for (const { path, external } of inputs[input]?.imports ?? []) if (!external) reached.add(path);
  const files = [...reached].map(withoutNamespace).filter((file) => file && !file.includes('node_modules/'));
  const lists = [...reached].filter((file) => /(^|\/)agents\/index\.ts$|^agents:/.test(file)).map(withoutNamespace);
  return [...new Set([...files, ...lists.map((file) => `${dirname(file)}/`)])];
}

const isFolder = (file: string): boolean => file.endsWith('/');

/** Returns the file of a plugin's `definition:/the/file.ts`, or '' for other inputs of plugins. */
function withoutNamespace(input: string): string {
  const [, namespace, path = ''] = /^([a-z-]{2,}):(.*)$/.exec(input) ?? [];
  if (!namespace) return input;
  return isAbsolute(path) ? relative(root, path).split(sep).join('/') : '';
}

async function readRecord(outdir: string): Promise<BundleRecord | undefined> {
  try {
    return JSON.parse(await readFile(join(outdir, recordFile), 'utf8')) as BundleRecord;
  } catch {
    return undefined;
  }
}

async function writeRecord(outdir: string, record: BundleRecord): Promise<void> {
  await mkdir(outdir, { recursive: true });
  await writeFile(join(outdir, recordFile), JSON.stringify(record));
}
