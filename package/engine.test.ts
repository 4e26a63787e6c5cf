import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import own from '../local/stepfunctions/package.json';
import manifest from '../package.json';
import lock from '../package-lock.json';
import { isAllowed } from '../supply/licences';
import { engineContents, engineFolder } from './contents';
import { place } from './place';

let contents: Awaited<ReturnType<typeof engineContents>>;
beforeAll(async () => {
  contents = await engineContents();
});

test('the engine’s package exports these names, and no others (R187)', () => {
  const names = [...readFileSync(join(place, engineFolder, 'exports.ts'), 'utf8').matchAll(/\{([^}]*)\}/g)]
    .flatMap(([, list = '']) => list.split(','))
    .map((name) => name.trim().replace(/^type /, ''))
    .filter(Boolean);
  expect(names.sort()).toEqual([
    ...['Alarm', 'AuthorizationRequest', 'Authorize', 'AwsRequest', 'CallAws', 'Clock', 'ExecutionStatusChange'],
    ...['HttpEndpoint', 'InvokeLambda', 'LambdaAnswer', 'LambdaRequest', 'MovedClock', 'Services', 'StepFunctions'],
    ...['StepFunctionsOptions', 'httpServices', 'movedClock', 'serveHttp', 'startStepFunctions'],
  ]);
});

test('what is compiled is in the engine’s folder, without tests, and names no folder of this machine (R187)', () => {
  expect(contents.compiled).toEqual(
    expect.arrayContaining(['index.ts', 'main.ts', 'package.json'].map((file) => `${engineFolder}/${file}`)),
  );
  expect(contents.compiled.filter((file) => !file.startsWith(`${engineFolder}/`) || file.includes('.test.'))).toEqual(
    [],
  );
  expect(contents.compiled.filter((file) => readFileSync(join(place, file), 'utf8').includes(place))).toEqual([]);
});

test('its tarball has the manifest, the README, the licence and what is compiled (R187)', () => {
  const args = ['pack', `./${engineFolder}`, '--dry-run', '--json', '--ignore-scripts'];
  const said = execFileSync('npm', args, { cwd: place, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [{ files }] = JSON.parse(said) as [{ files: { path: string }[] }];
  // `dist` and the licence are there once it is built: test/engine-package.scenario.test.ts looks at them.
  expect(files.map(({ path }) => path).filter((path) => !/^(?:dist\/|LICENSE$)/.test(path))).toEqual([
    'README.md',
    'package.json',
  ]);
});

test('it declares each package that it imports, in the version of Vigil, and no client of AWS (R187)', () => {
  const { dependencies } = own;
  expect(Object.keys(dependencies).sort()).toEqual(contents.imports);
  expect(manifest.dependencies).toMatchObject(dependencies);
  expect(Object.keys(dependencies).filter((name) => name.startsWith('@aws-sdk/'))).toEqual([]);
  const { version, license, engines } = manifest;
  expect(own).toMatchObject({ version, license, engines });
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
  for (const name of Object.keys(own.dependencies)) visit(name, '');
  expect(found.size).toBeGreaterThan(5);
  expect([...found].filter(([, license]) => !isAllowed(license))).toEqual([]);
});
