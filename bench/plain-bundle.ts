import { join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';
import { root } from './measure';

/**
 * The engine as one plain file: what a loader adds to a process is not the engine's. It lies where what is not bundled is
 * found from; whoever asks for it removes it.
 */
export function plainBundle(name: string, what: Pick<BuildOptions, 'entryPoints' | 'stdin'>): string {
  const outfile = join(root, `node_modules/.cache/${name}-${process.pid}.cjs`);
  const options: BuildOptions = { ...what, outfile, bundle: true, platform: 'node', format: 'cjs' };
  buildSync({ ...options, external: ['classic-level'], logLevel: 'error' });
  return outfile;
}
