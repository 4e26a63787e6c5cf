import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { refusalOf } from '../../runtime/outgoing/public-address';
import { type Network, publicLookup, requestTo } from '../../runtime/outgoing/public-lookup';

// A client may have an address instead of an id, where a document says what it is (OAuth Client ID Metadata Document). Anybody may name any
// address, so it is fetched as a stranger's: from the public internet, without redirects, and only so much.

const mostAddressCharacters = 1_000;
const mostBytes = 20_000;
const timeoutMs = 5_000;

const Document = z.looseObject({
  client_id: z.string(),
  redirect_uris: z.array(z.string()).min(1),
  // A secret that everybody can read is none, and a key is not checked here.
  token_endpoint_auth_method: z.literal('none').optional(),
  client_secret: z.undefined().optional(),
});

/** Whether a client's id is an address that may have a document: of https, with a path, and written in one way only. */
export function isDocumentAddress(id: string): boolean {
  if (id.length > mostAddressCharacters || !id.startsWith('https://') || refusalOf(id) !== undefined) return false;
  const { href, pathname, hash } = new URL(id);
  return href === id && pathname !== '/' && hash === '' && !id.endsWith('#');
}

/**
 * Reads the document at a client's address.
 *
 * @returns the addresses to which the client returns; undefined if there is no such document, or it is another client's.
 */
export async function redirectsOf(address: string, { resolve, connect }: Network): Promise<string[] | undefined> {
  if (!isDocumentAddress(address)) return undefined;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const url = new URL(address);
    const lookup = await publicLookup(url, resolve, signal);
    const document = Document.parse(JSON.parse(await bodyOf(url, { lookup, signal }, connect)));
    return document.client_id === address ? document.redirect_uris : undefined;
  } catch {
    return undefined;
  }
}

function bodyOf(url: URL, options: Parameters<typeof requestTo>[1], connect: Network['connect']): Promise<string> {
  const headers = { accept: 'application/json', 'user-agent': 'Vigil' };
  return new Promise((resolve, reject) => {
    requestTo(url, { headers, ...options }, connect)
      .once('response', (response) => {
        if (response.statusCode === 200) return resolve(text(Readable.from(limited(response))));
        response.destroy();
        reject(new Error(`status ${response.statusCode}`));
      })
      .once('error', reject)
      // Node destroys nothing of it by itself, and there is no response then.
      .once('upgrade', (_response, socket) => {
        socket.destroy();
        reject(new Error('upgrade'));
      })
      .end();
  });
}

async function* limited(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = mostBytes;
  for await (const chunk of body) {
    left -= chunk.length;
    if (left < 0) throw new Error('too long');
    yield chunk;
  }
}
