import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { structured, withProvider } from '../../test/support/servers/judge-model';
import { type ModelServer, startModelServer } from '../../test/support/servers/model-server';
import { recordedConversation } from '../../test/support/stories/recorded';
import { runCommand } from './command';

// Judges of eval files, and thumbs in the recordings next to them.

const cwd = process.cwd();
mkdirSync(join(cwd, '.vigil/test'), { recursive: true });
const folder = mkdtempSync(join(cwd, '.vigil/test/agree-'));
let server: ModelServer;

/** Writes an eval of the bank, whose scorers and those of its only case are code. */
function define(file: string, agent: string, scorers: string, holds = ''): void {
  const entry = JSON.stringify(join(cwd, 'package/eval'));
  mkdirSync(join(folder, file, '..'), { recursive: true });
  writeFileSync(
    join(folder, file),
    `import { called, defineEval, judge } from ${entry};
export const one = defineEval({ name: ${JSON.stringify(file)}, agent: '${agent}', scorers: [${scorers}],
  cases: [{ name: 'a', says: 'Hi', holds: [${holds}] }, { name: 'b', says: 'Ho', holds: [${holds}] }] });`,
  );
}
/** Writes a conversation with these thumbs on its last reply. */
function record(file: string, verdicts: string[], more: object = {}): void {
  const conversation = { ...recordedConversation(), ...more };
  const at = '2026-11-09T09:00:00.000Z';
  const messages = conversation.messages.map((message) => ({
    ...message,
    ...(message.seq === 6 && { feedback: verdicts.map((verdict, index) => ({ user: `u${index}`, verdict, at })) }),
  }));
  mkdirSync(join(folder, file, '..'), { recursive: true });
  writeFileSync(join(folder, file), JSON.stringify({ conversation: { ...conversation, messages } }));
}
async function agree(args: string[], key?: string): Promise<[lines: string[], code: unknown]> {
  const lines: string[] = [];
  process.exitCode = undefined;
  await withProvider(server.url, key, () => runCommand(['eval', 'agree', ...args], (line) => lines.push(line)));
  const code = process.exitCode;
  process.exitCode = undefined;
  return [lines, code];
}

beforeAll(async () => {
  server = await startModelServer();
  define('none/code.eval.ts', 'bank', "called('b')");
  define('none/bank.eval.ts', 'bank', "judge({ rubric: 'Kind.' })");
  define('unrated/bank.eval.ts', 'bank', "judge({ rubric: 'Kind.' })");
  define('unrated/travel.eval.ts', 'travel', "judge({ rubric: 'Kind.' })");
  record('unrated/recorded/a.json', []);
  define('broken/bank.eval.ts', 'bank', "judge({ rubric: 'Kind.' })");
  mkdirSync(join(folder, 'broken/recorded'));
  writeFileSync(join(folder, 'broken/recorded/a.json'), '{');
  define('evals/bank.eval.ts', 'bank', "judge({ rubric: 'Kind.' })");
  define('evals/loans.eval.ts', 'loans', "called('b')", "judge({ rubric: 'Kind.', atLeast: 4 })");
  define('evals/more.eval.ts', 'bank', "called('b')", "judge({ rubric: 'Kind.' })");
  record('evals/recorded/a.json', ['up', 'down']);
  // The bank has handed it over.
  record('evals/recorded/b.json', ['down'], { agent: 'loans' });
  record('evals/recorded/c.json', ['down'], { agent: 'travel', messages: [] });
  process.chdir(folder);
});
afterAll(async () => {
  process.chdir(cwd);
  rmSync(folder, { recursive: true });
  await server.stop();
});

test.each([
  [['none/code.eval.ts'], 'The evals have no judge: add `judge({ rubric: … })` to `scorers` or `holds`.'],
  [
    ['none/bank.eval.ts', 'unrated/travel.eval.ts'],
    'There is no recording of bank, travel in recorded/ next to the evals: `vigil eval pull` writes one.',
  ],
  [
    ['unrated/bank.eval.ts'],
    'No reply in the recordings has a thumb: give some on the page, and pull these conversations again.',
  ],
  [['broken/bank.eval.ts'], 'The recording broken/recorded/a.json is no JSON: '],
  [['evals/bank.eval.ts'], 'A judge asks a model: set OPENAI_API_KEY.'],
  [['gone.eval.ts'], 'gone.eval.ts does not exist.'],
  [['--json', 'a.json'], "Unknown option '--json'. `vigil --help` lists the options."],
])('judges that cannot be compared are one line, and exit code 2: %j (R236)', async (args, line) => {
  const failed = (await agree(args).catch((error) => error)) as Error;
  expect([failed.message, failed]).toEqual([expect.stringContaining(line), expect.objectContaining({ exitCode: 2 })]);
  expect(failed.message).not.toContain('\n');
});

test('each judge of the evals is compared with the thumbs of its agents, and a repeated run asks nobody (R236)', async () => {
  const grades = [4, 2, 3];
  server.script((_, index) => structured({ why: 'So.', grade: grades[index]! }));
  const [lines, code] = await agree([], 'k');
  expect(lines).toEqual([
    'judge: Kind. (from grade 3 of 4, gpt-6.1-terra)',
    '  3 pairs, 0.67 agree, kappa 0.40',
    '    evals/recorded/a.json, seq 6: judge up, person down. grade 4: So.',
    'judge: Kind. (from grade 4 of 4, gpt-6.1-terra)',
    '  1 pair, 1.00 agree, no kappa: the judge always says down, and people always say down',
    'Judges: 3 questions, $0.0045. 0 replies were kept, 3 were asked for.',
  ]);
  expect(code).toBeUndefined();

  const [again] = await agree([]);
  expect(again.slice(0, -1)).toEqual(lines.slice(0, -1));
  expect(again.at(-1)).toMatch(/ 3 replies were kept, 0 were asked for\.$/);

  // What is new has no answer without a key.
  record('evals/recorded/d.json', ['up'], { messages: recordedConversation().messages.slice(1) });
  const [more, missing] = await agree(['evals/loans.eval.ts', 'evals/bank.eval.ts']);
  expect(more).toContainEqual(
    expect.stringMatching(/^ {4}evals\/recorded\/d\.json, seq 6: no verdict: the model has not answered: 400 /),
  );
  expect([missing, more.at(-1)]).toEqual([1, expect.stringContaining('1 were missing: set OPENAI_API_KEY')]);
});
