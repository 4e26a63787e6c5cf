import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hasMoved } from './steady';

const place = (top: number, scrolled = 0, left = 0) => ({ left, top, scrolled });

test('a row has moved if it is new or elsewhere, unless the user has just scrolled it there (R264)', () => {
  expect(hasMoved(undefined, place(10), 0)).toBe(true);
  expect(hasMoved(place(10), place(11), 10_000)).toBe(false);
  expect(hasMoved(place(10), place(60), 0)).toBe(true);
  expect(hasMoved(place(10), place(10, 0, 40), 0)).toBe(true);
  // By the user, and by the page: a conversation that follows what is said.
  expect(hasMoved(place(60, 0), place(10, 50), 20)).toBe(false);
  expect(hasMoved(place(60, 0), place(10, 50), 2_000)).toBe(true);
  // Scrolled, and moved as well.
  expect(hasMoved(place(60, 0), place(30, 50), 20)).toBe(true);
});

test('whatever ends a row leaves its receipt there, in a row that is marked (R264)', () => {
  const files = execFileSync('git', ['ls-files', 'web/src/*.tsx'], { encoding: 'utf8' }).trim().split('\n');
  const ending = files
    .map((file) => [file, readFileSync(file, 'utf8')] as const)
    .filter(([file, text]) => /\buseHeld\(/.test(text) && file !== 'web/src/ui/receipt.tsx');
  expect(ending.length).toBeGreaterThan(7);
  const incomplete = ending.filter(([, text]) => !/<Receipt\b/.test(text) || !/data-row=/.test(text));
  expect(incomplete.map(([file]) => file)).toEqual([]);
});
