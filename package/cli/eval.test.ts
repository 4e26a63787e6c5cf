import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './command';

// What the command refuses before it starts anything.

const cwd = process.cwd();
// Below the repository's root, so that the packages are found by their names.
mkdirSync(join(cwd, '.vigil/test'), { recursive: true });
const folder = mkdtempSync(join(cwd, '.vigil/test/evals-'));
beforeAll(() => {
  const define = (file: string, text: string) => writeFileSync(join(folder, file), text);
  const entry = JSON.stringify(join(cwd, 'package/eval'));
  const made = `import { defineEval, called } from ${entry};\nexport const one = defineEval`;
  const cases = "cases: [{ name: 'a', says: 'Hi', holds: [called('b')] }]";
  define('good.eval.ts', `${made}({ name: 'good', agent: 'clerk', ${cases} });`);
  define('same.eval.ts', `${made}({ name: 'good', agent: 'guide', ${cases} });`);
  define('wrong.eval.ts', `${made}({ name: 'wrong', ${cases} });`);
  define('broken.eval.ts', 'export const one = ;');
  define('none.eval.ts', 'export const one = {};');
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(cwd);
  rmSync(folder, { recursive: true });
});

test.each([
  [[], 'There is no eval here: write evals/<name>.eval.ts, or name a file.'],
  [['gone.eval.ts'], 'gone.eval.ts does not exist.'],
  [['none.eval.ts'], 'none.eval.ts exports no eval: `export default defineEval({ … })`.'],
  [['broken.eval.ts'], 'broken.eval.ts:1:19: Unexpected ";"'],
  [['wrong.eval.ts'], 'Eval wrong: agent: is missing: it must be a text'],
  [['good.eval.ts', 'same.eval.ts'], 'Two evals have the name "good": a report could not tell them apart.'],
  [['good.eval.ts', '--threshold', '2'], '--threshold is "2": it must be a number from 0 to 1.'],
  [['good.eval.ts', '--trials', '0'], '--trials is "0": it must be a whole number of at least 1.'],
  [['good.eval.ts', '--budget', 'much'], '--budget is "much": it must be dollars, such as 2.50.'],
  [['good.eval.ts', '--json'], "Option '--json <value>' argument missing. `vigil --help` lists the options."],
  // The folder is no app.
  [['good.eval.ts'], 'cdk.json does not exist: go to the folder of your CDK app'],
])('evals that cannot be played are one line, and exit code 2: %j (R233)', async (args, line) => {
  const failed = (await runCommand(['eval', ...args], () => undefined).catch((error) => error)) as Error;
  expect([failed.message, failed]).toEqual([expect.stringContaining(line), expect.objectContaining({ exitCode: 2 })]);
  expect(failed.message).not.toContain('\n');
});
