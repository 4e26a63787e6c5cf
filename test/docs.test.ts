import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { transformSync } from 'esbuild';
import { longTest } from './support/long';

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

const inExample = (file: string) => `examples/invoices/${file}`;

const samples = pages.flatMap((page) =>
  [...textOf(page).matchAll(code)].flatMap(([, language, text]) =>
    language === 'ts' || language === 'tsx' ? [{ page, language, text: text! }] : [],
  ),
);

test('every sample in TypeScript can be parsed', () => {
  expect(samples.length).toBeGreaterThan(5);
  // A part of an object may stand alone.
  const parses = (text: string, language: string) => {
    try {
      return Boolean(transformSync(text, { loader: language as 'ts' | 'tsx', logLevel: 'silent' }));
    } catch {
      return false;
    }
  };
  expect(
    samples.filter(({ text, language }) => !parses(text, language) && !parses(`({\n${text}\n})`, language)),
  ).toEqual([]);
});

/** The samples that begin with the name of a file of the example app, without that line. */
const partsOfExample = samples.flatMap(({ page, text }) => {
  const [, file, part] = /^\/\/ (examples\/invoices\/\S+)\n(.*)$/s.exec(text) ?? [];
  return file ? [{ page, file, part: part! }] : [];
});

test('what a page shows of the example app is the text of its files, in their order; it leaves out what “// …” stands for (R165)', () => {
  expect(partsOfExample.map(({ file }) => file)).toEqual(
    expect.arrayContaining(['agents/chaser-agent.ts', 'app.ts', 'tools/send-reminder.ts'].map(inExample)),
  );
  const differing = partsOfExample.filter(({ file, part }) => {
    const text = existsSync(join(root, file)) ? textOf(file) : '';
    let from = 0;
    return part.split(/^ *\/\/ …\n/m).some((piece) => {
      const at = text.indexOf(piece, from);
      from = at + piece.length;
      return at < 0;
    });
  });
  expect(differing.map(({ page, file, part }) => `${page}: ${file}: ${part}`)).toEqual([]);
});

// A sample leaves out what is around it: names that it does not declare, and files and packages besides Vigil.
const leftOut = /error TS(2304|18004): |error TS2307: Cannot find module '(?!vigil\b)/;

longTest('every sample that imports Vigil uses it as its types say (R180)', () => {
  const folder = join(root, '.vigil/test/samples');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const settings = {
    extends: '../../../tsconfig.json',
    compilerOptions: { noUnusedLocals: false, jsx: 'react-jsx' },
    include: ['*.ts', '*.tsx'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...settings, exclude: [] }));
  const ofVigil = samples.filter(({ text }) => /from 'vigil\b/.test(text));
  expect(ofVigil.length).toBeGreaterThan(5);
  for (const [index, { page, language, text }] of ofVigil.entries())
    writeFileSync(join(folder, `${page.replace(/\W/g, '-')}-${index}.${language}`), text);
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', folder], { cwd: root, encoding: 'utf8' });
  expect(stdout.split('\n').filter((line) => line.includes('error TS') && !leftOut.test(line))).toEqual([]);
});
