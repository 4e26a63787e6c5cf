import { setTimeout as sleep } from 'node:timers/promises';
import type { Callback, Conversation, ConversationPage, Message, Problem } from './api-types';

/** A signed-in user of the public API. */
export interface User {
  start(agent: string, text?: string, id?: string): Promise<Conversation>;
  say(id: string, text: string, clientMessageId?: string): Promise<Message>;
  read(id: string, after?: number): Promise<Conversation>;
  /** Answers a question, or decides on an approval. */
  answer(id: string, callbackId: string, body: object): Promise<Callback>;
  cancel(id: string): Promise<Conversation>;
  list(cursor?: string): Promise<ConversationPage>;
  /** Reads until the condition holds. @throws with the last state, after a minute and a half. */
  until(id: string, holds: (conversation: Conversation) => boolean, patienceMs?: number): Promise<Conversation>;
  /** Reads until the run is at rest: done, failed, limited or cancelled. */
  finished(id: string): Promise<Conversation>;
  asleep(id: string): Promise<Conversation>;
  /** Reads until the run waits for a callback. */
  waiting(id: string): Promise<Conversation>;
  /** Sends any request and returns the response unchanged. */
  request(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; type: string | null; body: unknown }>;
}

/** Long, so that a busy machine causes no failure. */
const defaultPatienceMs = 90_000;
/** Reads at this interval without writes, because some things happen by the clock alone. */
const lookAgainMs = 250;
/** Long runs have long conversations, which are expensive to read. */
const longLookMs = 2_000;

export async function signIn(url: string, user: string, groups?: string[]): Promise<User> {
  let token = await tokenFor(url, user, groups);

  async function request(method: string, path: string, body?: unknown) {
    const send = () =>
      fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
      });
    let answer = await send();
    if (answer.status === 401) {
      // The token expired when the clock was moved.
      token = await tokenFor(url, user, groups);
      answer = await send();
    }
    const text = await answer.text();
    const type = answer.headers.get('content-type');
    return { status: answer.status, type, body: type?.includes('json') ? JSON.parse(text) : text };
  }

  async function ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await request(method, path, body);
    if (answer.status >= 400) throw new ApiError(answer.body as Problem);
    return answer.body as Answer;
  }

  const read = (id: string, after = 0) => ask<Conversation>('GET', `/conversations/${id}?after=${after}`);
  async function until(
    id: string,
    holds: (conversation: Conversation) => boolean,
    patienceMs = defaultPatienceMs,
  ): Promise<Conversation> {
    const end = Date.now() + patienceMs;
    for (let writes = 0; ; ) {
      // Also before the first read, because the work has only just begun.
      if (patienceMs > defaultPatienceMs) await sleep(longLookMs);
      else writes = await nextChange(url, writes, lookAgainMs);
      const conversation = await read(id);
      if (holds(conversation)) return conversation;
      if (Date.now() > end) throw new Error(`Not within ${patienceMs} ms: ${JSON.stringify(conversation, null, 1)}`);
    }
  }

  return {
    request,
    read,
    until,
    start: (agent, text, id) => ask('POST', '/conversations', { agent, text, id }),
    say: (id, text, clientMessageId) => ask('POST', `/conversations/${id}/messages`, { text, clientMessageId }),
    answer: (id, callbackId, body) => ask('POST', `/conversations/${id}/callbacks/${callbackId}`, body),
    cancel: (id) => ask('POST', `/conversations/${id}/cancel`),
    list: (cursor) => ask('GET', `/conversations${cursor ? `?cursor=${cursor}` : ''}`),
    finished: (id) => until(id, ({ status }) => ['done', 'failed', 'limited', 'cancelled'].includes(status)),
    waiting: (id) => until(id, ({ status }) => status === 'waiting'),
    asleep: (id) => until(id, ({ status }) => status === 'sleeping'),
  };
}

async function tokenFor(url: string, user: string, groups?: string[]): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/_local/token`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ user, groups }),
  });
  return ((await answer.json()) as { token: string }).token;
}

export class ApiError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail ?? JSON.stringify(problem));
  }
}

/** Resolves after a write to the cloud's tables, or after `withinMs`. @returns the number of writes. */
export async function nextChange(url: string, after: number, withinMs: number): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ after, withinMs });
  const answer = await fetch(`${url}/_local/changes`, { method: 'POST', headers, body });
  return ((await answer.json()) as { writes: number }).writes;
}
