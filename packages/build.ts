/**
 * The build of a package of this folder: it makes `dist`, which is what is published, with the manifest, the README, the licence,
 * and in `lib` what Node and pages run, with its types. In this repository the manifest's entries are TypeScript.
 */
import { chmodSync, copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { compile, writeTypes } from '../package/compile';
import { place } from '../package/place';

interface Manifest {
  name: string;
  exports: Record<string, string>;
  scripts?: object;
  private?: boolean;
  devDependencies?: object;
}

export interface PackageBuild {
  folder: string;
  manifest: Manifest;
  /** The file of the command, which has the package's name. npm would link it in this repository. */
  command?: string;
  /** Whether pages import the entries too, as one module each. */
  forPages?: boolean;
}

const entriesOf = ({ manifest, command }: PackageBuild): string[] => [
  ...Object.values(manifest.exports).filter((path) => path.endsWith('.ts')),
  ...(command ? [command] : []),
];

/** Follows the imports of the entries: the files of the package, and the packages that it imports. */
export async function followImports(given: PackageBuild): Promise<{ files: string[]; packages: string[] }> {
  const { metafile } = (await build({
    absWorkingDir: given.folder,
    entryPoints: entriesOf(given),
    bundle: true,
    platform: 'node',
    packages: 'external',
    outdir: 'dist',
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

const compiled = (entry: string, extension: string): string =>
  entry.replace('./src/', './lib/').replace(/\.ts$/, extension);

/** Returns the manifest as it is published: its entries are compiled files. */
export function publishedManifest({ manifest, command, forPages }: PackageBuild) {
  const { scripts: _, private: __, devDependencies: ___, exports, ...rest } = manifest;
  const entryOf = (path: string) => {
    if (!path.endsWith('.ts')) return path;
    const types = compiled(path, '.d.ts');
    const required = compiled(path, '.js');
    return forPages ? { types, require: required, default: compiled(path, '.mjs') } : { types, default: required };
  };
  return {
    ...rest,
    ...(command && { bin: { [manifest.name]: compiled(command, '.js') } }),
    exports: Object.fromEntries(Object.entries(exports).map(([name, path]) => [name, entryOf(path)])),
  };
}

/** What pages import: one module for each entry, and one for what they share. */
export const pagesBuild = (given: PackageBuild) =>
  ({
    absWorkingDir: given.folder,
    entryPoints: entriesOf(given),
    outbase: 'src',
    outdir: join(given.folder, 'dist/lib'),
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    outExtension: { '.js': '.mjs' },
  }) satisfies BuildOptions;

/** Builds the package, and ends the process with an error that says what is wrong. */
async function buildPackage(given: PackageBuild): Promise<void> {
  const { folder, command } = given;
  const outdir = join(folder, 'dist');
  rmSync(outdir, { recursive: true, force: true });
  const { files } = await followImports(given);
  const at = relative(place, folder);
  const sources = files.filter((file) => file.startsWith('src/')).map((file) => `${at}/${file}`);
  await compile(sources, `${at}/src`, join(outdir, 'lib'));
  if (given.forPages) await build({ ...pagesBuild(given), logLevel: 'warning' });
  writeTypes(folder);
  if (command) chmodSync(join(folder, compiled(command, '.js').replace('./', 'dist/')), 0o755);
  writeFileSync(join(outdir, 'package.json'), `${JSON.stringify(publishedManifest(given), undefined, 2)}\n`);
  for (const [from, name] of [
    [folder, 'README.md'],
    [place, 'LICENSE'],
  ] as const)
    copyFileSync(join(from, name), join(outdir, name));
}

/** Builds the package if its `build.ts` is what runs. */
export function buildAsCommand(own: NodeJS.Module, given: PackageBuild): void {
  if (require.main !== own) return;
  buildPackage(given).catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
