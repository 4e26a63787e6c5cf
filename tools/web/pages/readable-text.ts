import { Readability } from '@mozilla/readability';
import { Parser } from 'htmlparser2';
import { parseHTML } from 'linkedom';
import { clip, wellFormed } from '../../../core/base/text/clip';
import { TellModel } from '../../../core/base/text/errors';
import type { Page } from './page-body';

/** A malicious page with too many or too deeply nested elements could occupy the parser for minutes. Browsers stop at a depth of 512. */
const maxDepth = 200;
const maxElements = 50_000;
/** A shorter article is probably only a part of the page, so the whole page's text is considered. */
const shortArticle = 250;
/** The title comes on top of the characters of the text that are kept. */
const longestTitle = 300;

/**
 * Returns what a person would read on the page: its article or, if there is none, all visible text.
 *
 * @throws TellModel if the page has no text or cannot be parsed.
 * @example
 * ```ts
 * import { readableText } from 'vigil/tools/web/pages/readable-text';
 *
 * const page = { url: 'https://museum.example/', type: 'text/html' };
 * readableText({ ...page, text: '<script>draw()</script><p>Closed on <b>Mondays</b>.</p>' }).text; // → 'Closed on Mondays.'
 * readableText({ ...page, text: '<script>draw()</script>' }); // throws There is no text on the page.
 * ```
 */
export function readableText({ type, text }: Page): { title: string; text: string } {
  const read = /html/.test(type) ? fromHtml(text) : { title: '', text: text.trim() };
  if (!read.text) throw new TellModel('There is no text on the page.');
  return { title: clip(read.title, { characters: longestTitle }, '…'), text: wellFormed(read.text) };
}

function fromHtml(html: string): { title: string; text: string } {
  assertSmall(html);
  try {
    const article = new Readability<Element>(documentOf(html), { serializer: (node) => node as Element }).parse();
    const text = article?.content ? textIn(article.content) : '';
    // Readability modifies its document, so the whole page's text comes from another one.
    const all = text.length < shortArticle ? wholeText(html) : '';
    return { title: (article?.title ?? '').trim(), text: all.length > text.length * 2 ? all : text };
  } catch (error) {
    throw new TellModel('The page cannot be read: its HTML is broken.', { cause: error });
  }
}

function assertSmall(html: string): void {
  let depth = 0;
  let elements = 0;
  const parser = new Parser({
    onopentag: () => {
      depth++;
      elements++;
      if (depth > maxDepth || elements > maxElements) {
        throw new TellModel('The page cannot be read: it has too many elements, or they are nested too deeply.');
      }
    },
    onclosetag: () => {
      depth--;
    },
  });
  parser.end(html);
}

/** Wraps an HTML fragment, which has no body of its own. */
const documentOf = (html: string): Document =>
  parseHTML(/<html[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`).document;

function wholeText(html: string): string {
  const document = documentOf(html);
  const unseen = 'script, style, noscript, template, svg, head, [hidden], [aria-hidden="true"]';
  for (const element of document.querySelectorAll(unseen)) element.remove();
  return textIn(document.documentElement);
}

function textIn(element: Element): string {
  // linkedom's innerText does not separate rows and cells, so their words would run together.
  for (const row of element.querySelectorAll('tr')) row.prepend(element.ownerDocument.createElement('br'));
  for (const cell of element.querySelectorAll('td, th')) cell.append(' ');
  return (element as HTMLElement).innerText
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
