import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { type Assembly, openAssembly } from './assembly';
import type { BuildOrder } from './builder';
import { findSources } from './sources';

let root: string;
let folder: string;
let builds: number;
let failing: string | undefined;
/** The files that the bundles are made from. */
let inputs: string[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vigil-sources-'));
  folder = join(root, 'state/assembly');
  [builds, failing, inputs] = [0, undefined, []];
  write('agents/a.ts', 'one');
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

/** A template with one function, whose code is the agent's file. */
async function build({ assembly }: BuildOrder): Promise<string[]> {
  builds++;
  if (failing) throw new Error(failing);
  const code = readFileSync(join(root, 'agents/a.ts'), 'utf8');
  mkdirSync(join(assembly, `asset.${code}`));
  writeFileSync(join(assembly, 'Vigil.template.json'), `{"code":"asset.${code}"}`);
  return ['agents/a.ts', ...inputs];
}

const open = () =>
  openAssembly({ folder, root, sources: ['agents'], env: {}, builder: { build, stop: () => undefined } });
async function save(assembly: Assembly, code: string, deploy?: () => Promise<void>): Promise<void> {
  write('agents/a.ts', code);
  await assembly.look();
  await assembly.build(deploy);
}
const assets = () => readdirSync(folder).filter((entry) => entry.startsWith('asset.'));
async function isCurrent(): Promise<boolean> {
  const assembly = await open();
  await assembly.look();
  return assembly.isCurrent();
}

test('of an app’s whole folder, packages, tests and what is built or hidden are not sources (R165)', async () => {
  for (const file of ['app.ts', 'agents/a.test.ts', 'node_modules/p/index.js', 'tools/deep/t.ts']) write(file, 'one');
  for (const file of ['cdk.out/a.json', '.git/config.txt', '.vigil/state.json', 'tools/node_modules/q/index.js'])
    write(file, 'one');
  const { files, folders } = await findSources(root, ['.']);
  expect(files).toEqual(['agents/a.ts', 'app.ts', 'tools/deep/t.ts'].map((file) => join(file)));
  expect(folders.map((path) => relative(root, path)).sort()).toEqual(['', 'agents', 'tools', join('tools', 'deep')]);
});

test('a build is current until a source changes, also for the next process', async () => {
  const assembly = await open();
  expect(await assembly.look()).toEqual([join('agents', 'a.ts')]);
  expect(assembly.isCurrent()).toBe(false);
  await assembly.build();
  expect(assembly.isCurrent()).toBe(true);
  expect(await isCurrent()).toBe(true);
  write('agents/b.ts', 'new');
  expect(await assembly.look()).toEqual([join('agents', 'b.ts')]);
  expect(await isCurrent()).toBe(false);
});

test('tests and temporary files of editors are not sources', async () => {
  const assembly = await open();
  await assembly.look();
  for (const name of ['a.test.ts', '.a.ts.swp', 'a.ts~', '4913', '#a.ts#']) write(`agents/${name}`, 'x');
  expect(await assembly.look()).toEqual([]);
});

test('a file elsewhere that a bundle imports is a source, too, and its folder is watched', async () => {
  write('shared/word.ts', 'word');
  inputs = ['shared/word.ts'];
  // Long before the build: the hash of a file saved during it would be unknown.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const watched: string[][] = [];
  const assembly = await open();
  assembly.onFolders((folders) => watched.push(folders));
  await assembly.look();
  await assembly.build();
  expect(await isCurrent()).toBe(true);
  write('shared/word.ts', 'another');
  expect(await assembly.look()).toEqual(['shared/word.ts']);
  expect(watched).toEqual([[join(root, 'agents')], [join(root, 'agents'), join(root, 'shared')]]);
  expect(await isCurrent()).toBe(false);
});

test('a file elsewhere that is saved during the build leads to another build', async () => {
  inputs = ['shared/word.ts'];
  const assembly = await open();
  await assembly.look();
  write('shared/word.ts', 'late');
  await assembly.build();
  expect(assembly.isCurrent()).toBe(true);
  expect(await assembly.look()).toEqual(['shared/word.ts']);
  expect(assembly.isCurrent()).toBe(false);
});

test('the code of the previous deployment is kept, older code is removed', async () => {
  const assembly = await open();
  for (const code of ['one', 'two', 'three']) {
    write(`state/assembly/code-cache/asset.${code}-index.js-1-2.v8`, 'compiled');
    await save(assembly, code);
  }
  expect(assets()).toEqual(['asset.three', 'asset.two']);
  const compiled = readdirSync(join(folder, 'code-cache'));
  expect(compiled).toEqual(['asset.three-index.js-1-2.v8', 'asset.two-index.js-1-2.v8']);
});

test('a failed build changes nothing', async () => {
  const assembly = await open();
  await save(assembly, 'one');
  failing = 'agents/a.ts:1:1: no';
  await expect(save(assembly, 'two')).rejects.toThrow(failing);
  expect(assets()).toEqual(['asset.one']);
  expect(await isCurrent()).toBe(false);
  write('agents/a.ts', 'one');
  expect(await isCurrent()).toBe(true);
});

test('while deployments fail, the running code stays, and the next start builds', async () => {
  const assembly = await open();
  await save(assembly, 'one');
  const refused = async () => {
    throw new Error('the table has another key');
  };
  for (const code of ['two', 'three']) await expect(save(assembly, code, refused)).rejects.toThrow('another key');
  expect(existsSync(join(folder, 'asset.one'))).toBe(true);
  expect(await isCurrent()).toBe(false);
  await save(assembly, 'four', async () => undefined);
  expect(assets()).toEqual(['asset.four', 'asset.one']);
  expect(await isCurrent()).toBe(true);
  expect(builds).toBe(4);
});
