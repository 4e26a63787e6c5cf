import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '../..');
export const file = join(root, 'CONTRIBUTING.md');

/** From what everything uses up to what is built on all of it: each floor imports from itself and from those before it. */
export const floors = {
  base: 'what everything uses, without a table',
  conversations: 'what a conversation is, and each way in which it changes',
  machines: 'what the functions of the state machines do',
  people: 'what people see, find and are told',
};

const sources = execFileSync('git', ['ls-files', 'core/*.ts'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  // The port of modules is in no folder.
  .filter((path) => path && dirname(path) !== 'core' && !path.endsWith('.test.ts'));

/** Returns the folders of core, each with what its files say it is: `// core/base/text: errors and words.` in the first line of one of them. */
export function describedFolders(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const path of sources) {
    const folder = dirname(path);
    const [first = ''] = readFileSync(join(root, path), 'utf8').split('\n');
    const [, named, words] = /^\/\/ (core\/[\w/-]+): (.+)\.$/.exec(first) ?? [];
    if (named && named !== folder) throw new Error(`The first line of ${path} is about ${named}.`);
    found.set(folder, [...(found.get(folder) ?? []), ...(words ? [words] : [])]);
  }
  return found;
}

/** Returns the page with the table of core's folders between its marks. */
export function drawn(page: string): string {
  const folders = [...describedFolders()];
  const rows = Object.entries(floors).flatMap(([floor, about]) => [
    `| **\`${floor}/\`** | **${about}** |`,
    ...folders
      .filter(([folder]) => folder.startsWith(`core/${floor}/`))
      .map(([folder, words]) => `| \`${folder.replace('core/', '')}\` | ${words.join('; ')} |`),
  ]);
  const table = ['| folder | contents |', '|---|---|', ...rows].join('\n');
  const [open, close] = ['<!-- folders of core -->', '<!-- end of folders of core -->'];
  const [before, rest] = page.split(open);
  const after = rest?.split(close)[1];
  if (before === undefined || after === undefined) throw new Error(`The page lacks ${open} … ${close}.`);
  return `${before}${open}\n\n${table}\n\n${close}${after}`;
}

if (require.main === module) writeFileSync(file, drawn(readFileSync(file, 'utf8')));
