import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..');
const copied = ['packages', 'web/src', 'web/tsconfig.json', 'tsconfig.json'];
/** Packages of the repository, which are links into it. */
const own = ['vigil-client', 'vigil-stepfunctions'];

/** What the page's compiler says of the page's own files, once the types of the API have changed. They are drawn from its schemas, and a test compares them. */
function complaintsAfter(...changes: [file: string, from: string, to: string][]): string {
  const copy = mkdtempSync(join(tmpdir(), 'vigil-types-'));
  try {
    for (const path of copied) cpSync(join(root, path), join(copy, path), { recursive: true });
    mkdirSync(join(copy, 'node_modules'));
    for (const name of readdirSync(join(root, 'node_modules')).filter((one) => !own.includes(one)))
      symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
    symlinkSync(join(copy, 'packages/client'), join(copy, 'node_modules/vigil-client'));
    for (const [file, from, to] of changes) {
      const text = readFileSync(join(copy, file), 'utf8');
      expect(text).toContain(from);
      writeFileSync(join(copy, file), text.replace(from, to));
    }
    const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['--noEmit', '-p', 'web'], { cwd: copy });
    const lines = String(stdout).split('\n');
    return lines.filter((line) => line.startsWith('web/src') && !line.includes('.test.ts')).join('\n');
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

test('types reach the page: a renamed field of a row or a request, and a status that it does not know, stop its build (R95)', () => {
  const types = 'packages/client/src/api-types.ts';
  const sent = 'export interface SendMessage {\n  /**\n   * The words, if there is nothing else\n   */\n';
  const complaints = complaintsAfter(
    [types, 'costMicrodollars: number', 'costMicros: number'],
    [types, "'undone' |", "'undone' | 'paused' |"],
    [types, `${sent}  text?: string;`, `${sent}  words?: string;`],
  );
  expect(complaints).toContain("'costMicrodollars' does not exist");
  expect(complaints).toContain('web/src/rows/call-state.ts');
  expect(complaints).toContain('web/src/files/draft-files.ts');
});
