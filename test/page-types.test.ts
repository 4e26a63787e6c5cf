import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..');
const copied = [
  'core',
  'packages',
  'agents',
  'lambdas',
  'runtime',
  'tools',
  'web/src',
  'web/tsconfig.json',
  'tsconfig.json',
];

/** What the page's compiler says of the page's own files, once those of the others have changed. */
function complaintsAfter(...changes: [file: string, from: string, to: string][]): string {
  const copy = mkdtempSync(join(tmpdir(), 'vigil-types-'));
  try {
    for (const path of copied) cpSync(join(root, path), join(copy, path), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
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
  const complaints = complaintsAfter(
    ['core/base/state/schemas.ts', 'costMicrodollars: z.number', 'costMicros: z.number'],
    ['core/base/state/schemas.ts', "  'undone',\n", "  'undone',\n  'paused',\n"],
    ['lambdas/api/routes/runs.ts', 'clientMessageId: Id', 'messageId: Id'],
  );
  expect(complaints).toContain("'costMicrodollars' does not exist");
  expect(complaints).toContain('web/src/rows/call-state.ts');
  expect(complaints).toContain('web/src/state/send.ts');
});
