import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FolderWatch, watchFolders } from './watch';

let folder: string;
let told: number;
let watch: FolderWatch;
const lines: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-watch-'));
  writeFileSync(join(folder, 'a.ts'), 'one');
  told = 0;
  watch = watchFolders({ changed: () => told++, log: (line) => lines.push(line) });
  watch.set([folder]);
});
afterEach(() => {
  watch.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function next(): Promise<void> {
  const before = told;
  for (let look = 0; look < 500 && told === before; look++) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(told).toBeGreaterThan(before);
}

test('reports each file that is written, replaced, created or removed, repeatedly', async () => {
  for (const save of [
    () => writeFileSync(join(folder, 'a.ts'), 'two'),
    () => {
      writeFileSync(join(folder, 'a.ts.tmp'), 'three');
      renameSync(join(folder, 'a.ts.tmp'), join(folder, 'a.ts'));
    },
    () => writeFileSync(join(folder, 'a.ts'), 'four'),
    () => writeFileSync(join(folder, 'b.ts'), 'new'),
    () => rmSync(join(folder, 'b.ts')),
  ]) {
    save();
    await next();
  }
});

test('a new folder is reported by its parent and can be watched; a removed one is released', async () => {
  const inner = join(folder, 'inner');
  mkdirSync(inner);
  await next();
  watch.set([folder, inner]);
  writeFileSync(join(inner, 'c.ts'), 'c');
  await next();
  rmSync(inner, { recursive: true });
  await next();
  watch.set([folder]);
  writeFileSync(join(folder, 'a.ts'), 'two');
  await next();
  expect(lines).toEqual([]);
});
