/** Lambda's limit of a response is 6 MB. */
const mostBytes = 5_000_000;

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A server has sent more than Vigil reads. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
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
    return body ? new Response(read(body), { status, statusText, headers }) : response;
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
