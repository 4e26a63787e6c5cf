import { nothingElse, type Page, pages } from './pages';

/** A word in the title counts more than one in the text, and the name of the place counts most. */
const weights = { host: 20, title: 3, text: 1 };
const commonWords = new Set([
  'the',
  'and',
  'for',
  'with',
  'what',
  'where',
  'how',
  'best',
  'top',
  'trip',
  'travel',
  'guide',
]);

/** Returns the pages of the named place, best match first. */
export function rank(query: string): Page[] {
  const words = wordsOf(query);
  const found = pages
    .map((page) => ({ page, score: score(page, words) }))
    .filter(({ score }) => score >= weights.host)
    .sort((a, b) => b.score - a.score);
  return found.length > 0 ? found.map(({ page }) => page) : [nothingElse];
}

function score({ url, title, paragraphs }: Page, words: string[]): number {
  const host = new URL(url).hostname.split('.');
  const inTitle = new Set(wordsOf(title));
  const inText = new Set(wordsOf(paragraphs.join(' ')));
  return words.reduce(
    (sum, word) =>
      sum +
      (host.includes(word) ? weights.host : 0) +
      (inTitle.has(word) ? weights.title : 0) +
      (inText.has(word) ? weights.text : 0),
    0,
  );
}

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter((word) => !commonWords.has(word));
