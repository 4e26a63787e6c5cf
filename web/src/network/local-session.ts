import { RequestFailed } from 'vigil-client';
import { problemOf } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { firstPeople, keepPeople, keptPeople, type People, type Person } from '../people/people';
import { localCloud } from './local-cloud';
import { claimsIn, type Session } from './session';

const place = 'vigil.user';

/**
 * A session on a laptop, without passwords: the local issuer signs a token for anybody.
 *
 * @param named the person whom the page's address names. Without one, the browser remembers who was chosen.
 * @throws Error if this browser has no such person.
 */
export function localSession(named?: string): Session {
  const wanted = named ?? localStorage.getItem(place);
  const person = keptPeople().find(({ name }) => name === wanted) ?? (named === undefined ? firstPeople[0] : undefined);
  if (!person)
    throw new Error(
      t('This browser has no person {name}. Add them in the user’s menu, at the address /.', { name: named }),
    );
  let token = '';
  let renewal: Promise<void> | undefined;

  /** Parallel requests share one renewal. */
  function renew(): Promise<void> {
    renewal ??= fetchToken(person!)
      .then((fetched) => {
        token = fetched;
      })
      .finally(() => {
        renewal = undefined;
      });
    return renewal;
  }

  return {
    user: person.name,
    apiUrl: '',
    renew,
    async token() {
      if (!token) await renew();
      return token;
    },
    ...(named === undefined && { people: people(person.name) }),
  };
}

async function fetchToken({ name, groups, claims }: Person): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ user: name, groups, claims });
  const response = await fetch('/_local/token', { method: 'POST', headers, body }).catch(() => {
    throw new RequestFailed(0, t('Vigil does not respond. Is `npm start` still running?'));
  });
  if (!response.ok) throw await problemOf(response);
  return ((await response.json()) as { token: string }).token;
}

function people(current: string): People {
  function become(name: string): void {
    localStorage.setItem(place, name);
    // Reloads the page, because everything that it holds belongs to the previous person.
    location.assign('/');
  }
  return {
    list: keptPeople,
    withIds: () =>
      Promise.all(
        keptPeople().map(async (person) => ({ ...person, user: String(claimsIn(await fetchToken(person)).sub) })),
      ),
    async add(person) {
      // The local cloud says what names, groups and claims may be.
      await fetchToken(person);
      keepPeople([...keptPeople(), person]);
    },
    remove(name) {
      keepPeople(keptPeople().filter((one) => one.name !== name));
      if (name === current) become(firstPeople[0]!.name);
    },
    become,
    approvers: async () => (await localCloud().health()).approvers,
  };
}
