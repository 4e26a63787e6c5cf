import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { documentJob } from '../../infra/bundling/entries';

/** Bundles the code of the process that reads documents, as a deployment does, and returns its file. */
export function bundledReader(): string {
  const outfile = join(mkdtempSync(join(tmpdir(), 'vigil-reader-')), 'read-document.js');
  const entry = join(__dirname, '../..', documentJob.file);
  buildSync({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minify: true,
  });
  return outfile;
}
