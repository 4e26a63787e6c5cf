import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
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
import { longTest } from './support/long';

// What somebody reads who points at a function of a package in their editor.

let functions: PublicFunction[];
let examples: Example[];
beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  // Lambda calls a tool's handler, and nobody else does.
  functions = publicFunctions(entries()).filter(
    ({ names }) => !names.every((name) => /^vigil\/tools\/.*: handler$/.test(name)),
  );
  examples = functions.flatMap(({ docs }) => docs.flatMap(examplesIn));
});

const inOneLine = ({ file, line, problem }: Problem) => `${file}:${line}: ${problem}`;
/** Whether an example synthesizes an app or runs one. */
const needsApp = ({ code }: Example) => /\bstartVigil\b|'vigil\/cdk'/.test(code);

test('every public function of the packages has an example that runs (R199)', () => {
  const bare = functions.filter(({ docs }) => docs.flatMap(examplesIn).length === 0);
  expect(bare.map(({ names, file, line }) => `${file}:${line}: ${names[0]} has no example`)).toEqual([]);
  expect(functions.length).toBeGreaterThan(55);
});

test('each example that needs no app runs, and its values are as it says (R199)', () => {
  const light = examples.filter((one) => !needsApp(one));
  expect(light.reduce((sum, one) => sum + checksIn(one), 0)).toBeGreaterThan(light.length);
  expect(run(light, folder).map(inOneLine)).toEqual([]);
});

longTest('the examples that synthesize or run an app do so in a new app (R199)', () => {
  const app = join(folder, 'app');
  cpSync(join(root, 'package/new-app'), app, { recursive: true });
  const command = 'node --conditions vigil-source --import tsx app.ts';
  writeFileSync(join(app, 'cdk.json'), JSON.stringify({ app: command }));
  const heavy = examples.filter(needsApp);
  expect(heavy.length).toBeGreaterThan(1);
  expect(run(heavy, app).map(inOneLine)).toEqual([]);
});

describe('a planted mistake is found (R199)', () => {
  const file = 'a.ts';
  const planted = (line: number, ...code: string[]): Example => ({ file, line, language: 'ts', code: code.join('\n') });

  test('in an example: each with its file and line', () => {
    const found = run(
      [
        planted(10, "import { retryAfter } from 'vigil';", 'typeof retryAfter; // → "function"', '1 + 1; // → 3'),
        planted(20, 'const two = 1 + 1; // → 2', 'const one: number = two; // → 1'),
        planted(30, "JSON.parse('{'); // throws in JSON", "JSON.parse('{'); // throws something else"),
        planted(40, 'Promise.resolve({ a: [1], at: new Date(0) }); // → {"a":[1],"at":"1970-01-01T00:00:00.000Z"}'),
        planted(50, '[1].map(() => {', '  1; // → 1', '});'),
        planted(60, 'throw new Error("broken");'),
        planted(70, '0; // throws nothing'),
      ],
      folder,
    );
    expect(found.map(inOneLine)).toEqual([
      'a.ts:12: the value is 2',
      'a.ts:21: the value is 2',
      expect.stringContaining('a.ts:31: the error is "'),
      'a.ts:50: a check is one statement in one line at the outermost level, not: 1; // → 1',
      expect.stringMatching(/^a\.ts:60: Error: broken\n/),
      'a.ts:70: nothing was thrown',
    ]);
  });

  test('in an entry: a function without an example, by whichever way it is exported', () => {
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
    const entry = relative(root, join(place, 'entry.ts'));
    const found = publicFunctions({ planted: entry });
    const withCount = found.map(({ names, docs }) => [names[0], docs.flatMap(examplesIn)]);
    expect(withCount).toEqual([
      ['planted: asConst', []],
      ['planted: renamed', []],
      ['planted: shown', [{ file: join(dirname(entry), 'declared.ts'), line: 9, language: 'ts', code: '1; // → 1' }]],
    ]);
  });
});

longTest('every example is well typed, and a planted one is not (R199)', () => {
  const configuration = writeConfiguration('typed', {
    compilerOptions: { noUnusedLocals: false, jsx: 'react-jsx', types: ['node'] },
    include: ['*.ts', '*.tsx', join(root, 'runtime/binary-files.d.ts')],
  });
  const place = dirname(configuration);
  for (const [index, { file, language, code }] of examples.entries())
    writeFileSync(join(place, `${file.replace(/\W/g, '-')}-${index}.${language}`), `${code}\nexport {};\n`);
  writeFileSync(
    join(place, 'planted.ts'),
    "import { call } from 'vigil/testing';\n\nexport const two: string = call('two');\n",
  );
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', place], { cwd: root, encoding: 'utf8' });
  const mistakes = stdout.split('\n').filter((line) => line.includes('error TS'));
  expect(mistakes).toEqual([expect.stringMatching(/planted\.ts\(3,14\): error TS2322: /)]);
});
