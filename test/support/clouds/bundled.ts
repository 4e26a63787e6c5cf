import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

/** Bundles a tool's file like a deployment, into one file that a thread can load again. `remove` deletes that file. */
export function bundled<Exports>(file: string): { exports: Exports; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-bundled-'));
  const outfile = join(folder, 'index.js');
  buildSync({
    entryPoints: [join(__dirname, '../../..', file)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    supported: { 'dynamic-import': false },
    logLevel: 'silent',
  });
  return { exports: require(outfile) as Exports, remove: () => rmSync(folder, { recursive: true }) };
}
