import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { transformSync } from 'esbuild';

// What readers follow and copy.

const root = join(__dirname, '..');
const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean);
const textOf = (page: string) => readFileSync(join(root, page), 'utf8');
const code = /^```(\w*)[^\n]*\n(.*?)^```/gms;
const proseOf = (page: string) => textOf(page).replace(code, '');

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): Set<string> {
  const headings = [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading!);
  const plain = headings.map((heading) => heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase());
  return new Set(plain.map((heading) => heading.replace(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-')));
}

test('every link of a page to a page, a file or a heading of this repository leads there', () => {
  const broken = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link]) => link!)
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#');
        const target = path ? normalize(join(dirname(page), path)) : page;
        if (!existsSync(join(root, target))) return true;
        return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor);
      })
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('every sample in TypeScript can be parsed', () => {
  const samples = pages.flatMap((page) =>
    [...textOf(page).matchAll(code)].flatMap(([, language, text]) =>
      language === 'ts' ? [{ page, text: text! }] : [],
    ),
  );
  expect(samples.length).toBeGreaterThan(5);
  // A part of an object may stand alone.
  const parses = (text: string) => {
    try {
      return Boolean(transformSync(text, { loader: 'ts', logLevel: 'silent' }));
    } catch {
      return false;
    }
  };
  expect(samples.filter(({ text }) => !parses(text) && !parses(`({\n${text}\n})`))).toEqual([]);
});
