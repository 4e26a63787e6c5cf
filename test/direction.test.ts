import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { file as contributing, describedFolders, drawn, floors } from './support/draw-folders';
import { importsIn } from './support/imports';

// Data flows one way. What each folder may import of the others; its tests may import more.
const mayImport: Record<string, RegExp> = {
  // The kinds of providers and of rows, and the fields of agents.
  core: /^(core\/|modules\/(?:agent-fields|providers|rows)$)/,
  runtime: /^(core|runtime)\//,
  tools: /^(core|runtime|tools)\//,
  agents: /^(core|tools|agents)\//,
  // The lists of modules, and none by its name.
  lambdas: /^(core\/|runtime\/|lambdas\/|agents$|modules(?:\/(?:api|models|reconcile))?$)/,
  statemachines: /^(core\/|statemachines\/|agents$)/,
  infra: /^(core\/|infra\/|statemachines\/|agents$|modules\/(?:app|settings)$)/,
  // Each is built on the kernel. None imports another one.
  modules: /^(core|runtime|lambdas|statemachines|infra|agents)(?:\/|$)/,
  local: /^local\//,
  // Packages of their own, which others import by their names.
  'packages/client/src': /^packages\/client\/src\//,
  'packages/stepfunctions/src': /^packages\/stepfunctions\/(?:src\/|package$)/,
  // What is published: the construct, the local cloud, the client, and what the stories here are told with.
  package: /^(core|runtime|modules|infra|local|package|test\/support)\//,
};

/** The doors: `npm start` and the demo synthesize the app that the local cloud then runs, and texts are cut, durations read, and pictures written in one way. */
const doors: Record<string, RegExp> = {
  local: /^(infra\/synth|runtime\/png|core\/base\/(text\/clip|time\/duration))$/,
};

const files = execFileSync('git', ['ls-files', '*.ts'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file && !file.endsWith('.test.ts'));
const pages = execFileSync('git', ['ls-files', 'web/src/*.tsx'], { encoding: 'utf8' }).split('\n').filter(Boolean);
const importsOf = (file: string) => importsIn(file, readFileSync(file, 'utf8'));
const folderOf = (file: string) =>
  Object.keys(mayImport)
    .filter((folder) => file.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0];

/** What lists modules names them; a module has its own folder. */
const isOfOwnModule = (file: string, target: string): boolean => {
  const [, own] = /^modules\/(?:([\w-]+)\/)?/.exec(file) ?? [];
  return file.startsWith('modules/') && target.startsWith(own === undefined ? 'modules/' : `modules/${own}/`);
};

test('every import goes in the direction of the house', () => {
  const wrong: string[] = [];
  for (const file of files) {
    const folder = folderOf(file);
    if (!folder) continue;
    for (const target of importsOf(file)) {
      if (target.endsWith('.json')) continue;
      if (isOfOwnModule(file, target)) continue;
      if (!mayImport[folder]!.test(target) && !doors[folder]?.test(target)) wrong.push(`${file} imports ${target}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('what is outside a package imports it by its name', () => {
  const all = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { encoding: 'utf8' }).split('\n').filter(Boolean);
  // What lies beside the packages builds and checks them.
  const ofPackages = /^packages\/[^/]+$/;
  const reachesIn = all.filter((file) =>
    importsOf(file).some((target) => {
      const [, own] = /^(packages\/\w+\/)/.exec(target) ?? [];
      return own !== undefined && !file.startsWith(own) && !ofPackages.test(file);
    }),
  );
  expect(reachesIn).toEqual([]);
});

const floorNames = Object.keys(floors);
const floorOf = (path: string) => /^core\/(\w+)\//.exec(path)?.[1] ?? '';
/** The port of modules lies on top of the floors. */
const port = 'core/module.ts';

test('core has four floors of folders; none imports from one that is built on it', () => {
  const up: string[] = [];
  let [all, own] = [0, 0];
  for (const file of files.filter((one) => one.startsWith('core/') && one !== port)) {
    for (const target of importsOf(file)) {
      all += 1;
      if (floorOf(target) === floorOf(file)) own += 1;
      if (floorNames.indexOf(floorOf(target)) > floorNames.indexOf(floorOf(file))) up.push(`${file} imports ${target}`);
    }
  }
  expect(up).toEqual([]);
  expect(new Set([...describedFolders().keys()].map((folder) => floorOf(`${folder}/`)))).toEqual(new Set(floorNames));
  expect(own / all).toBeGreaterThan(0.45);
});

test('each folder of core says once what it is, and CONTRIBUTING has that', () => {
  const folders = [...describedFolders()];
  expect(folders.filter(([, words]) => words.length !== 1).map(([folder]) => folder)).toEqual([]);
  // If this fails, run `npx tsx test/support/draw-folders.ts`.
  const page = readFileSync(contributing, 'utf8');
  expect(page).toBe(drawn(page));
});

/** The files of other folders of which more than types is imported. */
function takenBy(folder: string): Set<string> {
  const own = files.concat(pages).filter((file) => file.startsWith(`${folder}/`));
  return new Set(
    own.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^(?:im|ex)port (?!type)[^;]*? from '(\.[^']+)'/gm)]
        .filter(([statement]) => !/^(?:im|ex)port \{( type \w+,?)+ \}/.test(statement))
        .map(([, path]) => normalize(join(dirname(file), path!)))
        .filter((target) => !target.startsWith(`${folder}/`)),
    ),
  );
}

/** Writes of a call or a callback that set a status, in a function of a file. */
function statusesSet(source: string): string[] {
  const functions = source.split(/\n}\n|\n\n(?=(?:export )?(?:const|async function|function) )/);
  const ofCalls = functions.filter((text) => /\bsk: (?:key\.(?:call|callback)\(|`\$\{prefix\.call)/.test(text));
  return ofCalls.flatMap((text) => text.match(/\b(?:set|fields)(?:: | = )\{[^}]*\bstatus\b[^}]*\}/g) ?? []);
}

test('only a transition sets the status of a call, and only its writers that of a callback (R258)', () => {
  const writers = ['core/conversations/calls/callback.ts', 'core/conversations/calls/change-call.ts'];
  const found = files.filter((file) => statusesSet(readFileSync(file, 'utf8')).length > 0);
  expect(found).toEqual(writers);
  const planted = "const end = () => ({ sk: key.call(id), set: { status: 'cancelled', error }, onlyIf: {} });";
  expect(statusesSet(planted)).toHaveLength(1);
});

test('of the server’s code the page takes types, how JSON is checked, how a text is cut and how an address is read', () => {
  const taken = ['core/base/json/foreign-json', 'core/base/text/clip', 'core/base/text/web-address'];
  expect([...takenBy('web')].sort()).toEqual(taken);
});

test('the local cloud never asks whether it is local: product code has no such word in a condition', () => {
  const product = files.filter((file) =>
    /^(core|runtime|tools|agents|lambdas|modules|statemachines|infra)\//.test(file),
  );
  expect(product.filter((file) => /if \([^)]*\b(local|laptop)\b/i.test(readFileSync(file, 'utf8')))).toEqual([]);
});
