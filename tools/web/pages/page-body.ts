import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { TellModel } from '../../../core/base/text/errors';

/** A fetched page, before its text is extracted. */
export interface Page {
  /** The address after all redirects. */
  url: string;
  /** The media type without parameters, such as `text/html`. */
  type: string;
  text: string;
}

/** The limit before and after decompression. */
export const maxPageBytes = 4_000_000;

const readable = /^(?:text\/[\w.+-]+|application\/(?:[\w.-]+\+)?(?:xml|json))$/;
const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Checks the status and the media type of a response before its body is read.
 *
 * @throws TellModel if the response is not a page with text.
 * @example
 * ```ts
 * import { assertReadable } from 'vigil/tools/web/pages/page-body';
 *
 * assertReadable(200, 'text/html; charset=utf-8'); // → undefined
 * assertReadable(404, 'text/html'); // throws The page answered with status 404.
 * assertReadable(200, 'image/png'); // throws There is no text to read: the page is of type image/png.
 * ```
 */
export function assertReadable(status: number, contentType: string | undefined): void {
  if (status !== 200) throw new TellModel(`The page answered with status ${status}.`);
  const type = mediaType(contentType);
  if (!readable.test(type)) throw new TellModel(`There is no text to read: the page is of type ${type}.`);
}

/**
 * Reads a response to its end, decompresses and decodes it. `url` is the address after all redirects.
 *
 * @throws TellModel if the body is too long or has an unknown encoding.
 * @example
 * ```ts
 * import { createServer, get, type IncomingMessage } from 'node:http';
 * import { pageFrom } from 'vigil/tools/web/pages/page-body';
 *
 * const server = createServer((_, response) => response.end('<p>Closed on Mondays.</p>')).listen(0, '127.0.0.1');
 * await new Promise((resolve) => server.once('listening', resolve));
 * const { port } = server.address() as { port: number };
 * const response = await new Promise<IncomingMessage>((resolve) => get({ host: '127.0.0.1', port, agent: false }, resolve));
 * const { type, text } = await pageFrom(response, 'https://museum.example/');
 * [type, text]; // → ['text/html', '<p>Closed on Mondays.</p>']
 * server.close();
 * ```
 */
export async function pageFrom(response: IncomingMessage, url: string): Promise<Page> {
  const contentType = response.headers['content-type'];
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const bytes = encoding === 'identity' ? response : unpacked(response, encoding);
  return { url, type: mediaType(contentType), text: decoded(await readAtMost(bytes), contentType) };
}

/** A few bytes can decompress to gigabytes. The compressed bytes are counted here, the decompressed ones by `readAtMost`. */
function unpacked(response: Readable, encoding: string): Readable {
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (!decoder) throw new TellModel('The page has an unknown content encoding.');
  // The pipeline ends the last stream with the error, so the reader receives it.
  return pipeline(response, counted, decoder(), () => undefined);
}

/**
 * Reads a stream of at most 4 MB (`maxPageBytes`).
 *
 * @throws TellModel as soon as it exceeds the limit, and ends the stream.
 * @example
 * ```ts
 * import { readAtMost } from 'vigil/tools/web/pages/page-body';
 *
 * const { body } = new Response('Closed on Mondays.');
 * (await readAtMost(body!)).toString(); // → 'Closed on Mondays.'
 * await readAtMost(new Response('x'.repeat(4_000_001)).body!); // throws The page is larger than 4 MB.
 * ```
 */
export async function readAtMost(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of counted(stream)) parts.push(part);
  return Buffer.concat(parts);
}

async function* counted(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    if (size > maxPageBytes) throw new TellModel(`The page is larger than ${maxPageBytes / 1_000_000} MB.`);
    yield part;
  }
}

const mediaType = (contentType = 'text/html'): string => contentType.split(';')[0]!.trim().toLowerCase();

/** Decodes the text by the charset of the header, or of the page itself, or as UTF-8. */
function decoded(bytes: Buffer, contentType = ''): string {
  const head = bytes.subarray(0, 1_024).toString('latin1');
  const [, named] = /charset=["']?([\w-]+)/i.exec(contentType) ?? /<meta[^>]+charset=["']?([\w-]+)/i.exec(head) ?? [];
  try {
    return new TextDecoder(named ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
