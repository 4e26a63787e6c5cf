import { trap } from './odd-pages';
import type { Place, Subject } from './place';
import { places } from './places';

/** A page of the stand-in search. All addresses end in the reserved `.example`, so none is real. */
export interface Page {
  url: string;
  title: string;
  snippet: string;
  paragraphs: string[];
}

const label = 'stand-in data';

export const pages: Page[] = [...places, trap].flatMap((place) =>
  (Object.keys(place.pages) as Subject[]).map((subject) => pageOf(place, subject)),
);

/** The result if nothing matches: a list of the known places. */
export const nothingElse: Page = {
  url: 'https://stand-in.example/',
  title: `What the stand-in search knows [${label}]`,
  snippet: `The stand-in search knows only ${places.map(({ name }) => name).join(', ')}. Set SERPER_API_KEY to search the web.`,
  paragraphs: [],
};

/** Returns an address as a browser writes it; undefined if it is not one. */
export function addressIn(text: string): string | undefined {
  try {
    return new URL(text).href;
  } catch {
    return undefined;
  }
}

/** Returns the page with this address, in any spelling. */
export const pageAt = (url: string): Page | undefined =>
  [...pages, nothingElse].find((page) => page.url === addressIn(url));

export const htmlOf = ({ title, snippet, paragraphs }: Page): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title></head><body><article>
<h1>${escaped(title)}</h1>
${(paragraphs.length > 0 ? paragraphs : [snippet]).map((text) => `<p>${escaped(text)}</p>`).join('\n')}
<p>This page is stand-in data that comes with Vigil. Check before you travel.</p>
</article></body></html>`;

function pageOf({ name, pages: written }: Place, subject: Subject): Page {
  const { title, paragraphs } = written[subject];
  const url = `https://${name.toLowerCase()}.example/${subject}`;
  return { url, title: `${title} [${label}]`, snippet: paragraphs[0] ?? '', paragraphs };
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
