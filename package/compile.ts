import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { place } from './place';

/** Compiles files to CommonJS, file by file, and copies those of JSON. Their paths are relative to the repository, `from` too. */
export async function compile(files: string[], from: string, outdir: string): Promise<void> {
  await build({
    absWorkingDir: place,
    outdir,
    outbase: join(place, from),
    logLevel: 'warning',
    entryPoints: files.filter((file) => file.endsWith('.ts')),
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    supported: { 'dynamic-import': false },
  });
  for (const file of files.filter((one) => one.endsWith('.json')))
    copyFileSync(join(place, file), join(outdir, relative(from, file)));
}

/** Writes the types as a configuration of `tsc` in this folder says. */
export function writeTypes(configuration: string): void {
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', join(place, 'package', configuration)], { stdio: 'inherit' });
}
