import { retryAfter } from 'vigil-client/shared';
import { TellModel, ToolFailed } from '../../../core/base/text/errors';
import { inside, isPublicAddress, notPublic, refusalOf } from '../../../runtime/outgoing/public-address';
import { type Page, readAtMost } from './page-body';

export interface Browserless {
  /** Browserless's own server if empty or absent. */
  baseUrl?: string;
  token: string;
}

const ownUrl = 'https://production-sfo.browserless.io';
/** The time limits for the browser, and for the whole request. */
const navigationTimeoutMs = 20_000;
const timeoutMs = 30_000;

/**
 * Fetches a page through Browserless: a remote browser opens it, runs its scripts and returns its HTML.
 *
 * - The browser resolves names in its own network. The requested address is checked before, and the final one afterwards, by the
 *   response headers.
 * - Vigil does not see the requests of the page's scripts. The browser rejects those to non-public addresses as they are written, but a
 *   name may still resolve to one. So run a self-hosted browser in a network without internal services.
 *
 * @throws TellModel if there is a problem with the page.
 * @throws ToolFailed if Browserless is down.
 * @example
 * ```ts
 * import { fetchByBrowserless } from 'vigil/tools/web/pages/browserless';
 *
 * const browser = { baseUrl: process.env.BROWSERLESS_BASE_URL, token: 'key' };
 * await fetchByBrowserless('http://169.254.169.254/latest/meta-data', browser); // throws public
 * ```
 */
export async function fetchByBrowserless(address: string, { baseUrl, token }: Browserless): Promise<Page> {
  const refusal = refusalOf(address);
  if (refusal) throw new TellModel(refusal);
  // The request's address contains the token, so no error of it may be passed on.
  const response = await fetch(`${baseUrl || ownUrl}/content?token=${encodeURIComponent(token)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      url: address,
      gotoOptions: { timeout: navigationTimeoutMs },
      rejectRequestPattern: inside,
    }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(unreachable);
  if (response.status === 429 || response.status >= 500) {
    const notBefore = retryAfter(response.headers, new Date());
    throw new ToolFailed(`Browserless, which opens the pages, answered with status ${response.status}.`, { notBefore });
  }
  if (response.status === 401 || response.status === 403) {
    throw new TellModel('Pages cannot be read now: Browserless refuses the token.');
  }
  if (response.status !== 200) throw new TellModel(`The page could not be opened (status ${response.status}).`);
  const url = endOf(response.headers, address);
  const html = response.body ? await readAtMost(response.body).catch(unreachable) : Buffer.alloc(0);
  return { url, type: 'text/html', text: html.toString() };
}

/**
 * Returns where the browser ended, by the headers of Browserless: the requested address if it does not say.
 *
 * @throws TellModel if the page has redirected the browser to an address that is not public or is none, or has answered with an error.
 * @example
 * ```ts
 * import { endOf } from 'vigil/tools/web/pages/browserless';
 *
 * const ended = (url: string) => new Headers({ 'x-response-url': url, 'x-response-code': '200' });
 * endOf(ended('https://museum.example/en'), 'https://museum.example'); // → 'https://museum.example/en'
 * endOf(ended('http://10.0.0.1/'), 'https://museum.example'); // throws The page redirects elsewhere.
 * ```
 */
export function endOf(headers: Headers, address: string): string {
  const url = headers.get('x-response-url') || address;
  const ip = headers.get('x-response-ip')?.replace(/^\[(.*)\]$/, '$1');
  if (refusalOf(url) || (ip && !isPublicAddress(ip))) throw new TellModel(`The page redirects elsewhere. ${notPublic}`);
  const status = headers.get('x-response-code') || '200';
  if (status !== '200')
    throw new TellModel(`The page answered with ${/^\d{3}$/.test(status) ? `status ${status}` : 'an error'}.`);
  return new URL(url).href;
}

function unreachable(error: Error): never {
  if (error.name === 'TellModel') throw error;
  const reason = error.name === 'TimeoutError' ? 'took too long' : 'could not be reached';
  throw new ToolFailed(`Browserless, which opens the pages, ${reason}.`);
}
