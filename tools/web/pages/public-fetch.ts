import type * as http from 'node:http';
import { TellModel } from '../../../core/base/text/errors';
import { urlIn } from '../../../core/base/text/web-address';
import { notPublic, refusalOf } from '../../../runtime/outgoing/public-address';
import { type Network, network, publicLookup, requestTo } from '../../../runtime/outgoing/public-lookup';
import { assertReadable, type Page, pageFrom } from './page-body';

const maxRedirects = 5;
/** For all redirects and the whole body. */
const defaultTimeoutMs = 20_000;

/**
 * Fetches a page of the public internet only. At each redirect, it checks the address as it is written, then every IP address that its
 * name resolves to. The name is resolved once, and the connection uses the checked addresses, so DNS rebinding has no effect.
 *
 * @throws TellModel if there is a problem with the page, its server or its address.
 * @example
 * ```ts
 * import { fetchPublicPage } from 'vigil/tools/web/pages/public-fetch';
 *
 * // const { text } = await fetchPublicPage('https://example.com/');
 * await fetchPublicPage('http://127.0.0.1:8080/admin'); // throws public
 * await fetchPublicPage('file:///etc/passwd'); // throws http
 * ```
 */
export async function fetchPublicPage(
  address: string,
  { resolve, connect }: Network = network,
  timeoutMs = defaultTimeoutMs,
): Promise<Page> {
  const signal = AbortSignal.timeout(timeoutMs);
  let url = address;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const refusal = refusalOf(url);
    if (refusal) throw new TellModel(redirects === 0 ? refusal : `The page redirects elsewhere. ${refusal}`);
    try {
      const lookup = await publicLookup(new URL(url), resolve, signal);
      const response = await answerOf(new URL(url), { lookup, signal }, connect);
      const { statusCode = 0, headers } = response;
      if (statusCode >= 300 && statusCode < 400 && headers.location) {
        response.destroy();
        url = urlIn(headers.location, url)?.href ?? headers.location;
        continue;
      }
      assertReadable(statusCode, headers['content-type']);
      const page = await pageFrom(response, url);
      // Of a body that ends with its connection, Node reports the timeout as the end.
      signal.throwIfAborted();
      return page;
    } catch (error) {
      throw inWords(error as NodeJS.ErrnoException, signal);
    }
  }
  throw new TellModel(`The page redirects more than ${maxRedirects} times in a row.`);
}

function answerOf(url: URL, options: http.RequestOptions, connect: Network['connect']): Promise<http.IncomingMessage> {
  const headers = {
    'user-agent': 'Mozilla/5.0 (compatible; Vigil)',
    accept: 'text/html,application/xhtml+xml,text/*;q=0.9,application/json;q=0.8,application/xml;q=0.8',
    'accept-encoding': 'gzip, deflate, br',
    'accept-language': 'en;q=1,*;q=0.5',
  };
  return new Promise((resolve, reject) => {
    requestTo(url, { headers, ...options }, connect)
      .once('response', resolve)
      // Node destroys nothing of it by itself, and there is no response then.
      .once('upgrade', ({ statusCode = 101 }, socket) => {
        socket.destroy();
        reject(new TellModel(`The page answered with status ${statusCode}.`));
      })
      .once('error', reject)
      .end();
  });
}

const words = new Map(
  Object.entries({
    ENOTFOUND: 'There is no such site.',
    EAI_AGAIN: 'The name of the site could not be looked up.',
    ECONNREFUSED: 'The site does not answer.',
    ECONNRESET: 'The site closed the connection.',
  }),
);

/** Maps an error to one for the model, which may try another page. */
function inWords(error: NodeJS.ErrnoException, signal: AbortSignal): Error {
  if (error.name === 'TellModel') return error;
  if (error.name === 'NotPublic') return new TellModel(notPublic, { cause: error });
  if (signal.aborted) return new TellModel('The page took too long.', { cause: error });
  return new TellModel(words.get(error.code ?? '') ?? 'The page could not be fetched.', { cause: error });
}
