import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..');
const copied = ['packages', 'core', 'web/src', 'web/tsconfig.json', 'tsconfig.json'];
/** Packages of the repository, which are links into it. */
const own = ['vigil-client', 'vigil-stepfunctions'];

type Change = [file: string, from: string, to: string];

/**
 * What the page's compiler says of the page and of what it imports, once their files have changed. The types of the API are drawn from its
 * schemas, and a test compares them.
 */
function complaintsAfter(...changes: Change[]): string {
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
    return lines.filter((line) => /^(?:web|core|packages)\//.test(line) && !line.includes('.test.ts')).join('\n');
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

const types = 'packages/client/src/api-types.ts';

test('types reach the page: a renamed field of a row or a request, and a status that it does not know, stop its build (R95)', () => {
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

const core = 'core/conversations/calls/wait-kinds.ts';
const client = 'packages/client/src/decisions/asks-for.ts';
const page = 'web/src/rows/wait-kinds.ts';

test('a new kind of wait does not compile until its rows are complete: in core, in the client and in the page (R95)', () => {
  const named: Change[] = [
    ['web/tsconfig.json', '"vite.config.mts"', `"../${core}"`],
    ['core/base/state/schemas.ts', "'agent', 'model', 'task'])", "'agent', 'model', 'task', 'auction'])"],
    [types, "'agent' | 'model' | 'task';", "'agent' | 'model' | 'task' | 'auction';"],
  ];
  const row = "  auction: { fromOutside: true, awaitedIn: 'callback', tells: undefined, afterFailure: 'kept'";
  const end = '} satisfies Record<Kind, WaitKind>';
  const complaints = complaintsAfter(...named, [core, end, `${row} },\n${end}`]);
  const complained = complaints.split('\n').map((line) => line.replace(/\(.*/, ''));
  expect([...new Set(complained)].sort()).toEqual([core, client, page]);
  expect(complaints).toContain("Property 'timer' is missing in type");
  const complete: Change[] = [
    [core, end, `${row}, timer: undefined },\n${end}`],
    [core, 'words: string]> = {', "words: string]> = {\n  auction: ['callbackId', 'a bidder answers this'],"],
    [client, 'undefined> = {', 'undefined> = {\n  auction: undefined,'],
    [page, 'WaitKind> = {', 'WaitKind> = {\n  auction: outside,'],
  ];
  expect(complaintsAfter(...named, ...complete)).toBe('');
});
