import { lookup as lookUp } from 'node:dns/promises';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address';

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

export const network: Network = { resolve: (hostname) => lookUp(hostname, { all: true, verbatim: true }) };

/** The name resolves to an address that is not on the public internet. Nothing was connected to. */
class NotPublic extends Error {
  override readonly name = 'NotPublic';
}

/**
 * Resolves the name of a URL once. The address as it is written must have been checked before (`refusalOf`).
 *
 * @returns a lookup function for the socket, which returns the checked addresses, so DNS rebinding has no effect.
 * @throws NotPublic if any of its addresses is not public.
 */
export async function publicLookup(
  { hostname }: URL,
  resolve: Network['resolve'],
  signal: AbortSignal,
): Promise<LookupFunction> {
  const literal = isIP(hostname.replace(/^\[(.*)\]$/, '$1'));
  const addresses = literal ? [] : await Promise.race([resolve(hostname), aborted(signal)]);
  // A single non-public address is enough, because the order of attempts is unknown.
  if (!addresses.every(({ address }) => isPublicAddress(address))) throw new NotPublic('The address is not public.');
  const [first] = addresses;
  if (!literal && !first) throw Object.assign(new Error('There is no such host.'), { code: 'ENOTFOUND' });
  return (_hostname, options, callback) =>
    options.all ? callback(null, addresses) : callback(null, first!.address, first!.family);
}

/** Begins a request whose connection goes to the addresses of `options.lookup`. */
export function requestTo(url: URL, options: http.RequestOptions, connect: Network['connect']): http.ClientRequest {
  const { request, Agent } = url.protocol === 'https:' ? https : http;
  // A separate connection, because a kept-alive one was opened with another request's lookup.
  const agent = Object.assign(new Agent({ keepAlive: false }), connect && { createConnection: connect });
  return request(url, { agent, ...options });
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
