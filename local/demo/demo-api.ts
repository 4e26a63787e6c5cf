import { type Conversation, createClient } from 'vigil-client';
import { problemOf } from 'vigil-client/shared';

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
  const ask = async <Answered>(path: string, body?: object): Promise<Answered> => {
    const given = body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const answer = await fetch(url + path, { ...given, signal: AbortSignal.timeout(20_000) });
    if (!answer.ok) throw await problemOf(answer);
    return (await answer.json()) as Answered;
  };
  const signIn = async () => (await ask<{ token: string }>('/_local/token', { user })).token;
  let token = await signIn();
  const { api } = createClient({
    url,
    async token({ expired }) {
      // It expires when the clock is moved.
      if (expired) token = await signIn();
      return token;
    },
  });
  const now = async () => new Date((await ask<{ now: string }>('/_local/clock')).now);
  return {
    start: (text) => api.start({ agent: 'reminder', text }),
    read: (id) => api.read(id, 0),
    async moveClock(to) {
      if (new Date(to) > (await now())) await ask('/_local/clock', { to, jump: true });
    },
    now,
  };
}
