import { RequestFailed, secondsAskedFor } from './problem';
import { type ServerClock, serverClock } from './server-clock';

export interface HttpOptions {
  /** The address of the API; '' in a page that has the same origin. */
  url: string;
  /**
   * Returns an access token. It is asked for one before each request, so keep the token until it expires. `expired`: the
   * API has refused the last one, so return another one. Requests at the same time share one such renewal.
   */
  token(asked: { expired: boolean }): Promise<string> | string;
  /** After so many milliseconds, a request has failed. 20 seconds by default. */
  timeoutMs?: number;
  /** Learns the server's time from its answers. */
  clock?: ServerClock;
}

export interface Answer {
  status: number;
  type: string | null;
  text: string;
  /** For a request that is refused now: after how many seconds to repeat it, if the server says so. */
  retryAfterSeconds?: number;
}

/** Sends a request with the user's token. @throws RequestFailed without a response, and the signal's reason after an abort. */
export type Request = (
  method: string,
  path: string,
  /** A text is sent as it is, everything else as JSON. */
  body?: unknown,
  signal?: AbortSignal,
  headers?: Record<string, string>,
) => Promise<Answer>;

export function openHttp({ url, token, timeoutMs = 20_000, clock = serverClock() }: HttpOptions): Request {
  const address = url.replace(/\/$/, '');
  let renewal: Promise<string> | undefined;

  function renew(): Promise<string> {
    renewal ??= Promise.resolve(token({ expired: true })).finally(() => {
      renewal = undefined;
    });
    return renewal;
  }

  async function send(bearer: string, ...[method, path, body, signal, headers]: Parameters<Request>): Promise<Answer> {
    // React Native has no `AbortSignal.timeout` and no `AbortSignal.any`.
    const stop = new AbortController();
    const abort = () => stop.abort();
    const askedAt = Date.now();
    const late = setTimeout(abort, timeoutMs);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    try {
      const response = await fetch(address + path, {
        method,
        headers: {
          authorization: `Bearer ${bearer}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        signal: stop.signal,
        // It may be the last request of a page that is being left: a deletion or a decision.
        keepalive: method === 'DELETE' || path.includes('/callbacks/'),
        body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
      });
      const { status, headers: given } = response;
      clock.heard(given.get('date'), askedAt);
      const retryAfterSeconds = secondsAskedFor(given, clock.now());
      return { status, type: given.get('content-type'), text: await response.text(), retryAfterSeconds };
    } catch (error) {
      if (signal?.aborted) throw signal.reason ?? error;
      throw new RequestFailed(0, 'Vigil does not respond.');
    } finally {
      clearTimeout(late);
      signal?.removeEventListener('abort', abort);
    }
  }

  return async (...request) => {
    const bearer = await token({ expired: false });
    const answer = await send(bearer, ...request);
    if (answer.status !== 401) return answer;
    // Tokens expire, sooner if the clock is moved. Another request may have renewed this one meanwhile.
    const current = await token({ expired: false });
    return send(current === bearer ? await renew() : current, ...request);
  };
}
