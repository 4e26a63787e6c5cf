import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Keeps the synthesized assembly as long as nothing that it was made from has changed: that takes a second of every start otherwise,
 * most of it to load the CDK.
 */
export interface AssemblyCacheOptions {
  /** Where the assembly lies; it belongs to us and is emptied before a synthesis. */
  folder: string;
  root: string;
  /** Folders and files under `root` that decide what is synthesized. */
  sources: readonly string[];
  /** Variables that do. */
  env: Readonly<Record<string, string | undefined>>;
  synthesize: (folder: string) => Promise<unknown>;
}

const MARK = 'sources.sha256';

/** Resolves with whether the assembly had to be made. */
export async function cachedAssembly({
  folder,
  root,
  sources,
  env,
  synthesize,
}: AssemblyCacheOptions): Promise<boolean> {
  const wanted = await fingerprint(root, sources, env);
  const known = await readFile(join(folder, MARK), 'utf8').catch(() => undefined);
  if (known === wanted) return false;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await synthesize(folder);
  // Written last: an assembly that was cut short is made again.
  await writeFile(join(folder, MARK), wanted);
  return true;
}

async function fingerprint(root: string, sources: readonly string[], env: object): Promise<string> {
  const hash = createHash('sha256').update(process.version).update(JSON.stringify(env));
  const files = (await Promise.all(sources.map((source) => filesOf(root, source)))).flat().sort();
  const contents = await Promise.all(files.map((file) => readFile(join(root, file))));
  for (const [index, file] of files.entries()) hash.update(`\n${file}\n`).update(contents[index] ?? '');
  return hash.digest('hex');
}

async function filesOf(root: string, source: string): Promise<string[]> {
  const entries = await readdir(join(root, source), { withFileTypes: true, recursive: true }).catch(() => undefined);
  if (!entries) return [source];
  const files = entries.filter((entry) => entry.isFile() && !entry.name.includes('.test.'));
  return files.map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}
