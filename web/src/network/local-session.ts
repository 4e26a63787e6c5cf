import { problemOf, RequestFailed } from './problem';
import type { Session } from './session';

const users = ['ada', 'grace'] as const;
const place = 'vigil.user';

/** On a laptop there are no passwords: the local issuer signs a token for whoever is named. */
export function localSession(): Session {
  const user = users.find((one) => one === localStorage.getItem(place)) ?? users[0];
  let token = '';
  let renewal: Promise<void> | undefined;

  /** The page asks for several things at once, and one token is enough for all of them. */
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
      throw new RequestFailed(0, 'Vigil does not answer. Is `npm start` still running?');
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
        // All that the page knows is the other one's.
        location.assign('/');
      },
    },
  };
}
