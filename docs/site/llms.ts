import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { description, outsideCode, type SidebarItem } from './pages.ts';

const home = 'index.md';

/** Returns a page without what only VitePress reads, and with links that do not depend on where the site is served. */
function markdownOf(page: string, text: string): string {
  const plain = text.replace(/^---\n.*?\n---\n/s, page === home ? '# Vigil\n' : '').trimStart();
  const toHere = (path: string) => posix.relative(posix.dirname(`/${page}`), path) || posix.basename(path);
  return outsideCode(plain, (prose) =>
    prose.replace(/(?<=\]\(|<img src=")(\/[^)\s"#]*)/g, (link) => toHere(link.endsWith('/') ? `${link}${home}` : link)),
  );
}

/** Returns the first sentence of a page, as plain text. */
function summaryOf(text: string): string {
  const [, paragraph = ''] = /^# [^\n]*\n+(?!```)([^\s#|<-].*?)\n\n/ms.exec(text) ?? [];
  const words = paragraph.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\s+/g, ' ');
  return /^.*?[.:](?= |$)/.exec(words)?.[0].replace(/:$/, '.') ?? words;
}

/**
 * Writes what agents read: each page as Markdown next to its HTML, and `llms.txt`, the list of them as llmstxt.org describes it. Generated
 * pages are listed as optional, for those with little room.
 */
export function writeForModels(pages: string, shelves: SidebarItem[], out: string): void {
  const files = readdirSync(pages, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  for (const file of files.filter((name) => name.endsWith('.md'))) {
    mkdirSync(dirname(join(out, file)), { recursive: true });
    writeFileSync(join(out, file), markdownOf(file, readFileSync(join(pages, file), 'utf8')));
  }
  const lineOf = ({ text, link = '/' }: SidebarItem) => {
    const path = link.slice(1).replace(/\/$/, '/index');
    const file = existsSync(join(out, `${path}.md`)) ? `${path}.md` : `${path}/${home}`;
    const summary = summaryOf(readFileSync(join(out, file), 'utf8'));
    return `- [${text}](${file})${summary && `: ${summary}`}`;
  };
  const all = shelves.flatMap(({ items = [] }) => items);
  const sections = shelves.map(({ text, items = [] }) => ({ text, items: items.filter((item) => !item.items) }));
  const optional = { text: 'Optional', items: all.flatMap(({ items = [] }) => items) };
  const lists = [...sections, optional].map(({ text, items }) => `## ${text}\n\n${items.map(lineOf).join('\n')}\n`);
  writeFileSync(join(out, 'llms.txt'), [`# Vigil\n`, `> ${description}\n`, ...lists].join('\n'));
}
