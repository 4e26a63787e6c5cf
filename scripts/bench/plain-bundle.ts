import { join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';
import { root } from './measure';

/**
 * Bundles the engine into one plain file, so that no loader affects the measurement. The file is inside node_modules,
 * so that external packages are found. The caller removes it.
 */
export function plainBundle(name: string, what: Pick<BuildOptions, 'entryPoints' | 'stdin'>): string {
  const outfile = join(root, `node_modules/.cache/${name}-${process.pid}.cjs`);
  const options: BuildOptions = { ...what, outfile, bundle: true, platform: 'node', format: 'cjs' };
  buildSync({ ...options, external: ['classic-level'], logLevel: 'error' });
  return outfile;
}
