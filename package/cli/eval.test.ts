import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withProvider } from '../../test/support/servers/judge-model';
import { startModelServer } from '../../test/support/servers/model-server';
import { readBaseline } from '../eval/report-file';
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
  define('text.json', 'no JSON');
  define('other.json', '{"played":[{"eval":1}]}');
  define('main.json', JSON.stringify({ played: trials(1) }));
  define('now.json', JSON.stringify({ played: trials(0) }));
  process.chdir(folder);
});
/** Six cases with a score. */
const trials = (score: number, more: object = {}) =>
  Array.from({ length: 6 }, (_, index) => ({
    eval: 'bank',
    case: `case ${index}`,
    trial: 1,
    holds: score === 1,
    ...more,
    scores: [{ name: 'called', score, why: 'so' }],
    used: { steps: 1, tokens: 1, costMicrodollars: 1 },
    transcript: [{ kind: 'said', by: 'bank', text: String(score) }],
  }));
/** Runs a command. @returns its lines, and its exit code. */
async function run(...args: string[]): Promise<[lines: string[], code: unknown]> {
  const lines: string[] = [];
  process.exitCode = undefined;
  await runCommand(args, (line) => lines.push(line));
  const code = process.exitCode;
  process.exitCode = undefined;
  return [lines, code];
}

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
  [
    ['good.eval.ts', '--baseline', 'gone'],
    '--baseline gone: there is no such file, and Git has no evals/results.json there',
  ],
  [
    ['good.eval.ts', '--baseline', 'text.json'],
    'text.json is no JSON: name a file that `vigil eval --json` has written.',
  ],
  [['good.eval.ts', '--model', ' '], '--model is "": it must name a model.'],
  [['good.eval.ts', '--model', 'a', '--model', 'b', '--model', 'a'], '--model: has "a" twice.'],
  [['compare'], 'Name reports: `vigil eval compare before.json after.json --html report.html`.'],
  [['compare', 'gone.json'], 'gone.json does not exist.'],
  [['compare', 'other.json'], 'other.json is no report of `vigil eval --json`: played.0.eval: '],
  [['compare', 'main.json', 'now.json', '--rubric', 'Kind.'], '--rubric asks a model: set OPENAI_API_KEY.'],
  [['compare', 'main.json', '--trials', '2'], "Unknown option '--trials'. `vigil --help` lists the options."],
  [['good.eval.ts', '--json'], "Option '--json <value>' argument missing. `vigil --help` lists the options."],
  // The folder is no app.
  [['good.eval.ts'], 'cdk.json does not exist: go to the folder of your CDK app'],
])('evals that cannot be played are one line, and exit code 2: %j (R233)', async (args, line) => {
  const failed = (await runCommand(['eval', ...args], () => undefined).catch((error) => error)) as Error;
  expect([failed.message, failed]).toEqual([expect.stringContaining(line), expect.objectContaining({ exitCode: 2 })]);
  expect(failed.message).not.toContain('\n');
});

test('reports are compared with the first one, in the terminal and on a page; exit code 1 if one is worse (R237)', async () => {
  const [lines, code] = await run('eval', 'compare', 'main.json', 'now.json', '--html', 'page.html');
  expect(lines.slice(0, 2)).toEqual([
    'now, compared with main:',
    expect.stringMatching(/^ {2}bank: 1\.00 to 0\.00, 6 of 6 to 0 of 6 hold: worse \(p = 0\.0[23]\d\)$/),
  ]);
  expect(code).toBe(1);
  expect(readFileSync('page.html', 'utf8')).toContain('<title>Evals: main, now</title>');
  expect((await run('eval', 'compare', 'now.json', 'main.json'))[1]).toBeUndefined();
  expect(await run('eval', 'compare', 'main.json')).toEqual([[], undefined]);
});

test('the models of a report are its variants (R237)', async () => {
  const played = [...trials(1, { model: 'large' }), ...trials(0, { model: 'small' })];
  writeFileSync('models.json', JSON.stringify({ played }));
  const [lines, code] = await run('eval', 'compare', 'models.json');
  expect([lines[0], code]).toEqual(['small, compared with large:', 1]);
});

test('a baseline is what a revision of Git has in evals/results.json (R238)', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { stdio: 'pipe' });
  mkdirSync('app/evals', { recursive: true });
  process.chdir('app');
  try {
    git('init', '--quiet', '--initial-branch', 'main');
    writeFileSync('evals/results.json', JSON.stringify({ played: trials(1) }));
    git('add', '.');
    git('commit', '--quiet', '--message', 'Evals');
    writeFileSync('evals/results.json', 'changed since');
    expect(readBaseline('main').played).toHaveLength(6);
    expect(() => readBaseline('--output=evals/stolen')).toThrow('there is no such file');
  } finally {
    process.chdir(folder);
  }
});

test('a judge compares the first two reports in both orders, and its answers are kept (R236)', async () => {
  const server = await startModelServer();
  server.script((request) => {
    const [, { content }] = (request as unknown as { messages: [object, { content: string }] }).messages;
    const better = JSON.parse(content).first[0].text === '1' ? 'first' : 'second';
    return { text: JSON.stringify({ why: 'It is kinder.', better }) };
  });
  const args = ['eval', 'compare', 'main.json', 'now.json', '--rubric', 'Kind.', '--html', 'judged.html'];
  const compared = (key?: string) => withProvider(server.url, key, () => run(...args));
  try {
    const [lines] = await compared('k');
    expect(lines).toContain('    bank: case 0: better: main. It is kinder.');
    // The six cases have the same words, so they ask the same.
    expect(lines.at(-1)).toMatch(/^Judges: 12 questions, .* 0 replies were kept, 12 were asked for\.$/);
    expect(readFileSync('judged.html', 'utf8')).toContain('Judge prefers: main. It is kinder.');
    const [again] = await compared();
    expect(again.at(-1)).toMatch(/ 12 replies were kept, 0 were asked for\.$/);
    expect(again.slice(0, -1)).toEqual(lines.slice(0, -1));
  } finally {
    await server.stop();
  }
});
