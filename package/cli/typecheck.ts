import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Checks the types of the app in a folder, by its own TypeScript and `tsconfig.json`.
 *
 * @returns the mistakes, each in one line: `tools/price.ts:12:3: Type '"onec"' is not assignable to …`.
 * @throws Error in one line if they cannot be checked.
 */
export function typeMistakes(root: string): string[] {
  const { status, stdout, error } = spawnSync(
    process.execPath,
    [compilerOf(root), '-p', '.', '--noEmit', '--pretty', 'false'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: Number.POSITIVE_INFINITY,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  if (status === 0) return [];
  const mistakes = mistakesIn(stdout ?? '');
  if (mistakes.length > 0) return mistakes;
  throw new Error(`The types cannot be checked: ${error?.message ?? `tsc ended with exit code ${status}`}.`);
}

function compilerOf(root: string): string {
  try {
    return join(dirname(createRequire(join(root, 'app.ts')).resolve('typescript/package.json')), 'bin/tsc');
  } catch {
    throw new Error('The types cannot be checked: TypeScript is missing. Run `npm install --save-dev typescript`.');
  }
}

/** Returns the compiler's mistakes. It writes the reasons of each below it in indented lines, the innermost last. */
function mistakesIn(said: string): string[] {
  const mistakes: { place: string; code: string; text: string }[] = [];
  for (const line of said.split(/\r?\n/)) {
    const {
      place = 'tsconfig.json',
      code = '',
      text,
    } = /^(?:(?<place>\S.*?): )?error (?<code>TS\d+): (?<text>.*)$/.exec(line)?.groups ?? {};
    const last = mistakes.at(-1);
    if (text !== undefined) mistakes.push({ place, code, text });
    // "No overload matches this call" does not say what is wrong.
    else if (last?.code === 'TS2769' && line.startsWith(' ')) last.text = line.trim();
  }
  return mistakes.map(({ place, text }) => `${place.replace(/\((\d+),(\d+)\)$/, ':$1:$2')}: ${text}`);
}
