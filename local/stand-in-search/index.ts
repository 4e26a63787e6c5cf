import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen, readJson } from '../model-server/listen';
import { outage } from './odd-pages';
import { addressIn, htmlOf, nothingElse, type Page, pageAt, pages } from './pages';

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
function rank(query: string): Page[] {
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

export interface StandInSearch {
  /** For SERPER_BASE_URL and BROWSERLESS_BASE_URL. */
  url: string;
  stop(): Promise<void>;
}

/**
 * A search and a browser for use without keys: one HTTP server with Serper's search and Browserless's content API, over
 * a few pages of its own. It makes no outside requests, and every title is labelled as stand-in data.
 */
export async function startStandInSearch(): Promise<StandInSearch> {
  return listen((request, response) => {
    serve(request, response).catch((error: Error) => {
      if (response.headersSent) response.destroy();
      else json(response, 400, { message: error.message, statusCode: 400 });
    });
  });
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
  const is = (path: string) => request.method === 'POST' && pathname === path;
  if (is('/search')) return search(request, response);
  if (is('/content')) return content(request, response, searchParams.get('token'));
  json(response, 404, { message: 'Not Found', statusCode: 404 });
}

/** https://serper.dev: a key in a header, `{q, num}` in, `{organic: [{title, link, snippet, position}]}` out. */
async function search(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!request.headers['x-api-key']) return json(response, 403, { message: 'Unauthorized.', statusCode: 403 });
  const { q, num = 10 } = (await readJson(request)) as { q?: unknown; num?: number };
  if (typeof q !== 'string' || !q.trim())
    return json(response, 400, { message: 'Missing query parameter', statusCode: 400 });
  if (outage.test(q)) return json(response, 503, { message: 'Service Unavailable', statusCode: 503 });
  const organic = rank(q)
    .slice(0, num)
    .map(({ title, url, snippet }, index) => ({ title, link: url, snippet, position: index + 1 }));
  json(response, 200, { searchParameters: { q, num, type: 'search', engine: 'stand-in' }, organic, credits: 0 });
}

/**
 * Browserless's REST API: a token in the query, `{url}` in, HTML out. Headers give the status and the address that the
 * browser found.
 */
async function content(request: IncomingMessage, response: ServerResponse, token: string | null): Promise<void> {
  if (!token) return void response.writeHead(401, { 'content-type': 'text/plain' }).end('Bad or missing token');
  const { url } = (await readJson(request)) as { url?: unknown };
  const address = typeof url === 'string' ? addressIn(url) : undefined;
  if (!address) return void response.writeHead(400, { 'content-type': 'text/plain' }).end('"url" must be an address');
  const page = pageAt(address);
  response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'x-response-code': page ? 200 : 404,
      // An address is ASCII.
      'x-response-url': address.slice(0, 1_000),
    })
    .end(htmlOf(page ?? nothingElse));
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
