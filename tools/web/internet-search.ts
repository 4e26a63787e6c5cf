import { retryAfter } from 'vigil-client/shared';
import * as z from 'zod';
import { clip } from '../../core/base/text/clip';
import { TellModel, ToolFailed } from '../../core/base/text/errors';
import { defineTool } from '../../core/conversations/agent/tool';
import { serveIsolated } from '../../runtime/serve-isolated';
import { readAtMost } from './pages/page-body';

const serper = 'https://google.serper.dev';
const timeoutMs = 15_000;
const defaultResults = 5;

export const internetSearch = defineTool({
  name: 'internet_search',
  title: 'Search the web',
  description:
    'Searches the web and lists what it found: title, link and a short excerpt of each page. It does not open the pages: call `scrape_website` with a link to read one.',
  input: z.object({
    query: z.string().min(1).max(400).describe('What to search for, in the words that such a page would use'),
    results: z
      .number()
      .int()
      .min(1)
      .max(10)
      .nullable()
      .describe(`How many results to list, from 1 to 10; null for ${defaultResults}`),
  }),
  output: z.string(),
  effect: 'read',
  source: 'web',
  // The query reaches the deployment's search service only, and nobody who wrote a page.
  afterUntrusted: () => 'allow',
  timeoutSeconds: 30,
  needs: { secrets: ['SERPER_API_KEY'], variables: ['SERPER_BASE_URL'], optional: ['SERPER_BASE_URL'] },
  isolated: true,
  async execute({ query, results }, { secrets, variables }) {
    const count = results ?? defaultResults;
    const server = { address: variables.SERPER_BASE_URL ?? serper, key: secrets.SERPER_API_KEY };
    const found = await search(server, query, count);
    const list = found.slice(0, count).map(asText).join('\n');
    return list || 'The search found nothing.';
  },
});

/** A result, as any search server may write it. An address has no line break, and is as a model repeats it. */
const Found = z.object({
  title: z.string().catch('Untitled'),
  link: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .transform((link) => new URL(link).href),
  snippet: z.string().optional().catch(undefined),
});
type Found = z.infer<typeof Found>;

async function search(server: { address: string; key: string }, q: string, num: number): Promise<Found[]> {
  const response = await fetch(`${server.address}/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': server.key },
    body: JSON.stringify({ q, num }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(unreachable);
  const { status, headers } = response;
  if (status === 429 || status >= 500) {
    const notBefore = retryAfter(headers, new Date());
    throw new ToolFailed(`The web search answered with status ${status}.`, { notBefore });
  }
  if (status === 401 || status === 403)
    throw new TellModel('The web cannot be searched now: the search service refuses the key.');
  if (status !== 200) throw new TellModel(`The web search rejected this query (status ${status}).`);
  const body = response.body ? await readAtMost(response.body).catch(unreachable) : Buffer.alloc(0);
  return foundIn(body.toString());
}

/**
 * Returns the results in a search server's answer. An odd one must not lose the others.
 *
 * @throws TellModel if it is not JSON.
 * @example
 * ```ts
 * import { foundIn } from 'vigil/tools/web/internet-search';
 *
 * const hours = { title: 'Hours', link: 'https://museum.example/hours', snippet: 'Closed on Mondays.' };
 * const found = foundIn(JSON.stringify({ organic: [hours, { link: 'javascript:alert(1)' }] }));
 * found.map(({ link }) => link); // → ['https://museum.example/hours']
 * foundIn('<html>'); // throws a response that cannot be read
 * ```
 */
export function foundIn(answer: string): Found[] {
  try {
    const { organic } = (JSON.parse(answer) ?? {}) as { organic?: unknown };
    return (Array.isArray(organic) ? organic : []).flatMap((one) => Found.safeParse(one).data ?? []);
  } catch {
    throw new TellModel('The web search returned a response that cannot be read.');
  }
}

function asText({ title, link, snippet = '' }: Found, index: number): string {
  const line = (text: string, characters: number) => clip(text.replace(/\s+/g, ' ').trim(), { characters });
  return `${index + 1}. ${line(title, 200)}\n   ${link}\n   ${line(snippet, 500)}`.trimEnd();
}

/** The error's own message is dropped, because it may quote the request, which contains the key. */
function unreachable(error: Error): never {
  if (error.name === 'TellModel') throw new TellModel('The web search returned more than can be read.');
  throw new ToolFailed(`The web search ${error.name === 'TimeoutError' ? 'took too long' : 'could not be reached'}.`);
}

export const handler = serveIsolated(internetSearch);
