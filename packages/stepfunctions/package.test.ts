import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import root from '../../package.json';
import lock from '../../package-lock.json';
import { isAllowed } from '../../scripts/supply/licences';
import { followImports, publishedManifest } from '../build';
import { engine } from './build';
import manifest from './package.json';

/** The names in the lists of a file that only exports. */
const namesIn = (entry: string): string[] =>
  [...readFileSync(join(__dirname, entry), 'utf8').matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
    .flatMap(([, list = '']) => list.split(','))
    .map((name) => name.trim().replace(/^type /, ''))
    .filter(Boolean)
    .sort();

test('the engine’s package exports these names, and no others (R187)', () => {
  expect(namesIn(manifest.exports['.'])).toEqual([
    ...['Alarm', 'AuthorizationRequest', 'Authorize', 'AwsRequest', 'CallAws', 'Clock', 'ExecutionStatusChange'],
    ...['HttpEndpoint', 'InvokeLambda', 'LambdaAnswer', 'LambdaRequest', 'MovedClock', 'Services', 'StepFunctions'],
    ...['StepFunctionsOptions', 'httpServices', 'movedClock', 'serveHttp', 'startStepFunctions'],
  ]);
  expect(namesIn(manifest.exports['./shared'])).toEqual([
    ...['Headers', 'MovedClock', 'freePort', 'isFromProgram', 'lockFolder', 'loopbackName', 'matchesParts'],
    ...['movedClock', 'namesThisMachine', 'ownerOf'],
  ]);
  expect(namesIn(manifest.exports['./interpreter'])).toEqual([
    ...['Branch', 'Dispatch', 'Effect', 'Execution', 'HistoryEvent', 'Input', 'Json', 'JsonObject', 'Program'],
    ...['applies', 'apply', 'compileProgram', 'driveAtOnce', 'nextAlarm', 'start'],
  ]);
});

test('what is compiled is in the package’s folder, without tests, and names no folder of this machine (R187)', async () => {
  const { files } = await followImports(engine);
  expect(files).toEqual(expect.arrayContaining(['package.json', 'src/main.ts', 'src/start.ts']));
  expect(files.filter((file) => !/^(?:src\/|package\.json$)/.test(file) || /\.test\./.test(file))).toEqual([]);
  const checkout = join(__dirname, '../..');
  expect(files.filter((file) => readFileSync(join(__dirname, file), 'utf8').includes(checkout))).toEqual([]);
});

test('the published manifest names compiled files, each of a source that is there (R187)', () => {
  const { bin, exports, ...rest } = publishedManifest(engine);
  const named = [
    ...Object.values(bin ?? {}),
    ...Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [] : Object.values(entry))),
  ];
  expect(named).toEqual(expect.arrayContaining(['./lib/main.js', './lib/index.js', './lib/shared.d.ts']));
  for (const path of named) {
    expect(path).toMatch(/^\.\/lib\/\w+(?:\.d\.ts|\.js)$/);
    expect(existsSync(join(__dirname, path.replace('./lib/', './src/').replace(/(?:\.d\.ts|\.js)$/, '.ts')))).toBe(
      true,
    );
  }
  expect(rest).not.toHaveProperty('private');
  expect(rest).not.toHaveProperty('scripts');
});

test('it declares each package that it imports, and no client of AWS; Vigil depends on its version (R187)', async () => {
  const { packages } = await followImports(engine);
  expect(Object.keys(manifest.dependencies).sort()).toEqual(packages);
  expect(packages.filter((name) => name.startsWith('@aws-sdk/'))).toEqual([]);
  expect(root.dependencies[manifest.name as 'vigil-stepfunctions']).toBe(manifest.version);
  const { license, engines } = root;
  expect(manifest).toMatchObject({ license, engines });
});

test('the licences of what it installs are allowed (R187)', () => {
  const packages = lock.packages as Record<string, { license?: string; dependencies?: Record<string, string> }>;
  const found = new Map<string, string>();
  const visit = (name: string, from: string): void => {
    const path = [`${from}/node_modules/${name}`, `node_modules/${name}`].find((one) => packages[one])!;
    if (found.has(path)) return;
    found.set(path, packages[path]!.license ?? '');
    for (const next of Object.keys(packages[path]!.dependencies ?? {})) visit(next, path);
  };
  for (const name of Object.keys(manifest.dependencies)) visit(name, 'packages/stepfunctions');
  expect(found.size).toBeGreaterThan(5);
  expect([...found].filter(([, license]) => !isAllowed(license))).toEqual([]);
});

test('its page links to nothing that is not published with it (R187)', () => {
  const links = [...readFileSync(join(__dirname, 'README.md'), 'utf8').matchAll(/\]\(([^)]+)\)/g)].map(
    ([, link]) => link!,
  );
  expect(links.filter((link) => !/^(?:[a-z]+:|#|CHANGELOG\.md$)/.test(link))).toEqual([]);
});
