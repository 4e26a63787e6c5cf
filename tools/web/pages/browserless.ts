import { TellModel, ToolFailed } from '../../../core/text/errors';
import { type Page, readAtMost } from './page-body';
import { inside, isPublicAddress, notPublic, refusalOf } from './public-address';

export interface Browserless {
  /** '' or nothing is Browserless's own. */
  baseUrl?: string;
  token: string;
}

const ownUrl = 'https://production-sfo.browserless.io';
/** What the browser may take, and what we wait for its answer. */
const navigationTimeoutMs = 20_000;
const timeoutMs = 30_000;

/**
 * Fetches a page through Browserless: a browser elsewhere opens it, runs its scripts and gives its HTML. The browser resolves
 * names in its own network; we judge the address before, and where it ended after, by the headers that tell of it. What its scripts ask
 * for, we see nothing of: requests to an address that is nobody's are refused there by how they are written, and a name may still lead
 * inside. So a browser of one's own belongs into a network that has no inside.
 *
 * @throws TellModel for what is wrong with the page, ToolFailed when Browserless is out of order.
 */
export async function fetchByBrowserless(address: string, { baseUrl, token }: Browserless): Promise<Page> {
  const refusal = refusalOf(address);
  if (refusal) throw new TellModel(refusal);
  // Its address holds the token: no error of this request may leave with more than our own words.
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
    throw new ToolFailed(`Browserless, which opens pages for us, answered with status ${response.status}.`);
  }
  if (response.status === 401 || response.status === 403) {
    throw new TellModel('Pages cannot be read now: Browserless refuses our token.');
  }
  if (response.status !== 200) throw new TellModel(`The page could not be opened (status ${response.status}).`);
  assertPublicEnd(response.headers);
  const status = Number(response.headers.get('x-response-code') ?? 200);
  if (status !== 200) throw new TellModel(`The page answered with status ${status}.`);
  const html = response.body ? await readAtMost(response.body).catch(unreachable) : Buffer.alloc(0);
  const { href } = new URL(response.headers.get('x-response-url') ?? address);
  return { url: href, type: 'text/html', text: html.toString() };
}

/** The page may have sent the browser elsewhere: what it found there is not handed on if it is somebody's inside. */
function assertPublicEnd(headers: Headers): void {
  const url = headers.get('x-response-url');
  const ip = headers.get('x-response-ip')?.replace(/^\[(.*)\]$/, '$1');
  if ((url && refusalOf(url)) || (ip && !isPublicAddress(ip))) {
    throw new TellModel(`The page leads elsewhere. ${notPublic}`);
  }
}

function unreachable(error: Error): never {
  if (error.name === 'TellModel') throw error;
  const reason = error.name === 'TimeoutError' ? 'took too long' : 'could not be reached';
  throw new ToolFailed(`Browserless, which opens pages for us, ${reason}.`);
}
