import { RequestFailed } from 'vigil-client';
import { problemOf } from 'vigil-client/shared';
import type { Session } from './session';

const users = ['ada', 'grace'] as const;
const place = 'vigil.user';

/** A session on a laptop, without passwords: the local issuer signs a token for any user. */
export function localSession(): Session {
  const user = users.find((one) => one === localStorage.getItem(place)) ?? users[0];
  let token = '';
  let renewal: Promise<void> | undefined;

  /** Parallel requests share one renewal. */
  function renew(): Promise<void> {
    renewal ??= fetchToken().finally(() => {
      renewal = undefined;
    });
    return renewal;
  }

  async function fetchToken(): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const request = fetch('/_local/token', { method: 'POST', headers, body: JSON.stringify({ user }) });
    const response = await request.catch(() => {
      throw new RequestFailed(0, 'Vigil does not respond. Is `npm start` still running?');
    });
    if (!response.ok) throw await problemOf(response);
    ({ token } = (await response.json()) as { token: string });
  }

  return {
    user,
    apiUrl: '',
    renew,
    async token() {
      if (!token) await renew();
      return token;
    },
    others: {
      users,
      become(other) {
        localStorage.setItem(place, other);
        // Reloads the page, because everything that it holds belongs to the previous user.
        location.assign('/');
      },
    },
  };
}
