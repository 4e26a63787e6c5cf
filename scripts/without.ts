/**
 * Shows that a module can be taken away: in a copy of the house without its folder and its lines in the lists, what is left has no type error, and the
 * template has none of its functions and variables.
 *
 *     npx tsx scripts/without.ts [--tests] [NAME…]     all modules, if none is named; --tests runs the unit tests of what is left, too
 *
 * Tests that use the module go with it. Exits with 1 if anything else does, or if anything is left.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { allKinds } from '../core/base/models/kinds';
import { functionsOfModule, modulesFolder, root, shippedModules } from '../infra/bundling/entries';
import { importsIn } from '../test/support/imports';

/** The lists of this repository's app, and the app that `vigil init` begins. */
const lists = [
  ...readdirSync(join(root, modulesFolder))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${modulesFolder}/${name}`),
  'package/index.ts',
  'package/new-app/app.ts',
];
const isTest = (file: string) => /\.test\.tsx?$|^(?:test|scripts)\//.test(file);

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);

/** Copies what is in git to a folder, with the same installation. */
function copyTo(folder: string): string[] {
  const files = git('ls-files', '--cached', '--others', '--exclude-standard').filter((file) =>
    existsSync(join(root, file)),
  );
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file), { dereference: false });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return files;
}

/** Takes a module's imports out of a list, with what they name. */
function unlisted(source: string, name: string): string {
  const imports = new RegExp(
    `^(?:im|ex)port .*'(?:\\./|\\.\\./modules/|vigil/modules/)${name}(?:/[\\w-]+)?';\\n`,
    'gm',
  );
  const own = [...source.matchAll(imports)].flatMap(([line]) => {
    const [, words = ''] = /\{ (.*) \}/.exec(line) ?? [];
    return words.split(', ').map((word) => word.split(' as ').at(-1)!);
  });
  return own.reduce(
    (text, id) => text.replace(new RegExp(`(?:\\.\\.\\.)?\\b${id}\\b(?:\\([^)]*\\))?(?:, ?)?`, 'g'), ''),
    source.replace(imports, ''),
  );
}

/**
 * Removes the tests that use what is removed: by an import, or by the name of a kind of providers. Returns them, and what else imports it.
 */
function removeTests(folder: string, files: string[], isRemoved: (file: string) => boolean, kinds: string[]) {
  const removed = new Set(files.filter(isRemoved));
  const bare = (file: string) => file.replace(/\.tsx?$/, '');
  const left = () => files.filter((file) => /\.tsx?$/.test(file) && !removed.has(file));
  const isUsing = (file: string) => {
    const gone = new Set([...removed].map(bare));
    return importsIn(file, readFileSync(join(folder, file), 'utf8')).some(
      (one) => gone.has(one) || gone.has(`${one}/index`),
    );
  };
  const isNaming = (file: string) => {
    const source = kinds.length > 0 ? readFileSync(join(folder, file), 'utf8') : '';
    return kinds.some((kind) => new RegExp(`\\bkind: '${kind}'`).test(source));
  };
  const next = () => left().filter((file) => isTest(file) && (isUsing(file) || isNaming(file)));
  for (let found = next(); found.length > 0; found = next()) for (const file of found) removed.add(file);
  const others = left().filter(isUsing);
  for (const file of removed) rmSync(join(folder, file), { force: true });
  return { others, tests: [...removed].filter((file) => !isRemoved(file)) };
}

/** An app of one agent, with a provider that is still there: the shipped agents have none without a module. */
const templateScript = `
import { mkdirSync, writeFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { allKinds } from './core/base/models/kinds';
import { defineProvider } from './core/base/models/provider';
import { defineAgent } from './core/conversations/agent/agent';
import { registry } from './core/conversations/agent/registry';
import { entries } from './infra/bundling/entries';
import { quickly } from './infra/synth';
import { VigilStack } from './infra/vigil-app';
import { modulesFrom } from './modules/app';
const { kind } = allKinds.at(-1)!;
const model = { name: 'm', provider: defineProvider({ name: 'one', kind } as never) };
const agents = registry([defineAgent({ name: 'one', purpose: 'p', instructions: 'i', model, tools: [] })]);
for (const { id } of entries(agents)) {
  mkdirSync('./zz-bundles/' + id, { recursive: true });
  writeFileSync('./zz-bundles/' + id + '/index.js', '');
}
const app = new App({ outdir: './zz-assembly', ...quickly });
new VigilStack(app, 'Vigil', { agents: { agents, bundles: './zz-bundles' }, modules: modulesFrom({ VIGIL_MCP: 'on', OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example.com' }) });
writeFileSync('./zz-template.json', JSON.stringify(app.synth().getStackByName('Vigil').template));
`;

function run(folder: string, what: string, ...args: string[]): boolean {
  const { status, stdout, stderr } = spawnSync('npx', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) console.error(`${what}:\n${`${stdout}${stderr}`.split('\n').slice(-60).join('\n')}`);
  return status === 0;
}

/** The ids of a module's functions, and its environment variables. */
function tracesOf(name: string): string[] {
  const settings = join(root, 'modules', name, 'settings.ts');
  const variables = existsSync(settings) ? readFileSync(settings, 'utf8').matchAll(/variable: '(\w+)'/g) : [];
  return [...functionsOfModule(name).map(({ id }) => id), ...[...variables].map(([, variable]) => variable!)];
}

/** What the compiler knows of the whole house, so that it checks again only what a removal changes. */
const checkedTypes = 'zz-types.tsbuildinfo';
const checkTypes = (folder: string, what: string): boolean =>
  run(folder, what, 'tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', checkedTypes);

/** @returns whether nothing is left of it, and nothing misses it. */
function isRemovable(name: string, whole: string, withTests: boolean): boolean {
  const folder = join(whole, '..', name);
  try {
    const files = copyTo(folder);
    cpSync(join(whole, checkedTypes), join(folder, checkedTypes));
    for (const list of lists)
      writeFileSync(join(folder, list), unlisted(readFileSync(join(folder, list), 'utf8'), name));
    const kinds = allKinds.filter(({ module }) => module === name).map(({ kind }) => kind);
    // `vigil/<name>` is its door.
    const isOwn = (file: string) => file.startsWith(`modules/${name}/`) || file === `package/${name}.ts`;
    const { others, tests } = removeTests(folder, files, isOwn, kinds);
    for (const file of others) console.error(`${file} imports the module ${name}`);
    if (tests.length > 0) console.log(`${name}: without ${tests.join(', ')}`);
    writeFileSync(join(folder, 'zz-template.ts'), templateScript);
    const hasTypes = checkTypes(folder, `types without ${name}`);
    const isDeployed = run(
      folder,
      `the template without ${name}`,
      'tsx',
      '--conditions=vigil-source',
      'zz-template.ts',
    );
    const template = isDeployed ? readFileSync(join(folder, 'zz-template.json'), 'utf8') : '';
    const traces = tracesOf(name).filter((word) => new RegExp(`\\b${word}\\b`).test(template));
    for (const word of traces) console.error(`the template without ${name} has ${word}`);
    const passes = !withTests || run(folder, `unit tests without ${name}`, 'jest', '--selectProjects', 'unit');
    return others.length + traces.length === 0 && hasTypes && isDeployed && passes;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const { values, positionals } = parseArgs({
  options: { tests: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !shippedModules.includes(name));
if (unknown) {
  console.error(`There is no module ${unknown}: there are ${shippedModules.join(', ')}.`);
  process.exit(1);
}
const place = mkdtempSync(join(tmpdir(), 'without-'));
try {
  const whole = join(place, 'whole');
  copyTo(whole);
  if (!checkTypes(whole, 'types')) process.exitCode = 1;
  for (const name of positionals.length > 0 ? positionals : shippedModules) {
    const isGone = isRemovable(name, whole, values.tests);
    console.log(`${name}: ${isGone ? 'can be left out' : 'CANNOT be left out'}`);
    if (!isGone) process.exitCode = 1;
  }
} finally {
  rmSync(place, { recursive: true, force: true });
}
