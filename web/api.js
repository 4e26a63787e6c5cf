/**
 * All of the page's network. The token is asked for when it is first needed and again when it has run out, which the moved
 * clock makes happen often.
 *
 * @typedef {{seq: number, role: string, author: string, text: string, status: string, runId?: string, step?: number, callId?: string, clientMessageId?: string, createdAt: string}} Message
 * @typedef {{id: string, runId: string, step: number, index: number, tool: string, arguments: unknown, status: string, attempts: number, result?: unknown, error?: string, until?: string, createdAt: string, startedAt?: string, completedAt?: string}} Call
 * @typedef {{id: string, status: string, step: number, reason?: string, until?: string}} Run
 * @typedef {{id: string, title: string, agent: string, status: string, until?: string}} Summary
 * @typedef {Summary & {run?: Run, messages: Message[], calls: Call[], usage: {modelCalls: number, toolCalls: number, inputTokens: number, outputTokens: number}}} Conversation
 */

/** What the API said no to, in words for people. `status` 0: it did not answer at all. */
export class ApiError extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

const silenceMs = 20_000;

/** @param {string} user */
export function openApi(user) {
  let token = '';

  /** @param {string} method @param {string} path @param {object} [body] */
  const send = async (method, path, body) => {
    try {
      return await fetch(path, {
        method,
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        signal: AbortSignal.timeout(silenceMs),
        ...(body && { body: JSON.stringify(body) }),
      });
    } catch {
      throw new ApiError(
        'Vigil does not answer. Is it still running in its terminal? This page tries again by itself.',
        0,
      );
    }
  };

  /** @param {Response} response */
  const read = async (response) => {
    const answer = await response.json().catch(() => ({}));
    if (response.ok) return answer;
    throw new ApiError(answer.detail ?? answer.message ?? `The server answered ${response.status}.`, response.status);
  };

  const signIn = async () => {
    ({ token } = await read(await send('POST', '/_local/token', { user })));
  };

  /** @param {string} method @param {string} path @param {object} [body] */
  const call = async (method, path, body) => {
    if (!token) await signIn();
    const response = await send(method, path, body);
    if (response.status !== 401) return read(response);
    await signIn();
    return read(await send(method, path, body));
  };

  return {
    user,
    /** @returns {Promise<{model?: string}>} */
    health: async () => read(await send('GET', '/_local/health')),
    /** @returns {Promise<{now: string, offset: number}>} */
    clock: async () => read(await send('GET', '/_local/clock')),
    /** @param {{advance: string} | {to: string}} move @returns {Promise<{now: string, offset: number}>} */
    moveClock: async (move) => read(await send('POST', '/_local/clock', move)),
    /** @returns {Promise<{conversations: Summary[], cursor?: string}>} */
    list: () => call('GET', '/conversations'),
    /** @param {string} id @param {number} after @returns {Promise<Conversation>} */
    read: (id, after) => call('GET', `/conversations/${encodeURIComponent(id)}?after=${after}`),
    /** The id is the page's own: sent twice, it is the same conversation. @param {{id: string, agent: string, text: string, clientMessageId: string}} body */
    start: (body) => call('POST', '/conversations', body),
    /** @param {string} id @param {{text: string, clientMessageId: string}} body */
    say: (id, body) => call('POST', `/conversations/${encodeURIComponent(id)}/messages`, body),
  };
}
