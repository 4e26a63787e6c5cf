/** The part of the API's conversation that the demo reads; `/openapi.json` describes all of it. */
export interface Conversation {
  id: string;
  /** Its `usage` lacks the call that names the conversation, which is made beside the end of the run. */
  run?: { id: string; status: string; until?: string; reason?: string; usage: Usage };
  messages: { seq: number; role: string; author: string; text: string; status: string; createdAt: string }[];
  calls: { id: string; tool: string; result?: unknown; error?: string; completedAt?: string }[];
}

interface Usage {
  modelCalls: number;
  toolCalls: number;
  inputTokens: number;
  outputTokens: number;
}

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

const requestLimitMs = 20_000;

export async function openApi(url: string, user: string): Promise<DemoApi> {
  const send = (method: string, path: string, body?: object) =>
    fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(requestLimitMs),
      ...(body && { body: JSON.stringify(body) }),
    });
  const read = async <T>(response: Response): Promise<T> => {
    const answer = (await response.json().catch(() => ({}))) as T & { detail?: string };
    if (!response.ok)
      throw new Error(`${new URL(response.url).pathname}: ${response.status} ${answer.detail ?? ''}`.trim());
    return answer;
  };
  const signIn = async () => {
    ({ token } = await read<{ token: string }>(await send('POST', '/_local/token', { user })));
  };
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await send(method, path, body);
    if (response.status !== 401) return read<T>(response);
    // The token expired when the clock was moved.
    await signIn();
    return read<T>(await send(method, path, body));
  };
  let token = '';
  await signIn();
  const now = async () => new Date((await call<{ now: string }>('GET', '/_local/clock')).now);
  return {
    start: (text) => call('POST', '/conversations', { agent: 'reminder', text }),
    read: (id) => call('GET', `/conversations/${id}`),
    async moveClock(to) {
      if (new Date(to) > (await now())) await call('POST', '/_local/clock', { to });
    },
    now,
  };
}
