import { readFileSync } from 'node:fs';
import { drawn, file, shownBy } from './support/draw-features';
import { elsewhere, features } from './support/features';

const rows = features.flatMap(([, area]) => Object.keys(area).map(Number));

test('each promise is kept by a test that names it, and no test names one that was not made', () => {
  const by = shownBy();
  expect(rows.filter((row) => !by.has(row) && !elsewhere[row])).toEqual([]);
  expect([...by.keys()].filter((row) => !rows.includes(row))).toEqual([]);
});

test('docs/features.md says which', () => {
  // Not the same? `npx tsx test/support/draw-features.ts` draws it again.
  expect(readFileSync(file, 'utf8')).toBe(drawn());
});
