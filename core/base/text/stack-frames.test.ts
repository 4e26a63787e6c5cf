import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { framesOf } from './stack-frames';

const folder = mkdtempSync(join(tmpdir(), 'vigil-frames-'));
afterAll(() => rmSync(folder, { recursive: true }));

const source = `
  export function total(order: { lines: number[] }): number {
    return order.lines.length;
  }`;

function bundled(name: string, map?: string): (order?: unknown) => number {
  const made = transformSync(source, {
    loader: 'ts',
    format: 'cjs',
    minify: true,
    sourcefile: '../../../shared/orders.ts',
    sourcemap: 'external',
  });
  writeFileSync(join(folder, name), made.code);
  writeFileSync(join(folder, `${name}.map`), map ?? made.map);
  return require(join(folder, name)).total;
}

function stackOf(code: () => unknown): string {
  try {
    code();
  } catch (error) {
    return (error as Error).stack!;
  }
  throw new Error('It is to throw.');
}

test('a frame of a bundle is mapped to its source line (R126)', () => {
  const total = bundled('a.js');
  expect(framesOf(stackOf(() => total()))[0]).toMatch(/^shared\/orders\.ts:3:\d+$/);
});

test('a frame without a readable map is kept as it is', () => {
  const total = bundled('b.js', '{');
  const [first, second] = framesOf(stackOf(() => total()));
  expect(first).toMatch(/vigil-frames-.*\/b\.js:1:\d+$/);
  expect(second).toMatch(/stack-frames\.test\.ts:\d+:\d+$/);
});

test('frames of Node and all other lines are left out', () => {
  expect(
    framesOf('Error: no\n    at a place\n    at run (node:internal/x:1:2)\n    at async go (/a/b.js:3:4)'),
  ).toEqual(['/a/b.js:3:4']);
});
