import { lookup as lookUp } from 'node:dns/promises';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { TellModel } from '../../../core/text/errors';
import { assertReadable, type Page, pageFrom } from './page-body';
import { isPublicAddress, notPublic, refusalOf } from './public-address';

export interface Address {
  address: string;
  family: number;
}

/** The network, which tests replace. */
export interface Network {
  resolve(hostname: string): Promise<Address[]>;
  /** Node's own by default, which connects to the addresses of `lookup`. */
  connect?: http.Agent['createConnection'];
}

const network: Network = { resolve: (hostname) => lookUp(hostname, { all: true, verbatim: true }) };
const maxRedirects = 5;
/** For all redirects and the whole body. */
const defaultTimeoutMs = 20_000;

/**
 * Fetches a page of the public internet only. At each redirect, it checks the address as it is written, then every IP address that its
 * name resolves to. The name is resolved once, and the connection uses the checked addresses, so DNS rebinding has no effect.
 *
 * @throws TellModel if there is a problem with the page, its server or its address.
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
      const lookup = await checkedLookup(new URL(url), resolve, signal);
      const response = await answerOf(new URL(url), { lookup, signal }, connect);
      const { statusCode = 0, headers } = response;
      if (statusCode >= 300 && statusCode < 400 && headers.location) {
        response.destroy();
        url = URL.canParse(headers.location, url) ? new URL(headers.location, url).href : headers.location;
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

/** Resolves the name once. @returns a lookup function for the socket, which returns the checked addresses. */
async function checkedLookup(
  { hostname }: URL,
  resolve: Network['resolve'],
  signal: AbortSignal,
): Promise<LookupFunction> {
  const literal = isIP(hostname.replace(/^\[(.*)\]$/, '$1'));
  const addresses = literal ? [] : await Promise.race([resolve(hostname), aborted(signal)]);
  // A single non-public address is enough, because the order of attempts is unknown.
  if (!addresses.every(({ address }) => isPublicAddress(address))) throw new TellModel(notPublic);
  const [first] = addresses;
  if (!literal && !first) throw new TellModel('There is no such site.');
  return (_hostname, options, callback) =>
    options.all ? callback(null, addresses) : callback(null, first!.address, first!.family);
}

function answerOf(url: URL, options: http.RequestOptions, connect: Network['connect']): Promise<http.IncomingMessage> {
  const { request, Agent } = url.protocol === 'https:' ? https : http;
  // A separate connection, because a kept-alive one was opened with another request's lookup.
  const agent = Object.assign(new Agent({ keepAlive: false }), connect && { createConnection: connect });
  const headers = {
    'user-agent': 'Mozilla/5.0 (compatible; Vigil)',
    accept: 'text/html,application/xhtml+xml,text/*;q=0.9,application/json;q=0.8,application/xml;q=0.8',
    'accept-encoding': 'gzip, deflate, br',
    'accept-language': 'en;q=1,*;q=0.5',
  };
  return new Promise((resolve, reject) => {
    request(url, { agent, headers, ...options })
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

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

const words: Record<string, string> = {
  ENOTFOUND: 'There is no such site.',
  EAI_AGAIN: 'The name of the site could not be looked up.',
  ECONNREFUSED: 'The site does not answer.',
  ECONNRESET: 'The site closed the connection.',
};

/** Maps an error to one for the model, which may try another page. */
function inWords(error: NodeJS.ErrnoException, signal: AbortSignal): Error {
  if (error.name === 'TellModel') return error;
  if (signal.aborted) return new TellModel('The page took too long.', { cause: error });
  return new TellModel(words[error.code ?? ''] ?? 'The page could not be fetched.', { cause: error });
}
