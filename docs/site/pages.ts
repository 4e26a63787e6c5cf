import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, posix } from 'node:path';

export const site = import.meta.dirname;
export const repository = join(site, '../..');

/** An entry of VitePress's sidebar. */
export interface SidebarItem {
  text: string;
  link?: string;
  collapsed?: boolean;
  items?: SidebarItem[];
}

const home = 'docs/README.md';
const textOf = (file: string) => readFileSync(join(repository, file), 'utf8');
const titleOf = (file: string) => /^# (.*)$/m.exec(textOf(file))?.[1] ?? file;

/** Files that the site serves as they are (see `build.ts`). */
const publicFiles = /^docs\/(openapi\.json|pictures\/)/;

/** Returns where a file of the repository is on the site. Each has a page, a source file too, so that a link needs no other host. */
function placeOf(file: string): string {
  if (file === home) return '/index.md';
  if (publicFiles.test(file)) return file.replace('docs', '');
  if (posix.dirname(file) === 'docs') return file.replace('docs', '');
  // VitePress finds no hidden files.
  const place = `/repository/${file}`.replaceAll('/.', '/').replace('README.md', 'index.md');
  return place.endsWith('.md') ? place : `${place}.md`;
}

/** What package.json says of Vigil. */
export const { description } = JSON.parse(textOf('package.json')) as { description: string };

const code = /^( *```.*?^ *```)/ms;
/** Changes the prose of a page, and leaves its code as it is. */
export const outsideCode = (text: string, change: (prose: string) => string): string =>
  text
    .split(code)
    .map((part, index) => (index % 2 ? part : change(part)))
    .join('');
const links = /(?<=\]\()[^)\s]+|(?<=<img src=")[^"]+/g;

/** Returns the file that a link of a page leads to, and the anchor; undefined if it leaves the repository. */
function targetOf(page: string, link: string): { file: string; anchor: string } | undefined {
  const [path = '', anchor] = link.split('#');
  const file = path ? posix.join(posix.dirname(page), path) : page;
  if (/^[a-z]+:/.test(link) || !existsSync(join(repository, file))) return undefined;
  return { file, anchor: anchor ? `#${anchor}` : '' };
}

/** Returns a page with its links as they are on the site, and the files that it links to. */
function moved(page: string): { text: string; linked: string[] } {
  const linked: string[] = [];
  const withLinks = (prose: string) =>
    prose.replace(links, (link) => {
      const target = targetOf(page, link);
      if (!target) return link;
      if (!publicFiles.test(target.file)) linked.push(target.file);
      return placeOf(target.file) + target.anchor;
    });
  return { text: outsideCode(textOf(page), withLinks), linked };
}

function sourcePage(file: string): string {
  return `---\nsearch: false\n---\n\n# \`${file}\`\n\n~~~~${extname(file).slice(1)}\n${textOf(file)}\n~~~~\n`;
}

/** Returns VitePress's home page: what docs/README.md says, below what package.json says of Vigil. */
function homePage(text: string): string {
  const hero = {
    name: 'Vigil',
    tagline: description,
    image: {
      light: '/pictures/page-light.png',
      dark: '/pictures/page-dark.png',
      alt: 'The page of Vigil: conversations, the transcript of one, and the states, times and costs of its run',
    },
    actions: [
      { theme: 'brand', ...shelves()[0]!.items![0]! },
      { theme: 'alt', text: 'What Vigil is', link: placeOf('README.md') },
    ],
  };
  const list = text.replace(/^# .*\n/, '');
  return `---\nlayout: home\ntitle: Documentation\nhero: ${JSON.stringify(hero)}\n---\n\n${list}`;
}

/** Writes the pages of docs/, and each file of the repository that one of them links to, directly or not. */
export function writePages(out: string): void {
  const ofDocs = readdirSync(join(repository, 'docs')).filter((name) => name.endsWith('.md'));
  const files = new Set(ofDocs.map((name) => `docs/${name}`));
  // The set grows while it is walked.
  for (const file of files) {
    const isPage = file.endsWith('.md');
    const { text, linked } = isPage ? moved(file) : { text: sourcePage(file), linked: [] };
    for (const other of linked) files.add(other);
    const path = join(out, placeOf(file));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file === home ? homePage(text) : text);
  }
}

/** Returns the shelves of docs/README.md: its headings, each with the pages that it links to, by their titles. */
export function shelves(): SidebarItem[] {
  const sections = textOf(home).split(/^## /m).slice(1);
  return sections.map((section) => {
    const targets = [...section.matchAll(links)].map(([link]) => targetOf(home, link)?.file);
    const files = [...new Set(targets)].filter((file) => file !== undefined);
    return {
      text: section.split('\n')[0]!,
      items: files.map((file) => ({ text: titleOf(file), link: placeOf(file).replace(/(index)?\.md$/, '') })),
    };
  });
}
