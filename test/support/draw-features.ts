import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { elsewhere, features } from './features';

const root = join(__dirname, '../..');
const folders = [
  'core',
  'runtime',
  'tools',
  'agents',
  'lambdas',
  'statemachines',
  'infra',
  'modules',
  'local',
  'package',
  'packages',
  'scripts',
  'web/src',
  'test',
];
export const file = join(root, 'docs/features.md');

/** Returns the tests that name each row, by row. */
export function shownBy(): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const path of folders.flatMap((folder) => testsIn(join(root, folder)))) {
    const rows = new Set([...readFileSync(path, 'utf8').matchAll(/\bR(\d{1,3})\b/g)].map(([, row]) => Number(row)));
    for (const row of rows) found.set(row, [...(found.get(row) ?? []), relative(root, path)]);
  }
  return found;
}

const testsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .sort()
    .map((path) => join(folder, path));

/** Returns the page. If a row has several tests, it names the stories, which are the ones to read. */
export function drawn(): string {
  const by = shownBy();
  const tests = (row: number) => {
    const all = by.get(row) ?? [];
    const stories = all.filter((path) => /\.(scenario|browser)\.test/.test(path));
    const shown = (stories.length > 0 ? stories : all).slice(0, 3).map((path) => `\`${nameOf(path)}\``);
    return [...(elsewhere[row] ? [elsewhere[row]] : []), ...shown].join(' · ');
  };
  const tables = features.map(([area, rows]) =>
    [
      `## ${area}\n\n| | | shown by |\n|---|---|---|`,
      ...Object.entries(rows).map(([row, what]) => `| R${row} | ${what} | ${tests(Number(row))} |`),
    ].join('\n'),
  );
  return `${[heading, ...tables].join('\n\n')}\n`;
}

const heading = `# Features

Each row is a guarantee. The tests that show it have its number in their names: \`npx jest -t R88\` runs those of one row. The table names up to
three stories through the public API, from \`test/\`, or otherwise the unit tests. \`npx tsx test/support/draw-features.ts\` draws this page from
the tests' names.`;

const nameOf = (path: string): string => path.replace(/^test\//, '').replace(/\.test\.ts$/, '');

if (require.main === module) writeFileSync(file, drawn());
