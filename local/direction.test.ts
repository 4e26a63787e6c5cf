import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The local cloud runs whatever template it is given. Knowing Vigil's own code, it would run Vigil only, and differently than AWS. */
const ALLOWED: Readonly<Record<string, string[]>> = { 'start.ts': ['../infra/synth'] };

test('no file imports product code', () => {
  const files = readdirSync(__dirname).filter((file) => file.endsWith('.ts') && !/^demo|\.test\.ts$/.test(file));
  const offences = files.flatMap((file) => {
    const source = readFileSync(join(__dirname, file), 'utf8');
    const imports = [...source.matchAll(/(?:from|import\()\s*'(\.\.\/[^']+)'/g)].map(([, path]) => path ?? '');
    const refused = imports.filter((path) => path !== '../package.json' && !ALLOWED[file]?.includes(path));
    return refused.map((path) => `${file}: ${path}`);
  });
  expect(offences).toEqual([]);
});

test('every file stays readable in one sitting', () => {
  const files = readdirSync(__dirname).filter((file) => file.endsWith('.ts'));
  const long = files.filter((file) => readFileSync(join(__dirname, file), 'utf8').split('\n').length > 251);
  expect(long).toEqual([]);
});
