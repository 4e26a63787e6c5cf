import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { transformSync } from 'esbuild';

/** Uses each helper that esbuild writes into compiled modules. */
const usesHelpers = "import * as one from 'a'; import two from 'b'; export * from 'c'; export const both = [one, two];";

const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => join(folder, path));

/**
 * Moves the helpers that esbuild repeats in each compiled file of a folder into one file there, which the others load. Where a name of the
 * file is also one in a helper, esbuild writes that helper with other names, and the file keeps it.
 */
export function shareHelpers(folder: string): void {
  const { code } = transformSync(usesHelpers, { format: 'cjs', platform: 'node', target: 'node20' });
  const helpers = [...code.matchAll(/^var (__\w+) = .*\n(?:(?: {2}|[)}]).*\n)*/gm)].map(([text, name]) => ({
    text,
    name: name!,
  }));
  if (helpers.length === 0) throw new Error('esbuild writes other helpers than this knows.');
  const shared = join(folder, 'helpers.js');
  for (const file of filesIn(folder, '.js')) {
    const whole = readFileSync(file, 'utf8');
    const rest = helpers.reduce((text, helper) => text.replace(helper.text, ''), whole);
    const used = helpers
      .map(({ name }) => name)
      .filter((name) => new RegExp(`\\b${name}\\b`).test(rest) && !rest.includes(`var ${name} = `));
    if (rest === whole || used.length === 0) continue;
    const path = relative(dirname(file), shared).split(sep).join('/');
    const from = path.startsWith('.') ? path : `./${path}`;
    writeFileSync(
      file,
      rest.replace('"use strict";\n', `"use strict";\nconst { ${used.join(', ')} } = require("${from}");\n`),
    );
  }
  const names = helpers.map(({ name }) => name).join(', ');
  writeFileSync(shared, `"use strict";\n${helpers.map(({ text }) => text).join('')}module.exports = { ${names} };\n`);
}

/**
 * Removes the types that no type of these entries names: those of the package's inside.
 *
 * @param entries files with types.
 * @throws Error if a type names a file that does not exist.
 */
export function dropInnerTypes(folder: string, entries: readonly string[]): void {
  const reached = new Set<string>();
  const toRead = [...entries];
  for (let file = toRead.pop(); file !== undefined; file = toRead.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const text = readFileSync(file, 'utf8').replace(/^ *(?:\/?\*|\/\/).*$/gm, '');
    for (const [, path] of text.matchAll(/(?:from |import\(|import )['"](\.[^'"]+)['"]/g)) {
      const target = join(dirname(file), path!);
      const found = [`${target}.d.ts`, join(target, 'index.d.ts')].find((one) =>
        statSync(one, { throwIfNoEntry: false }),
      );
      if (!found) throw new Error(`${file} names the types of ${path}, which do not exist.`);
      toRead.push(found);
    }
  }
  for (const file of filesIn(folder, '.d.ts')) if (!reached.has(file)) rmSync(file);
}
