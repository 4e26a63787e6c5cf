/**
 * `npm run build -w vigil-stepfunctions`: makes the folder `dist`, which is what is published: the manifest, the README, the
 * licence, and in `lib` what Node runs, with its types. In this repository the manifest's entries are TypeScript.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import manifest from './package.json';

const outdir = join(__dirname, 'dist');
const { '.': main, './shared': shared, './interpreter': interpreter } = manifest.exports;
const command = './src/main.ts';
const entries = [main, shared, interpreter, command];

/** Follows the imports of the entries: the files of this folder, and the packages. */
export async function followImports(): Promise<{ files: string[]; packages: string[] }> {
  const { metafile } = (await build({
    absWorkingDir: __dirname,
    entryPoints: entries,
    bundle: true,
    platform: 'node',
    packages: 'external',
    outdir,
    write: false,
    metafile: true,
    logLevel: 'error',
  })) as { metafile: Metafile };
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const packages = imports
    .filter(({ external, path }) => external && !path.startsWith('node:'))
    .map(({ path }) => path);
  return { files: Object.keys(metafile.inputs).sort(), packages: [...new Set(packages)].sort() };
}

/** Returns the path of an entry's compiled file. */
const compiled = (entry: string, extension = '.js'): string =>
  entry.replace('./src/', './lib/').replace(/\.ts$/, extension);

/** The manifest as it is published: its entries are compiled files, and it has the command, which npm would link here. */
export function publishedManifest() {
  const { scripts: _, private: __, exports, ...rest } = manifest;
  const entryOf = (path: string) =>
    path.endsWith('.ts') ? { types: compiled(path, '.d.ts'), default: compiled(path) } : path;
  return {
    ...rest,
    bin: { 'vigil-stepfunctions': compiled(command) },
    exports: Object.fromEntries(Object.entries(exports).map(([name, path]) => [name, entryOf(path)])),
  };
}

async function buildPackage(): Promise<void> {
  rmSync(outdir, { recursive: true, force: true });
  const { files } = await followImports();
  const sources = files.filter((file) => file.startsWith('src/'));
  await build({
    absWorkingDir: __dirname,
    entryPoints: sources.filter((file) => file.endsWith('.ts')),
    outbase: 'src',
    outdir: join(outdir, 'lib'),
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    supported: { 'dynamic-import': false },
    logLevel: 'warning',
  });
  for (const file of sources.filter((one) => one.endsWith('.json'))) {
    const target = join(outdir, file.replace('src/', 'lib/'));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(__dirname, file), target);
  }
  const tsc = join(dirname(createRequire(__filename).resolve('typescript/package.json')), 'bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', __dirname], { stdio: 'inherit' });
  chmodSync(join(outdir, 'lib/main.js'), 0o755);
  writeFileSync(join(outdir, 'package.json'), `${JSON.stringify(publishedManifest(), undefined, 2)}\n`);
  copyFileSync(join(__dirname, 'README.md'), join(outdir, 'README.md'));
  copyFileSync(join(__dirname, '../../LICENSE'), join(outdir, 'LICENSE'));
}

if (require.main === module)
  buildPackage().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
