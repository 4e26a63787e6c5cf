import { secretOf } from './auth';
import type { Fetch } from './limited-fetch';
import type { McpServer } from './server';
import { tokenKey } from './token-key';

/** The key that identifies the server's function to the server. */
export interface Key {
  /**
   * @param ask for a key that is asked for over HTTP. It ends with the session.
   * @throws ConfigurationError, ToolFailed
   */
  get(ask: Fetch): Promise<string>;
  /** Gets the key again at the next call. */
  forget(): void;
}

/** @param secret returns the stored secret with this name. */
export function keyFor(server: McpServer, secret: (name: string) => Key): Key | undefined {
  const { auth } = server;
  if (!auth) return undefined;
  const stored = secret(secretOf(auth));
  return 'oauth' in auth ? tokenKey(server, auth.oauth, stored) : stored;
}

/**
 * Sends each request with the key. A server that answers 401 has not acted on the request, so it is sent once more if there is another key
 * by now: a new token, or a secret that has been replaced.
 */
export function withKey(ask: Fetch, key: Key): Fetch {
  let isRenewed = false;
  const send = (url: string | URL, init: RequestInit, value: string) => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${value}`);
    return ask(url, { ...init, headers });
  };
  return async (url, init = {}) => {
    const value = await key.get(ask);
    const response = await send(url, init, value);
    if (response.status !== 401 || isRenewed) return response;
    isRenewed = true;
    key.forget();
    const renewed = await key.get(ask);
    if (renewed === value) return response;
    await response.body?.cancel();
    return send(url, init, renewed);
  };
}
