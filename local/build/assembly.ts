import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Builder } from './builder';
import {
  changesBetween,
  findSources,
  fingerprint,
  type Hashes,
  hashFiles,
  readMark,
  removeMark,
  writeMark,
} from './sources';

export interface AssemblyOptions {
  /** Where the assembly lies; the folder belongs to us. */
  folder: string;
  root: string;
  /** Folders and files under `root` that decide what is synthesized. */
  sources: readonly string[];
  /** Variables that do. */
  env: Readonly<Record<string, string | undefined>>;
  builder: Builder;
}

/** The synthesized stack, and whether it is what its sources give. */
export interface Assembly {
  folder: string;
  /** The files that have changed since the last look; the first is at what the assembly was made from. */
  look(): Promise<string[]>;
  /** Whether the assembly is of the sources as they were at the last look. */
  isCurrent(): boolean;
  /**
   * Builds from the sources as they were at the last look, or later. `deploy` is called when the new assembly is in its place: if it
   * throws, or the process ends before it is done, the next start builds again.
   *
   * @throws Error in one line; after a failed build the old assembly is still in its place.
   */
  build(deploy?: () => Promise<void>): Promise<void>;
  /** Builds and throws away, so that the next build finds everything loaded. */
  rehearse(): Promise<void>;
  /** Called at each look, before the files are read, with the folders that sources lie in. */
  onFolders(watch: (folders: string[]) => void): void;
}

export async function openAssembly({ folder, root, sources, env, builder }: AssemblyOptions): Promise<Assembly> {
  const next = join(folder, 'next');
  const mark = await readMark(folder);
  let built = mark?.fingerprint;
  let inputs = mark?.inputs ?? [];
  let seen: Hashes = new Map();
  /** The template that runs, as text. */
  let running = await templateIn(folder);
  let watch: (folders: string[]) => void = () => undefined;

  return {
    folder,
    look,
    isCurrent: () => fingerprint(seen, env) === built,
    async build(deploy) {
      const begun = Date.now();
      const made = await synthesize();
      inputs = made.filter((file) => !sources.some((source) => file === source || file.startsWith(`${source}/`)));
      const more = inputs.filter((file) => !seen.has(file));
      seen = new Map([...seen, ...(await hashFiles(root, more, begun))]);
      await removeMark(folder);
      await moveInto(folder, next);
      await deploy?.();
      const before = running;
      running = await templateIn(folder);
      await removeAssets(folder, (asset) => running.includes(asset) || before.includes(asset));
      built = fingerprint(seen, env);
      await writeMark(folder, { fingerprint: built, inputs });
    },
    rehearse: async () => void (await synthesize()),
    onFolders: (callback) => {
      watch = callback;
    },
  };

  async function look(): Promise<string[]> {
    const found = await findSources(root, [...sources, ...inputs]);
    watch(found.folders);
    const now = await hashFiles(root, found.files);
    const changed = changesBetween(seen, now);
    seen = now;
    return changed;
  }

  async function synthesize(): Promise<string[]> {
    await rm(next, { recursive: true, force: true });
    await mkdir(next, { recursive: true });
    return builder.build({ assembly: next, bundles: join(folder, 'bundles'), env });
  }
}

/** Puts a newly synthesized assembly in the place of the one before. The functions' code is named by its hash: what is there stays. */
async function moveInto(folder: string, next: string): Promise<void> {
  const made = await readdir(next);
  for (const entry of await readdir(folder))
    if (isTemplate(entry) && !made.includes(entry)) await rm(join(folder, entry));
  for (const entry of made) {
    const target = join(folder, entry);
    if (isAsset(entry) && existsSync(target)) continue;
    // A folder is not renamed onto one with something in it.
    await rm(target, { recursive: true, force: true });
    await rename(join(next, entry), target);
  }
  await rm(next, { recursive: true, force: true });
}

async function templateIn(folder: string): Promise<string> {
  const files = (await readdir(folder).catch(() => [])).filter(isTemplate);
  return (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join('\n');
}

/** The code before the last deployment is kept: what runs on it may still be loading. What V8 has compiled of it goes with it. */
async function removeAssets(folder: string, isUsed: (asset: string) => boolean): Promise<void> {
  for (const place of [folder, join(folder, 'code-cache')]) {
    const assets = (await readdir(place).catch(() => [])).filter(isAsset);
    const over = assets.filter((entry) => !isUsed(entry.split('-')[0] ?? ''));
    await Promise.all(over.map((entry) => rm(join(place, entry), { recursive: true, force: true })));
  }
}

const isAsset = (entry: string): boolean => entry.startsWith('asset.');
const isTemplate = (entry: string): boolean => entry.endsWith('.template.json');
