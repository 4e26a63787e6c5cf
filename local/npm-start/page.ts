import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findSources, fingerprint, hashFiles, readMark, writeMark } from '../build/sources';

/** The sources of the page. Other imports are types only, which leave nothing in the build. A test follows the imports. */
export const pageSources = [
  'web/src',
  'packages/client/src',
  'web/public',
  'web/index.html',
  'web/vite.config.mts',
  'web/local-proxy.mts',
  'core/base/json/foreign-json.ts',
  'core/base/text',
  'package-lock.json',
];

/** Builds the page if its sources have changed, and says so first. */
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

/** Returns the fingerprint of the page's sources at `root`. */
export async function pageFingerprint(root: string): Promise<string> {
  const { files } = await findSources(root, pageSources);
  return fingerprint(await hashFiles(root, files), {});
}
