import { Readability } from '@mozilla/readability';
import { Parser } from 'htmlparser2';
import { parseHTML } from 'linkedom';
import { TellModel } from '../../../core/text/errors';
import type { Page } from './page-body';

/** A page made to be deep or crowded would keep the parser busy for minutes. Browsers stop at a depth of 512. */
const maxDepth = 200;
const maxElements = 50_000;
/** An article this short is more likely a piece of the page: then all of its text is given. */
const shortArticle = 250;

/**
 * What a person would read on the page: the article without what is around it or, where there is none, all of its text.
 *
 * @throws TellModel for a page without text and one that cannot be read.
 */
export function readableText({ type, text }: Page): { title: string; text: string } {
  const read = /html/.test(type) ? fromHtml(text) : { title: '', text: text.trim() };
  if (!read.text) throw new TellModel('There is no text on the page.');
  return read;
}

function fromHtml(html: string): { title: string; text: string } {
  assertSmall(html);
  try {
    const article = new Readability<Element>(documentOf(html), { serializer: (node) => node as Element }).parse();
    const text = article?.content ? textIn(article.content) : '';
    // Readability takes its document apart, so the whole page's text comes from another.
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
        throw new TellModel(
          'The page cannot be read: it has more elements, or more inside each other, than any article.',
        );
      }
    },
    onclosetag: () => {
      depth--;
    },
  });
  parser.end(html);
}

/** A piece of HTML alone has no body to look into. */
const documentOf = (html: string): Document =>
  parseHTML(/<html[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`).document;

function wholeText(html: string): string {
  const document = documentOf(html);
  const unseen = 'script, style, noscript, template, svg, head, [hidden], [aria-hidden="true"]';
  for (const element of document.querySelectorAll(unseen)) element.remove();
  return textIn(document.documentElement);
}

function textIn(element: Element): string {
  // Rows and cells are no blocks to innerText: without this their words run together.
  for (const row of element.querySelectorAll('tr')) row.prepend(element.ownerDocument.createElement('br'));
  for (const cell of element.querySelectorAll('td, th')) cell.append(' ');
  return (element as HTMLElement).innerText
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
