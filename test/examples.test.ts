import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import {
  checksIn,
  type Example,
  entries,
  examplesIn,
  folder,
  type Problem,
  type PublicFunction,
  publicFunctions,
  root,
  run,
  writeConfiguration,
} from './support/examples/examples';
import { samples } from './support/examples/samples';

// What somebody reads who points at a function of a package in their editor, or copies from a page.

/** An entry with functions that have no example, by whichever way they are exported, and one that has. */
const plantedEntry = () => {
  const place = join(folder, 'planted');
  mkdirSync(place, { recursive: true });
  const declared = [
    'export const asConst = () => 1;',
    'export function asFunction(): void {}',
    'export class AsClass {}',
    '/**\n * Once more.\n *\n * @example\n * ```ts\n * 1; // → 1\n * ```\n */',
    'export function shown(): number {\n  return 1;\n}',
    'export interface Type {}\nexport const constant = 1;',
  ];
  writeFileSync(join(place, 'declared.ts'), declared.join('\n'));
  writeFileSync(
    join(place, 'entry.ts'),
    "export { asConst, asFunction as renamed, shown, type Type, constant } from './declared';\nexport type { AsClass } from './declared';",
  );
  return relative(root, join(place, 'entry.ts'));
};

let functions: PublicFunction[];
let ofPlantedEntry: PublicFunction[];
let examples: Example[];
beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  const found = publicFunctions({ ...entries(), planted: plantedEntry() });
  ofPlantedEntry = found.filter(({ names }) => names[0]!.startsWith('planted: '));
  // Lambda calls a tool's handler, and nobody else does.
  const isHandler = ({ names }: PublicFunction) => names.every((name) => /^vigil\/tools\/.*: handler$/.test(name));
  functions = found.filter((one) => !ofPlantedEntry.includes(one) && !isHandler(one));
  examples = functions.flatMap(({ docs }) => docs.flatMap(examplesIn));
});

test('every public function of the packages has an example, and a planted one without is found (R199)', () => {
  const bare = functions.filter(({ docs }) => docs.flatMap(examplesIn).length === 0);
  expect(bare.map(({ names, file, line }) => `${file}:${line}: ${names[0]} has no example`)).toEqual([]);
  expect(functions.length).toBeGreaterThan(55);
  const file = relative(root, join(folder, 'planted/declared.ts'));
  expect(ofPlantedEntry.map(({ names, docs }) => [names[0], docs.flatMap(examplesIn)])).toEqual([
    ['planted: asConst', []],
    ['planted: renamed', []],
    ['planted: shown', [{ file, line: 9, language: 'ts', code: '1; // → 1' }]],
  ]);
});

test('each example runs, and its values are as it says; planted mistakes are found with file and line (R199)', () => {
  // A new app's own test, and an app in another folder, do what these two show.
  const light = examples.filter(({ code }) => !/^[^/]*\bstartVigil\(|'vigil\/cdk'/m.test(code));
  const left = examples.filter((one) => !light.includes(one)).map((one) => one.file);
  expect([...new Set(left)].sort()).toEqual(['infra/vigil.ts', 'package/testing/start-vigil.ts']);
  expect(light.reduce((sum, one) => sum + checksIn(one), 0)).toBeGreaterThan(light.length);
  const planted = (line: number, ...code: string[]): Example => ({
    file: 'a.ts',
    line,
    language: 'ts',
    code: code.join('\n'),
  });
  const found = run(
    [
      planted(10, "import { retryAfter } from 'vigil';", 'typeof retryAfter; // → "function"', '1 + 1; // → 3'),
      planted(20, 'const two = 1 + 1; // → 2', 'const one: number = two; // → 1'),
      planted(30, "JSON.parse('{'); // throws in JSON", "JSON.parse('{'); // throws something else"),
      planted(40, 'Promise.resolve({ a: [1], at: new Date(0) }); // → {"a":[1],"at":"1970-01-01T00:00:00.000Z"}'),
      planted(50, '[1].map(() => {', '  1; // → 1', '});'),
      planted(60, 'throw new Error("broken");'),
      planted(70, '0; // throws nothing'),
      ...light,
    ],
    folder,
  );
  expect(found.map(({ file, line, problem }: Problem) => `${file}:${line}: ${problem}`)).toEqual([
    'a.ts:12: the value is 2',
    'a.ts:21: the value is 2',
    expect.stringContaining('a.ts:31: the error is "'),
    'a.ts:50: a check is one statement in one line at the outermost level, not: 1; // → 1',
    expect.stringMatching(/^a\.ts:60: Error: broken\n/),
    'a.ts:70: nothing was thrown',
  ]);
});

// A sample leaves out what is around it: names that it does not declare, and files and packages besides Vigil.
const leftOut = /^[^(]*sample-.*error TS(2304|2593|18004|2307: Cannot find module '(?!vigil\b)).*/;

test('every example, and every sample of a page that imports Vigil, is well typed, and a planted one is not (R180, R199)', () => {
  const configuration = writeConfiguration('typed', {
    compilerOptions: { noUnusedLocals: false, jsx: 'react-jsx', types: ['node'] },
    include: ['*.ts', '*.tsx', join(root, 'runtime/binary-files.d.ts')],
  });
  const place = dirname(configuration);
  const write = (name: string, language: string, text: string) =>
    writeFileSync(join(place, `${name.replace(/\W/g, '-')}.${language}`), text);
  for (const [index, { file, language, code }] of examples.entries())
    write(`${file}-${index}`, language, `${code}\nexport {};\n`);
  const ofVigil = samples.filter(({ text }) => /from 'vigil\b/.test(text));
  expect(ofVigil.length).toBeGreaterThan(5);
  for (const [index, { page, language, text }] of ofVigil.entries()) write(`sample-${page}-${index}`, language, text);
  write('planted', 'ts', "import { call } from 'vigil/testing';\n\nexport const two: string = call('two');\n");
  write('sample-planted', 'ts', "import { calls } from 'vigil/testing';\n\nexport const two = gone(calls);\n");
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', place], { cwd: root, encoding: 'utf8' });
  const mistakes = stdout.split('\n').filter((line) => line.includes('error TS') && !leftOut.test(line));
  expect(mistakes).toEqual([
    expect.stringMatching(/\/planted\.ts\(3,14\): error TS2322: /),
    expect.stringMatching(/sample-planted\.ts\(1,10\): error TS2724: /),
  ]);
});
