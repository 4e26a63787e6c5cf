/**
 * Part of `npm run lint`: a text is not cut at a count of characters, which may be in the middle of one. `clip` and `clipStart` of
 * core/base/text/clip.ts cut texts. A cut at a place that was found in the text is fine; so is one of a text that can only be ASCII, such as a
 * digest, or is only read, neither stored nor sent. A comment on the line or above it says which, with the words "ASCII" or "only read".
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API } from 'typescript/unstable/sync';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The engine is a package of its own, which cuts as AWS does. */
const checked =
  /^(?:agents|client|core|infra|lambdas|local(?!\/stepfunctions)|modules|package|runtime|statemachines|tools|web)\//;
const cut = /\.(slice|substring|substr)\(((?:[^()]|\([^()]*\))*)\)/g;
/** A number, or the name of a limit. `slice(1)` takes off a sign that is known, and `slice(0, -1)`. */
const count =
  /(?<![\w.])(?:[2-9]|[1-9][\d_]+)\b|\b(?:most|longest|max|limit)|(?:Most|Longest|Max|Limit)|[cC]haracters|^0, 1$/;
const ascii = /(?:toISOString\(\)|digest\('(?:hex|base64url)'\)|randomUUID\(\)|toString\((?:16|36)\)|'latin1'\)\))$/;

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => checked.test(file) && file !== 'core/base/text/clip.ts' && !/\.test\.tsx?$/.test(file));
const api = new API({ cwd: root });
const projects = ['tsconfig.json', 'web/tsconfig.json'].map((file) => join(root, file));
const snapshot = api.updateSnapshot({ openProjects: projects });
const wrong = files.flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8');
  const lines = text.split('\n');
  const suspects = [...text.matchAll(cut)].flatMap(({ index, 2: args }) => {
    const line = text.slice(0, index).split('\n').length;
    const isSaid = [lines[line - 1], lines[line - 2]].some((one) => /\bASCII\b|\bonly read\b/i.test(one ?? ''));
    if (isSaid || !count.test(args) || ascii.test(text.slice(0, index).trimEnd())) return [];
    return [{ at: index + 1, line }];
  });
  if (suspects.length === 0) return [];
  const { checker } = snapshot.getProject(projects[file.startsWith('web/') ? 1 : 0]);
  const methods = checker.getSymbolAtPosition(
    join(root, file),
    suspects.map(({ at }) => at),
  );
  return suspects
    .filter((_, index) => methods[index]?.getParent()?.name === 'String')
    .map(({ line }) => `${file}:${line}`);
});
for (const place of wrong)
  console.error(
    `${place}: cuts a text at a count: use clip of core/base/text/clip.ts, or say in a comment that it is ASCII or only read.`,
  );
// The compiler writes to stderr when `close` or the exit asks it to end.
api.client?.channel?.child.kill('SIGKILL');
process.exit(wrong.length > 0 ? 1 : 0);
