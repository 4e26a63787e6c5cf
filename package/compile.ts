import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
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
  for (const file of files.filter((one) => one.endsWith('.json'))) {
    const target = join(outdir, relative(from, file));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(place, file), target);
  }
}

/** Writes the types as the configuration of `tsc` in a folder says. */
export function writeTypes(folder: string): void {
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', folder], { stdio: 'inherit' });
}
