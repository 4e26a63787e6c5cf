import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root, type Sources } from './entries';
import { bundleChanged } from './kept-bundles';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-bundles-'));
  for (const name of ['agents', 'acts']) mkdirSync(join(folder, name));
  write('shared.ts', 'export const word = "one";');
  write('a.ts', 'import { word } from "./shared"; export const handler = () => word;');
  write('b.ts', 'export const handler = () => "b";');
  write('c.ts', 'import { shipped } from "./agents/index"; export const handler = () => shipped;');
  write('agents/index.ts', '// readdirSync(__dirname)');
  write('acts/act.ts', 'export const act = { name: "act", description: "acts once" };');
  write(
    'agents/first-agent.ts',
    'import { act } from "../acts/act"; export const first = { name: "first", tools: [act], handOffs: [] };',
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
/** A file saved during a build, or just before it, is bundled again. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 50));

const fromRoot = (file: string) => relative(root, join(folder, file));
const sources = (): Sources => ({ agents: fromRoot('agents'), tools: [fromRoot('acts')], modules: [] });
const entries = () => ['a', 'b', 'c'].map((id) => ({ id, file: fromRoot(`${id}.ts`) }));
const outdir = () => join(folder, 'out');
const bundleOf = (id: string) => join(outdir(), id, 'index.js');

const has = (id: string, text: string) => readFileSync(bundleOf(id), 'utf8').includes(text);

/** Returns which of the bundles this build makes. */
async function build(): Promise<string[]> {
  await settled();
  const times = () => entries().map(({ id }) => statSync(bundleOf(id), { throwIfNoEntry: false })?.mtimeMs);
  const before = times();
  await bundleChanged(entries(), outdir(), sources());
  const after = times();
  return entries()
    .map(({ id }) => id)
    .filter((_id, index) => before[index] !== after[index]);
}

test('builds only the bundles that a change reaches', async () => {
  expect(await build()).toEqual(['a', 'b', 'c']);
  expect(await build()).toEqual([]);
  write('shared.ts', 'export const word = "two";');
  expect(await build()).toEqual(['a']);
  expect(has('a', 'two')).toBe(true);
  expect(await build()).toEqual([]);
});

test('adding or removing an agent, and another definition of a tool, change every bundle that has the agents (R165)', async () => {
  await build();
  write('agents/second-agent.ts', 'export const second = { name: "the second of them", tools: [], handOffs: [] };');
  expect(await build()).toEqual(['c']);
  expect(has('c', 'the second of them')).toBe(true);
  rmSync(join(folder, 'agents/second-agent.ts'));
  write('acts/act.ts', 'export const act = { name: "act", description: "acts twice" };');
  expect(await build()).toEqual(['c']);
  expect([has('c', 'the second of them'), has('c', 'acts twice')]).toEqual([false, true]);
});

test('what a failed build should have made, a missing bundle and an unreadable record are made again', async () => {
  await build();
  write('shared.ts', 'export const word = ;');
  await expect(build()).rejects.toThrow('shared.ts');
  write('shared.ts', 'export const word = "one";');
  expect(await build()).toEqual(['a']);
  rmSync(bundleOf('b'));
  expect(await build()).toEqual(['b']);
  writeFileSync(join(outdir(), 'inputs.json'), '{"base":');
  expect(await build()).toEqual(['a', 'b', 'c']);
});

test('returns the files that the bundles are made from, without packages', async () => {
  const files = await bundleChanged(entries(), outdir(), sources());
  for (const file of ['a.ts', 'shared.ts', 'c.ts', 'agents/first-agent.ts']) expect(files).toContain(fromRoot(file));
  expect(files).toContain('core/conversations/agent/registry.ts');
  expect(files.filter((file) => file.includes('node_modules') || file.endsWith('/'))).toEqual([]);
});

test('a file that is saved between its bundling and the record is bundled again', async () => {
  await settled();
  const built = bundleChanged(entries(), outdir(), sources());
  while (!existsSync(bundleOf('a'))) await new Promise(setImmediate);
  write('shared.ts', 'export const word = "late";');
  await built;
  expect(has('a', 'late')).toBe(false);
  await build();
  expect(has('a', 'late')).toBe(true);
});
