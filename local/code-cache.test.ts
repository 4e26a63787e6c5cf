import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadModule } from './code-cache';

const folder = mkdtempSync(join(tmpdir(), 'vigil-code-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('compiled code is cached once, for this Node only, because another with the same V8 crashes on it', () => {
  const [file, kept] = [join(folder, 'index.js'), join(folder, 'kept')];
  writeFileSync(file, 'let loads = 0; exports.next = () => ++loads;');
  for (const round of [1, 2]) {
    const { exports, keep } = loadModule(file, kept);
    // Each load creates a separate module.
    expect([round, (exports.next as () => number)()]).toEqual([round, 1]);
    keep();
  }
  expect(readdirSync(kept)).toEqual([expect.stringMatching(`-${process.version}-${process.arch}\\.v8$`)]);
});
