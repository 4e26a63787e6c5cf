import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findSources, fingerprint, hashFiles, readMark, writeMark } from '../build/sources';

/** What the page is built from. It compiles against the types of the others, which leave nothing in it. */
const sources = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.mts',
  'core/live/live-merge.ts',
  'package-lock.json',
];

/** Builds the page unless it is there as its sources have it, and says so first. */
export async function builtPage(root: string, say: (line: string) => void = () => undefined): Promise<void> {
  const folder = join(root, 'web/dist');
  const wanted = await pageFingerprint(root);
  if ((await readMark(folder))?.fingerprint === wanted) return;
  say('Building the page…');
  await rm(folder, { recursive: true, force: true });
  const { build } = await import('vite');
  await build({ configFile: join(root, 'web/vite.config.mts'), logLevel: 'warn' });
  await writeMark(folder, { fingerprint: wanted, inputs: [] });
}

/** Of what the page at `root` is built from. */
export async function pageFingerprint(root: string): Promise<string> {
  const { files } = await findSources(root, sources);
  return fingerprint(await hashFiles(root, files), {});
}
