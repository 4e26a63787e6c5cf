import { pause, untilAnswered } from '../again';
import { type Api, openApi } from '../api';
import type { Conversation } from '../api-types';
import type { Reader, TokenUser } from '../decisions/deciders';
import { openHttp, type Request } from '../http';
import type { KindsOf } from '../options';
import { problemIn } from '../problem';

/** The address of the API, and the token of its user. */
export interface Connection {
  /** The address of the API, such as `https://chat.example.com`. '' is the page's own origin. */
  url: string;
  /** An access token, or what gets one. It is asked before each request, so it can renew the token. */
  token: string | (() => string | Promise<string>);
  /** The seconds that one answer may wait for news, 0 to 20. 20 by default. */
  waitSeconds?: number;
}

/** The options of both clients. */
export type AgentConnection = Connection & { agent: string };
export const agentConnection: KindsOf<AgentConnection> = {
  url: 'a text',
  token: 'a text or a function',
  waitSeconds: 'a number?',
  agent: 'a text',
};

const attempts = 6;
/** API Gateway ends a request after 30 seconds. */
const timeoutMs = 35_000;

/**
 * Makes a request, and again if the connection is lost or the server is busy or down. Each request can be repeated: a message has an
 * id, and the first decision holds.
 *
 * @throws RequestFailed
 */
export const ask = <Answer>(
  connection: Connection,
  make: (api: Api) => Promise<Answer>,
  signal?: AbortSignal,
): Promise<Answer> => untilAnswered(() => make(apiOf(connection, signal)), signal, attempts);

export const apiOf = (connection: Connection, signal?: AbortSignal): Api => openApi(requestOf(connection), signal);

const requestOf = (connection: Connection): Request =>
  openHttp({ url: connection.url, token: () => tokenOf(connection), timeoutMs });

/** One answer of a stream. */
export interface Part {
  events: { type: string }[];
  /** The position to continue from. Absent if there are no events. */
  position?: string;
}

export interface StreamFrom {
  as: 'ai-sdk' | 'ag-ui';
  position?: string;
  after?: number;
  /** The first answer does not wait for news. */
  atOnce?: boolean;
  signal?: AbortSignal;
}

/** Follows a conversation: asks for a part, then for the next one. It ends when the run is over and all is known. */
export async function* follow(connection: Connection, id: string, from: StreamFrom): AsyncGenerator<Part> {
  let { position } = from;
  for (let isFirst = true; ; isFirst = false) {
    const query = new URLSearchParams({ as: from.as });
    if (position === undefined && from.after !== undefined) query.set('after', String(from.after));
    const wait = isFirst && from.atOnce ? 0 : connection.waitSeconds;
    if (wait !== undefined) query.set('wait', String(wait));
    const headers: Record<string, string> = position === undefined ? {} : { 'last-event-id': position };
    const once = async () => {
      // As a whole: of an answer that breaks off, nothing is taken.
      const path = `/conversations/${id}/stream?${query}`;
      const answer = await requestOf(connection)('GET', path, undefined, from.signal, headers);
      if (answer.status >= 400) throw problemIn(answer);
      return answer;
    };
    const answer = await untilAnswered(once, from.signal, attempts);
    if (answer.status === 204) return;
    const { retryMs, ...part } = partIn(answer.text);
    position = part.position ?? position;
    yield part;
    await pause(retryMs, from.signal);
  }
}

/** Reads the events of an answer. Each has its data in one line, because it is JSON. */
function partIn(text: string): Part & { retryMs: number } {
  const fields = text.split('\n').map((line) => /^(\w+): (.*)$/.exec(line) ?? []);
  const of = (name: string) => fields.flatMap(([, field, value]) => (field === name ? [value as string] : []));
  const [retry = '1000'] = of('retry');
  return { events: of('data').map((data) => JSON.parse(data)), position: of('id').at(-1), retryMs: Number(retry) };
}

/**
 * Returns the id of the conversation that a page calls `chosen`. An id that the API has given stays as it is. For another one, the API
 * puts a digest of the user before it (`core/base/text/ids.ts`), which is computed here from the token.
 */
export async function conversationIdOf(connection: Connection, chosen: string): Promise<string> {
  if (/^(?:c_[0-9a-f]{32}|u[0-9a-f]{16}_.+)$/.test(chosen)) return chosen;
  return `u${await digestOf(subjectOf(await tokenOf(connection)))}_${chosen}`;
}

const tokenOf = async ({ token }: Connection): Promise<string> => (typeof token === 'string' ? token : token());

const subjectOf = (token: string): string => userIn(token).user;

/** Reads the token without verifying it: the API does that. */
function userIn(token: string): TokenUser {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  const bytes = Uint8Array.from(atob(payload), (char) => char.charCodeAt(0));
  const claims = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
  const groups = claims['cognito:groups'];
  return { user: String(claims.sub), groups: Array.isArray(groups) ? groups.map(String) : [], claims };
}

/** Returns who reads a conversation with this connection. */
export const readerOf = async (connection: Connection, { role }: Pick<Conversation, 'role'>): Promise<Reader> => ({
  ...userIn(await tokenOf(connection)),
  role: role ?? 'owner',
});

async function digestOf(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
