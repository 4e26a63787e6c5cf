import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import root from '../package.json';
import lock from '../package-lock.json';
import { isAllowed } from '../scripts/supply/licences';
import { followImports, type PackageBuild, pagesBuild, publishedManifest } from './build';
import { client } from './client/build';
import clientManifest from './client/package.json';
import { createClient } from './client/src';
import { engine } from './stepfunctions/build';
import engineManifest from './stepfunctions/package.json';

describe.each<[name: string, row: string, build: PackageBuild, compiled: string[]]>([
  ['client', 'R177', client, ['./lib/index.js', './lib/index.mjs', './lib/react/index.d.ts']],
  ['engine', 'R187', engine, ['./lib/main.js', './lib/index.js', './lib/shared.d.ts']],
])('the package of the %s (%s)', (_name, _row, given, compiled) => {
  test('has a published manifest that names compiled files, each of a source that is there', () => {
    const { bin = {}, exports, ...rest } = publishedManifest(given);
    const named = [
      ...Object.values<string>(bin),
      ...Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [] : Object.values(entry))),
    ];
    expect(named).toEqual(expect.arrayContaining(compiled));
    for (const path of named) {
      const source = path.replace('./lib/', './src/').replace(/(?:\.d\.ts|\.m?js)$/, '.ts');
      expect(existsSync(join(given.folder, source))).toBe(true);
    }
    for (const field of ['private', 'scripts', 'devDependencies']) expect(rest).not.toHaveProperty(field);
    const { license, engines } = root;
    const { name, version } = { version: '', ...rest };
    expect(rest).toMatchObject({ license, engines, ...(given.forPages && { sideEffects: false }) });
    expect(root.dependencies[name as 'vigil-client']).toBe(version);
  });

  test('has a page that links to nothing that is not published with it', () => {
    const text = readFileSync(join(given.folder, 'README.md'), 'utf8');
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!);
    expect(links.filter((link) => !/^(?:[a-z]+:|#|CHANGELOG\.md$)/.test(link))).toEqual([]);
  });
});

test.each<[options: unknown, message: string]>([
  [{ urls: '' }, 'createClient: urls: there is no such field: the fields are url, token, timeoutMs, clock, WebSocket'],
  [{ token: () => '' }, 'createClient: url: is missing: it must be a text'],
  [{ url: '', token: 't' }, 'createClient: token: must be a function'],
  [{ url: '', token: () => '', timeoutMs: Number.NaN }, 'createClient: timeoutMs: must be a number'],
  [
    { url: '', token: () => '', timeoutMs: undefined, urls: undefined, clock: 1, agent: 'a' },
    'createClient: agent: there is no such field: the fields are url, token, timeoutMs, clock, WebSocket',
  ],
  [undefined, 'createClient: the options must be an object'],
])('an option that there is not, or of another type, is refused by its name: %# (R193)', (options, message) => {
  expect(() => createClient(options as never)).toThrow(new TypeError(message));
});

test('the client’s types are those of the API’s document (R177)', () => {
  const script = ['--import', 'tsx', join(client.folder, 'draw-types.ts'), '--print'];
  const { stdout, stderr } = spawnSync(process.execPath, script, { encoding: 'utf8', env: { PATH: process.env.PATH } });
  expect(stderr).toBe('');
  expect(readFileSync(join(client.folder, 'src/api-types.ts'), 'utf8')).toBe(stdout);
});

test('the client imports nothing but what its optional entries are for, and no file outside its folder (R177)', async () => {
  const { files, packages } = await followImports(client);
  // The hook that takes the transport is its users' import. Its version must fit.
  expect([...packages, '@ai-sdk/react'].sort()).toEqual(Object.keys(clientManifest.peerDependencies));
  const { packages: alone } = await followImports({
    ...client,
    manifest: { ...clientManifest, exports: { '.': clientManifest.exports['.'] } },
  });
  expect(alone).toEqual([]);
  expect(files.filter((file) => !file.startsWith('src/') || file.includes('.test.'))).toEqual([]);
  expect(clientManifest).not.toHaveProperty('dependencies');
});

test('a page that takes the client and the hooks has one of it, of at most 12 KB, compressed (R177)', async () => {
  const { metafile } = await build({ ...pagesBuild(client), write: false, metafile: true });
  const files = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  expect(files).toHaveLength(new Set(files).size);
  const alone = { ...pagesBuild(client), entryPoints: ['src/index.ts'], splitting: false, minify: true, write: false };
  const { outputFiles } = await build({ ...alone, write: false });
  expect(outputFiles).toHaveLength(1);
  expect(gzipSync(outputFiles[0]!.contents).length).toBeLessThan(12 * 1024);
});

test('what is compiled of the engine is in its folder, without tests, and names no folder of this machine (R187)', async () => {
  const { files } = await followImports(engine);
  expect(files).toEqual(expect.arrayContaining(['package.json', 'src/main.ts', 'src/start.ts']));
  expect(files.filter((file) => !/^(?:src\/|package\.json$)/.test(file) || /\.test\./.test(file))).toEqual([]);
  const checkout = join(__dirname, '..');
  expect(files.filter((file) => readFileSync(join(engine.folder, file), 'utf8').includes(checkout))).toEqual([]);
});

test('the engine declares each package that it imports, and no client of AWS (R187)', async () => {
  const { packages } = await followImports(engine);
  expect(Object.keys(engineManifest.dependencies).sort()).toEqual(packages);
  expect(packages.filter((name) => name.startsWith('@aws-sdk/'))).toEqual([]);
});

test('the licences of what the engine installs are allowed (R187)', () => {
  const packages = lock.packages as Record<string, { license?: string; dependencies?: Record<string, string> }>;
  const found = new Map<string, string>();
  const visit = (name: string, from: string): void => {
    const path = [`${from}/node_modules/${name}`, `node_modules/${name}`].find((one) => packages[one])!;
    if (found.has(path)) return;
    found.set(path, packages[path]!.license ?? '');
    for (const next of Object.keys(packages[path]!.dependencies ?? {})) visit(next, path);
  };
  for (const name of Object.keys(engineManifest.dependencies)) visit(name, 'packages/stepfunctions');
  expect(found.size).toBeGreaterThan(5);
  expect([...found].filter(([, license]) => !isAllowed(license))).toEqual([]);
});
