import { withTextNumbers } from '../../core/base/json/foreign-json';

/** Lambda's limit of a response is 6 MB. */
const mostBytes = 5_000_000;

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A server has sent more than Vigil reads. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** Keeps the digits of numbers that JSON.parse would change, before the SDK parses: line by line, because no text of JSON has a line break. */
function withDigits(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let line = '';
  const lines = new TransformStream<string, string>({
    transform(piece, stream) {
      line += piece;
      const end = Math.max(line.lastIndexOf('\n'), line.lastIndexOf('\r')) + 1;
      if (end === 0) return;
      stream.enqueue(line.slice(0, end).replace(/[^\r\n]+/g, withTextNumbers));
      line = line.slice(end);
    },
    flush: (stream) => stream.enqueue(withTextNumbers(line)),
  });
  return body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(lines)
    .pipeThrough(new TextEncoderStream());
}

/**
 * Returns a `fetch` for one session. It limits what servers send in all, and follows no redirect: the SDK does so within an origin only.
 *
 * @param tooMuch is aborted by the byte that is one too many.
 */
export function limitedFetch(tooMuch: AbortController) {
  let left = mostBytes;
  let last: Promise<unknown> = Promise.resolve();
  const read = (body: ReadableStream<Uint8Array>) =>
    body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, stream) {
          left -= chunk.byteLength;
          if (left >= 0) return stream.enqueue(chunk);
          const error = new TooLarge(`The answer has more than ${mostBytes} bytes.`);
          tooMuch.abort(error);
          stream.error(error);
        },
      }),
    );
  const request: Fetch = async (url, init = {}) => {
    const response = await fetch(url, { ...init, redirect: 'manual' });
    const { status, statusText, headers, body } = response;
    return body ? new Response(withDigits(read(body)), { status, statusText, headers }) : response;
  };
  return {
    fetch: ((url, init) => {
      const response = request(url, init);
      last = response.catch(() => undefined);
      return response;
    }) satisfies Fetch,
    /** Settles with the latest request. */
    last: () => last,
  };
}
