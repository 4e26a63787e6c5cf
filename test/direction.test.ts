import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

// Data flows one way. What each folder may import of the others; its tests may import more.
const mayImport: Record<string, RegExp> = {
  core: /^core\//,
  runtime: /^(core|runtime)\//,
  tools: /^(core|runtime|tools)\//,
  agents: /^(core|tools|agents)\//,
  lambdas: /^(core\/|runtime\/|lambdas\/|agents$)/,
  statemachines: /^(core\/|statemachines\/|agents$)/,
  infra: /^(core\/|infra\/|statemachines\/|agents$)/,
  local: /^local\//,
  // What is published: the construct, the local cloud, and what the stories here are told with.
  package: /^(core|runtime|infra|local|package|test\/support)\//,
};

/** The one door: `npm start` and the demo synthesize the app that the local cloud then runs. */
const doors: Record<string, RegExp> = { local: /^infra\/synth$/ };

const files = execFileSync('git', ['ls-files', '*.ts'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file && !file.endsWith('.test.ts'));
const folderOf = (file: string) =>
  Object.keys(mayImport)
    .filter((folder) => file.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0];

test('every import goes in the direction of the house', () => {
  const wrong: string[] = [];
  for (const file of files) {
    const folder = folderOf(file);
    if (!folder) continue;
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import\(|require\()\s*'(\.[^']+)'/g)) {
      const target = normalize(join(dirname(file), path!));
      if (target.endsWith('.json')) continue;
      if (!mayImport[folder]!.test(target) && !doors[folder]?.test(target)) wrong.push(`${file} imports ${target}`);
    }
  }
  expect(wrong).toEqual([]);
});

/** From the words that everything uses up to what is built on all of it: each room imports of itself and of those before it. */
const rooms = [
  ...['text', 'time', 'state', 'models', 'store', 'agent', 'mcp', 'calls', 'decisions', 'runs', 'conversation', 'loop'],
  ...['timers', 'rollback', 'reconcile', 'views', 'finding', 'live', 'notices', 'memory'],
];
const roomOf = (path: string) => /^core\/([\w-]+)\//.exec(path)?.[1] ?? '';

test('core has rooms, of a dozen files at most, and none imports of one that is built on it', () => {
  const wrong: string[] = [];
  const sizes = new Map<string, number>();
  for (const file of files.filter((one) => one.startsWith('core/'))) {
    const room = roomOf(file);
    sizes.set(room, (sizes.get(room) ?? 0) + 1);
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import\(|require\()\s*'(\.[^']+)'/g)) {
      const target = normalize(join(dirname(file), path!));
      if (rooms.indexOf(roomOf(target)) > rooms.indexOf(room)) wrong.push(`${file} imports ${target}`);
    }
  }
  expect(wrong).toEqual([]);
  expect([...sizes.keys()].sort()).toEqual([...rooms].sort());
  expect(Math.max(...sizes.values())).toBeLessThanOrEqual(12);
});

test('of the others’ code the page takes types, and the merge of what it reads with what is pushed', () => {
  const ofPage = execFileSync('git', ['ls-files', 'web/src/*.ts', 'web/src/*.tsx'], { encoding: 'utf8' }).split('\n');
  const taken = ofPage
    .filter((file) => file && !file.includes('.test.'))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^import (?!type)[^;]*? from '(\.[^']+)'/gm)]
        .map(([statement, path]) => ({ statement, target: normalize(join(dirname(file), path!)) }))
        .filter(
          ({ statement, target }) => !target.startsWith('web/') && !/^import \{( type \w+,?)+ \}/.test(statement),
        ),
    );
  expect(new Set(taken.map(({ target }) => target))).toEqual(new Set(['core/live/live-merge']));
});

test('the local cloud never asks whether it is local: product code has no such word in a condition', () => {
  const product = files.filter((file) => /^(core|runtime|tools|agents|lambdas|statemachines|infra)\//.test(file));
  expect(product.filter((file) => /if \([^)]*\b(local|laptop)\b/i.test(readFileSync(file, 'utf8')))).toEqual([]);
});
