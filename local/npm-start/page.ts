import { join } from 'node:path';
import { cachedAssembly } from '../template/assembly-cache';

/** What the page is built from. It compiles against the types of the others, which leave nothing in it. */
const sources = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.mts',
  'core/live-merge.ts',
  'package-lock.json',
];

/** Builds the page unless it is there as its sources have it. Resolves with whether it had to be built. */
export async function builtPage(root: string): Promise<boolean> {
  const folder = join(root, 'web/dist');
  const synthesize = async () => {
    const { build } = await import('vite');
    await build({ configFile: join(root, 'web/vite.config.mts'), logLevel: 'warn' });
  };
  return cachedAssembly({ folder, root, sources, env: {}, synthesize });
}
