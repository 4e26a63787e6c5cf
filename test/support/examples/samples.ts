import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './examples';

/** The blocks of code of a page in Markdown. */
export const code = /^```(\w*)[^\n]*\n(.*?)^```/gms;

/** The pages of this repository. */
export const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean);

export const textOf = (page: string) => readFileSync(join(root, page), 'utf8');

/** Their samples in TypeScript. */
export const samples = pages.flatMap((page) =>
  [...textOf(page).matchAll(code)].flatMap(([, language, text]) =>
    language === 'ts' || language === 'tsx' ? [{ page, language, text: text! }] : [],
  ),
);
