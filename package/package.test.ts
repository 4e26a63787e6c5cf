import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import client from 'vigil-client/package.json';
import engine from 'vigil-stepfunctions/package.json';
import manifest from '../package.json';
import lock from '../package-lock.json';
import { startModelServer } from '../test/support/servers/model-server';
import { type Contents, packageContents } from './contents';
import { place } from './place';
import { startThirdParty, startVigil } from './testing';
import { checkFault } from './testing/fault';

let contents: Contents;
let packed: string[];
beforeAll(async () => {
  contents = await packageContents();
  // What is compiled is not built here (see test/package.scenario.test.ts).
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const said = execFileSync('npm', args, { cwd: place, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  packed = (JSON.parse(said) as { files: { path: string }[] }[])[0]!.files.map(({ path }) => path);
});

const entries = ['package/index', 'package/mcp', 'package/testing/index', 'package/eval/index', 'infra/index'];
const ofClient = ['client/src/index', 'client/src/react/index'];
const ofEngine = ['stepfunctions/src/index', 'stepfunctions/src/shared', 'stepfunctions/src/interpreter'];
test.each([...entries, ...[...ofClient, ...ofEngine].map((entry) => `packages/${entry}`)])(
  '%s names each thing that can be imported from it, and has nothing else (R165, R177, R187)',
  (entry) => {
    const source = readFileSync(join(place, `${entry}.ts`), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    expect(source).toMatch(/^export /m);
    expect(source.replace(/^export (?:type )?\{[^}]*\}(?: from '[^']+')?;$/gm, '').trim()).toBe('');
  },
);

test.each<[() => unknown, string]>([
  [
    () => startVigil({ varibles: {} } as never),
    'startVigil: varibles: there is no such field: did you mean "variables"?',
  ],
  [() => checkFault({ function: 'Ask', kind: 'slow' } as never), 'fault: kind: must be "crash", "error", "throttle"'],
  [() => checkFault({ kind: 'kill', from: 'tomorrow' }), 'fault: from: must be a Date, or a time with its zone'],
  [() => checkFault({ write: 'lost', time: 2 } as never), 'fault: time: there is no such field: did you mean "times"?'],
  [() => startThirdParty({ answer: 1 } as never), 'startThirdParty: answer: there is no such field'],
  [() => startModelServer({ script: [{ txt: 'Hi' }] as never }), 'reply 1 of the script: txt: there is no such field'],
])('an option that there is not, or of another type, is refused by its name: %# (R193)', async (use, message) => {
  const used = async () => use();
  await expect(used()).rejects.toMatchObject({ name: 'ConfigurationError', message: expect.stringContaining(message) });
});

test('the entries for pages have all that the client has (R177)', () => {
  const valuesOf = (name: string) => Object.keys(jest.requireActual<object>(name)).sort();
  for (const [own, name] of [
    ['./pages/client', 'vigil-client'],
    ['./pages/react', 'vigil-client/react'],
  ] as const)
    expect(valuesOf(own)).toEqual(valuesOf(name));
});

test('each package that it imports is declared, and none besides (R165)', () => {
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  // What the client's optional entries are for is declared here too, for those who import them from Vigil.
  const optional = Object.keys(client.peerDependencies);
  expect([...contents.imports, ...optional].sort()).toEqual(declared.sort());
});

test('all that an app installs allows the Node that the packages name (R165)', () => {
  const named = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  // What `vigil init` writes.
  const ofNewApp = ['@types/node', 'aws-cdk', 'aws-cdk-lib', 'constructs', 'tsx', 'typescript', 'zod'];
  const installed = withDependencies([...named, ...ofNewApp].map((name) => `node_modules/${name}`));
  expect(installed.size).toBeGreaterThan(200);
  const refusing = [...installed].filter((path) => !allows(locked[path]!.engines?.node ?? '>=0'));
  expect(refusing).toEqual([]);
  expect([client, engine].map(({ engines }) => engines)).toEqual([manifest.engines, manifest.engines]);
});

interface Locked {
  version?: string;
  link?: boolean;
  engines?: { node?: string; npm?: string; [other: string]: string | undefined };
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
const locked: Record<string, Locked> = lock.packages;

/** Follows the dependencies through the lock file, as Node finds them: in the package's own folder, and in those above. */
function withDependencies(paths: string[], found = new Set<string>()): Set<string> {
  for (const path of paths.filter((path) => !found.has(path))) {
    found.add(path);
    const isOwn = locked[path]!.link;
    const { dependencies, optionalDependencies } = locked[isOwn ? `packages/${path.split('vigil-')[1]}` : path]!;
    const needed = Object.keys({ ...dependencies, ...optionalDependencies }).map((name) => placed(name, path));
    withDependencies(needed, found);
  }
  return found;
}

function placed(name: string, path: string): string {
  const own = `${path}/node_modules/${name}`;
  return Object.hasOwn(locked, own.replace(/^\//, ''))
    ? own.replace(/^\//, '')
    : placed(name, path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))));
}

/** Whether a range such as `^18.2 || >= 20` allows the oldest Node of `engines`. */
function allows(range: string): boolean {
  const [major = 0, minor = 0] = numbersIn(manifest.engines.node);
  return range.split('||').some((part) => {
    const [from = 0, fromMinor = 0] = numbersIn(part);
    const isExact = /^[\^~\d]/.test(part.trim());
    return from === major ? fromMinor <= minor : from < major && !isExact;
  });
}

const numbersIn = (range: string): number[] => (range.match(/\d+/g) ?? []).map(Number);

test('the sources of the functions are packed, and neither tests nor what only this repository uses (R165)', () => {
  expect(packed).toEqual(expect.arrayContaining(contents.sources));
  const newApp = (file: string) => /^(?:package\/new-app|examples\/invoices)\//.test(file);
  expect(packed).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package/new-app/test/guide.test.ts']));
  expect(packed.filter((file) => file.includes('.test.') && !newApp(file))).toEqual([]);
  const elsewhere =
    /^(?:dist|core|runtime|lambdas|modules|tools|web\/dist|package\/new-app|examples\/invoices|docs)\/|\.md$/;
  const named = ['agent-loop', 'rollback', 'timer'].map((name) => `statemachines/${name}.ts`);
  expect(packed.filter((file) => !elsewhere.test(file)).sort()).toEqual([
    'LICENSE',
    'infra/bundling/lambda-credentials.ts',
    'package.json',
    'package/index.ts',
    'package/mcp.ts',
    ...['ag-ui', 'ai-sdk', 'client', 'export', 'react'].map((name) => `package/pages/${name}.ts`),
    ...named,
  ]);
  expect(packed.filter((file) => /^tools\/bank\//.test(file))).toEqual([]);
});

test('every link of the pages that are packed leads to a page or a source that is packed too (R199)', () => {
  const pages = packed.filter((file) => file.endsWith('.md'));
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/README.md', 'packages/client/README.md']));
  const broken = pages.flatMap((page) =>
    [
      ...readFileSync(join(place, page), 'utf8')
        .replace(/^```.*?^```/gms, '')
        .matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g),
    ]
      .map(([, link]) => link!)
      .filter((link) => !/^[a-z]+:/.test(link) && !packed.includes(posix.join(posix.dirname(page), link)))
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('what is compiled has no agent, test or page (R165)', () => {
  const folders = new Set(contents.compiled.map((file) => file.split('/')[0]));
  expect([...folders].sort()).toEqual([
    'core',
    'infra',
    'local',
    'modules',
    'package',
    'package.json',
    'runtime',
    'statemachines',
    'test',
    'tools',
  ]);
});
