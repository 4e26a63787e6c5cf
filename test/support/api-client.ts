import { setTimeout as sleep } from 'node:timers/promises';
import { type AnswerCallback, type Client, createClient, type WithFiles } from 'vigil-client';
import { WebSocket } from 'ws';
import type { Callback, Conversation, ConversationPage, Message } from './api-types';

/** A signed-in user of the public API. Failed requests throw RequestFailed. */
export interface User {
  /** The `sub` of the token. */
  readonly id: string;
  /** What an app has: see docs/embed.md. */
  client: Client;
  start(agent: string, text?: string, id?: string): Promise<Conversation>;
  say(id: string, text: string, clientMessageId?: string): Promise<Message>;
  /** Uploads files and sends them with a text: `File`s, which have names, and `Blob`s. Without a text, send ''. */
  sendFiles(id: string, text: string, ...files: NonNullable<WithFiles['files']>): Promise<Message>;
  /** Returns the bytes of a file of the conversation. */
  bytesOf(id: string, fileId: string): Promise<Uint8Array>;
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
/** A request that hangs ends with its test, unless that waits for ever. */
const requestMs = 600_000;
/** Reads at this interval without writes, because some things happen by the clock alone. */
const lookAgainMs = 250;
/** Long runs have long conversations, which are expensive to read. */
const longLookMs = 2_000;

export const signIn = (url: string, user: string, groups?: string[], claims?: Record<string, string>): Promise<User> =>
  userWith({
    url,
    signIn: () => tokenFor(url, user, groups, claims),
    nextChange: (after, withinMs) => nextChange(url, after, withinMs),
  });

/** How a user reaches a deployment. */
interface Access {
  url: string;
  /** Returns an access token. */
  signIn(): Promise<string>;
  /** Resolves after a write, if the deployment can tell, or after `withinMs`. @returns the number of writes. */
  nextChange(after: number, withinMs: number): Promise<number>;
}

const statusesAtRest = ['done', 'failed', 'limited', 'cancelled'];

/** Whether a conversation's run has ended. */
export const isAtRest = ({ status }: { status: string }): boolean => statusesAtRest.includes(status);

/** A user of any deployment. */
export async function userWith({ url, signIn, nextChange }: Access): Promise<User> {
  let token = await signIn();
  const client = createClient({
    url,
    WebSocket,
    async token({ expired }) {
      // The clock was moved.
      if (expired) token = await signIn();
      return token;
    },
    timeoutMs: requestMs,
  });
  const { api } = client;

  async function request(method: string, path: string, body?: unknown) {
    const { status, type, text } = await client.request(method, path, body);
    return { status, type, body: type?.includes('json') ? JSON.parse(text) : text };
  }

  const read = (id: string, after = 0) => api.read(id, after);
  async function until(
    id: string,
    holds: (conversation: Conversation) => boolean,
    patienceMs = defaultPatienceMs,
  ): Promise<Conversation> {
    // A busy machine takes long for many steps, so what counts is the time without any.
    let [end, version] = [Date.now() + patienceMs, 0];
    for (let writes = 0; ; ) {
      // Also before the first read, because the work has only just begun.
      if (patienceMs > defaultPatienceMs) await sleep(longLookMs);
      else writes = await nextChange(writes, lookAgainMs);
      const conversation = await read(id);
      if (holds(conversation)) return conversation;
      if (conversation.version !== version) [end, version] = [Date.now() + patienceMs, conversation.version];
      if (Date.now() > end)
        throw new Error(`Nothing for ${patienceMs} ms after ${JSON.stringify(conversation, null, 1)}`);
    }
  }

  return {
    id: subjectOf(token),
    client,
    request,
    read,
    until,
    start: (agent, text, id) => api.start({ agent, text, id }),
    say: (id, text, clientMessageId) => api.say(id, { text, clientMessageId }),
    sendFiles: (id, text, ...files) => client.conversation(id).send({ text: text || undefined, files }),
    async bytesOf(id, fileId) {
      const { url: address } = await api.file(id, fileId);
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(`The file was not read: status ${answer.status}.`);
      return new Uint8Array(await answer.arrayBuffer());
    },
    answer: (id, callbackId, body) => api.answer(id, callbackId, body as AnswerCallback),
    cancel: (id) => api.cancel(id, {}),
    list: (cursor) => api.list(cursor),
    finished: (id) => until(id, isAtRest),
    waiting: (id) => until(id, ({ status }) => status === 'waiting'),
    asleep: (id) => until(id, ({ status }) => status === 'sleeping'),
  };
}

export async function tokenFor(
  url: string,
  user: string,
  groups?: string[],
  claims?: Record<string, string>,
): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/_local/token`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ user, groups, claims }),
  });
  return ((await answer.json()) as { token: string }).token;
}

function subjectOf(token: string): string {
  const [, claims = ''] = token.split('.');
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }).sub;
}

/** Resolves after a write to the cloud's tables, or after `withinMs`. @returns the number of writes. */
export async function nextChange(url: string, after: number, withinMs: number): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ after, withinMs });
  const answer = await fetch(`${url}/_local/changes`, { method: 'POST', headers, body });
  return ((await answer.json()) as { writes: number }).writes;
}
