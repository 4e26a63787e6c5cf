import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { dependencies, devDependencies, version } from '../../package.json';
import { place } from '../place';

/** The files of a new app. npm leaves out files that are called `.gitignore`. */
const templates = join(place, 'package/new-app');
const renamed: Readonly<Record<string, string>> = { gitignore: '.gitignore' };

/**
 * Makes an app in a folder that is new or empty, and installs nothing.
 *
 * @returns what to type next.
 * @throws Error in one line. Existing files are never changed.
 */
export async function initApp(folder: string): Promise<string> {
  const root = resolve(folder);
  const name = packageName(root);
  if (basename(root) === 'node_modules' || !/^[a-z]/.test(name)) {
    const proposal = shellWord(join(dirname(folder), `my-${name || 'agents'}`));
    throw new Error(`${folder}: use a name that begins with a letter, such as ${proposal}.`);
  }
  const there = await readdir(root).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new Error(`${folder} cannot be used (${error.code}): name a new folder.`);
  });
  if (there.length > 0) throw new Error(`${folder} is not empty: name a new folder.`);
  for (const file of await filesIn(templates)) {
    const target = join(root, dirname(file), renamed[basename(file)] ?? basename(file));
    await mkdir(dirname(target), { recursive: true });
    const text = readFileSync(join(templates, file), 'utf8').replaceAll('my-agents', name);
    // Fails if the file exists by now.
    await writeFile(target, text, { flag: 'wx' });
  }
  await writeFile(join(root, 'package.json'), `${JSON.stringify(manifest(name, root), undefined, 2)}\n`, {
    flag: 'wx',
  });
  const manager = /^(pnpm|yarn)\//.exec(process.env.npm_config_user_agent ?? '')?.[1] ?? 'npm';
  return `${folder} is ready. Next:

  cd ${shellWord(folder)}
  ${manager} install
  ${manager} test
  ${manager} start

README.md says what is where, and AGENTS.md what an agent that writes code must know.`;
}

/** Returns a name that npm accepts, for the package in a folder: `Our Shop` becomes `our-shop`, and `vigil`, which it installs, `vigil-app`. */
function packageName(root: string): string {
  const name = basename(root)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    // By now it is ASCII.
    .slice(0, 200)
    .replace(/^-|-$/g, '');
  const { dependencies, devDependencies } = manifest(name, root);
  return Object.hasOwn({ ...dependencies, ...devDependencies }, name) ? `${name}-app` : name;
}

/** Returns a path as it is typed after `cd`. */
function shellWord(path: string): string {
  const typed = path.startsWith('-') ? `./${path}` : path;
  if (/^[\w./\\:@%+-]+$/.test(typed)) return typed;
  return process.platform === 'win32' ? `"${typed}"` : `'${typed.replaceAll("'", "'\\''")}'`;
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** With the versions that Vigil is tested with. */
function manifest(name: string, root: string) {
  const version = (name: keyof typeof devDependencies) => ({ [name]: devDependencies[name] });
  const own = ownVersions(root);
  // pnpm and Yarn would look for those in a registry.
  const files = Object.entries(own).filter(([name, from]) => name !== 'vigil' && from.startsWith('file:'));
  return {
    name,
    private: true,
    scripts: {
      start: 'vigil start',
      test: 'vigil typecheck && node --import tsx --test test/*.test.ts',
      eval: 'vigil eval',
      typecheck: 'vigil typecheck',
      synth: 'cdk synth --quiet',
      deploy: 'cdk deploy',
    },
    dependencies: { ...version('aws-cdk-lib'), ...version('constructs'), ...own, ...version('zod') },
    devDependencies: { ...version('@types/node'), ...version('aws-cdk'), ...version('tsx'), ...version('typescript') },
    ...(files.length > 0 && { resolutions: Object.fromEntries(files) }),
  };
}

/**
 * Returns what the new app installs: the package that runs this, and those of its own packages that came from files. npm
 * records beside a package where it came from: a file, a repository or a registry.
 */
function ownVersions(root: string): Record<string, string> {
  const [modules] = /^.*[\\/]node_modules(?=[\\/]vigil$)/.exec(place) ?? [];
  // A link, or a clone of the repository.
  if (!modules) return { vigil: `file:${pathFrom(root, place)}` };
  const lock = join(modules, '.package-lock.json');
  const { packages = {} } = existsSync(lock) ? JSON.parse(readFileSync(lock, 'utf8')) : {};
  const sourceOf = (name: string): string => packages[`node_modules/${name}`]?.resolved ?? '';
  const fileOf = (name: string) =>
    `file:${pathFrom(root, resolve(dirname(modules), sourceOf(name).slice('file:'.length)))}`;
  const files = ['vigil', ...Object.keys(dependencies).filter((name) => name.startsWith('vigil-'))]
    .filter((name) => sourceOf(name).startsWith('file:'))
    .map((name) => [name, fileOf(name)]);
  return { vigil: sourceOf('vigil').startsWith('git') ? sourceOf('vigil') : version, ...Object.fromEntries(files) };
}

const pathFrom = (root: string, path: string): string => relative(root, path).split(sep).join('/');
