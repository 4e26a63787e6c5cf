import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { binaryFiles } from '../../../infra/bundling/bundle';
import type { JobCode } from '../../../infra/bundling/entries';

const root = join(__dirname, '../../..');

/**
 * Bundles a tool's file like a deployment, into one file that a child process can load again, with the code of others beside it. `remove`
 * deletes them.
 */
export function bundled<Exports>(
  file: string,
  ...threads: Pick<JobCode, 'file' | 'name'>[]
): { exports: Exports; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-bundled-'));
  const points = [{ file, name: 'index' }, ...threads].map((one) => ({ in: join(root, one.file), out: one.name }));
  buildSync({
    entryPoints: points,
    outdir: folder,
    bundle: true,
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    supported: { 'dynamic-import': false },
    loader: binaryFiles,
    logLevel: 'silent',
  });
  const outfile = join(folder, 'index.js');
  return { exports: require(outfile) as Exports, remove: () => rmSync(folder, { recursive: true }) };
}
