import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen, readJson } from '../../../local/model-server/listen';

/** The web behind two services, each with its own protocol: Serper's search and Browserless's browser. */
export interface Web {
  url: string;
  /** The search queries, in order. Each one is billed. */
  searches: { q: string; num: number; key: string | undefined }[];
  /** The pages that the browser was asked to open. */
  reads: { url: string; token: string | null }[];
  /** Sets the responses of the next searches, instead of two results. */
  answerSearches(...answers: Answer[]): void;
  /** What the browser finds at an address. Any other address is a 404. */
  pages: Record<string, Answer>;
  stop(): Promise<void>;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON. */
  body?: string | object;
  /** Cuts the connection instead. */
  cut?: true;
}

export const searchResults = (...results: { title: string; link: string; snippet?: string }[]): Answer => ({
  body: {
    searchParameters: { type: 'search' },
    organic: results.map((one, index) => ({ ...one, position: index + 1 })),
  },
});

/** Returns a page as Browserless does, with headers that say where its browser ended. */
export const webPage = (html: string, headers: Record<string, string> = {}): Answer => ({
  headers: { 'content-type': 'text/html', 'x-response-code': '200', ...headers },
  body: html,
});

const twoResults = searchResults(
  { title: 'Kyoto sights', link: 'https://kyoto.example/sights', snippet: 'Temples and gardens.' },
  { title: 'Kyoto food', link: 'https://kyoto.example/food' },
);

export async function startWeb(): Promise<Web> {
  const searches: Web['searches'] = [];
  const reads: Web['reads'] = [];
  const next: Answer[] = [];
  const web = { searches, reads, pages: {} as Record<string, Answer> };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://web');
    const body = (await readJson(request)) as { q: string; num: number; url: string };
    if (pathname === '/search') {
      searches.push({ q: body.q, num: body.num, key: request.headers['x-api-key'] as string | undefined });
      return send(response, next.shift() ?? twoResults);
    }
    if (pathname !== '/content') return send(response, { status: 404 });
    reads.push({ url: body.url, token: searchParams.get('token') });
    send(response, web.pages[body.url] ?? webPage('<p>Not found</p>', { 'x-response-code': '404' }));
  }

  const server = await listen((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  return Object.assign(web, {
    url: server.url,
    stop: server.stop,
    answerSearches: (...answers: Answer[]) => void next.push(...answers),
  });
}

function send(response: ServerResponse, { status = 200, headers, body = '', cut }: Answer): void {
  if (cut) return void response.destroy();
  const json = typeof body === 'object';
  response
    .writeHead(status, { 'content-type': json ? 'application/json' : 'text/plain', ...headers })
    .end(json ? JSON.stringify(body) : body);
}
