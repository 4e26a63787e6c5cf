import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { documentJob } from '../../infra/bundling/entries';
import type * as Reader from '../../lambdas/models/documents/read-document';

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

const readAll = `
const { readFileSync } = require('node:fs');
const [reader, ...documents] = JSON.parse(readFileSync(0, 'utf8'));
const { read } = require(reader);
(async () => {
  const answers = [];
  for (const { kind, file } of documents) answers.push(await read({ kind, bytes: new Uint8Array(readFileSync(file)), characters: 50_000 }));
  process.stdout.write(JSON.stringify(answers));
})();`;

/** Reads many documents by the deployed code in one process, which is much faster than a process for each. */
export function readTogether(
  documents: readonly { kind: Reader.DocumentToRead['kind']; file: string }[],
): Awaited<ReturnType<typeof Reader.read>>[] {
  const input = JSON.stringify([bundledReader(), ...documents]);
  return JSON.parse(execFileSync(process.execPath, ['-e', readAll], { input, encoding: 'utf8', maxBuffer: 1e8 }));
}
