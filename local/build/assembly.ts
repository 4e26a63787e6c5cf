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
  /** The folder of the assembly, which holds nothing else. */
  folder: string;
  root: string;
  /** Folders and files under `root` that the synthesis depends on. */
  sources: readonly string[];
  /** Variables that the synthesis depends on. */
  env: Readonly<Record<string, string | undefined>>;
  builder: Builder;
}

/** The synthesized stack, and whether it is up to date with its sources. */
export interface Assembly {
  folder: string;
  /**
   * Returns the files that have changed since the last look. The first look compares with the sources of the assembly.
   */
  look(): Promise<string[]>;
  /** Whether the assembly matches the sources as of the last look. */
  isCurrent(): boolean;
  /**
   * Builds from the sources as of the last look, or later. `deploy` is called when the new assembly is in place. If it
   * throws, or the process ends before it is done, the next start builds again.
   *
   * @throws Error in one line. After a failed build, the old assembly is still in place.
   */
  build(deploy?: () => Promise<void>): Promise<void>;
  /** Builds and discards the result, so that the next build finds everything loaded. */
  rehearse(): Promise<void>;
  /** Called at each look with the folders that contain sources, before the files are read. */
  onFolders(watch: (folders: string[]) => void): void;
}

export async function openAssembly({ folder, root, sources, env, builder }: AssemblyOptions): Promise<Assembly> {
  const next = join(folder, 'next');
  const mark = await readMark(folder);
  let built = mark?.fingerprint;
  let inputs = mark?.inputs ?? [];
  let seen: Hashes = new Map();
  /** The text of the running template. */
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
    rehearse: async () => void (builder.isFreshEachTime || (await synthesize())),
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

/** Replaces the previous assembly by a new one. Assets are named by their hash, so existing ones stay. */
async function moveInto(folder: string, next: string): Promise<void> {
  const made = await readdir(next);
  for (const entry of await readdir(folder))
    if (isTemplate(entry) && !made.includes(entry)) await rm(join(folder, entry));
  for (const entry of made) {
    const target = join(folder, entry);
    if (isAsset(entry) && existsSync(target)) continue;
    // `rename` fails if the target is a non-empty folder.
    await rm(target, { recursive: true, force: true });
    await rename(join(next, entry), target);
  }
  await rm(next, { recursive: true, force: true });
}

async function templateIn(folder: string): Promise<string> {
  const files = (await readdir(folder).catch(() => [])).filter(isTemplate);
  return (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join('\n');
}

/**
 * Keeps the code of the previous deployment, which running functions may still load, and removes older code with its
 * compiled cache.
 */
async function removeAssets(folder: string, isUsed: (asset: string) => boolean): Promise<void> {
  for (const place of [folder, join(folder, 'code-cache')]) {
    const assets = (await readdir(place).catch(() => [])).filter(isAsset);
    const over = assets.filter((entry) => !isUsed(entry.split('-')[0] ?? ''));
    await Promise.all(over.map((entry) => rm(join(place, entry), { recursive: true, force: true })));
  }
}

const isAsset = (entry: string): boolean => entry.startsWith('asset.');
const isTemplate = (entry: string): boolean => entry.endsWith('.template.json');
