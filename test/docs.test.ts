import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { transformSync } from 'esbuild';
import { root } from './support/examples/examples';
import { code, pages, samples, textOf } from './support/examples/samples';

// What readers follow and copy.

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

test('the files and the tests of this repository that a page names are there, but for those that an app could have', () => {
  // An app has its own agents, tools, evals and tests.
  const folders = 'core|infra|lambdas|local|modules|packages|runtime|statemachines|web';
  const named = new RegExp(`^(?:(?:${folders})/[\\w./-]+|(?:test/)?[\\w-]+\\.(?:scenario|browser))$`);
  const isThere = (name: string) =>
    ['', '.ts', '.tsx', '.test.ts', '.test.tsx'].some((end) =>
      [name, `test/${name}`].some((path) => existsSync(join(root, path + end))),
    );
  // What is released stays in the changelog as it was.
  const missing = pages
    .filter((page) => !page.endsWith('CHANGELOG.md'))
    .flatMap((page) =>
      [...proseOf(page).matchAll(/`([^`\n]+)`/g)]
        .map(([, name]) => name!)
        .filter((name) => named.test(name) && !isThere(name))
        .map((name) => `${page}: ${name}`),
    );
  expect(missing).toEqual([]);
});

const inExample = (file: string) => `examples/invoices/${file}`;

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
