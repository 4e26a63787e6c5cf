import { type Conversation, createClient } from 'vigil-client';

/** The API and the clock, as the page uses them. */
export interface DemoApi {
  start(text: string): Promise<Conversation>;
  read(conversationId: string): Promise<Conversation>;
  /**
   * @param to ISO 8601 UTC. A time in the past leaves the clock unchanged.
   */
  moveClock(to: string): Promise<void>;
  now(): Promise<Date>;
}

export async function openApi(url: string, user: string): Promise<DemoApi> {
  const post = (path: string, body: object) =>
    fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const signIn = async () => ((await (await post('/_local/token', { user })).json()) as { token: string }).token;
  let token = await signIn();
  const { api, request } = createClient({
    url,
    async token({ expired }) {
      // It expires when the clock is moved.
      if (expired) token = await signIn();
      return token;
    },
  });
  const now = async () => new Date((JSON.parse((await request('GET', '/_local/clock')).text) as { now: string }).now);
  return {
    start: (text) => api.start({ agent: 'reminder', text }),
    read: (id) => api.read(id, 0),
    async moveClock(to) {
      if (new Date(to) > (await now())) await post('/_local/clock', { to });
    },
    now,
  };
}
