import {
  Client,
  type ElicitRequestFormParams,
  type ElicitResult,
  type PriorDiscovery,
  SdkError,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { retryAfter } from 'vigil-client/shared';
import { ConfigurationError, ToolFailed } from '../../core/base/text/errors';
import { addressOf } from './address';
import type { McpAuth } from './auth';
import { type Key, withKey } from './key';
import { type Fetch, limitedFetch, TooLarge } from './limited-fetch';
import type { McpServer } from './server';

/** The longest time for what need not succeed: the stream by which a server may ask, a cancellation, and the end of the session. */
const briefMs = 700;

/** The extension by which a server answers a call with a task instead of a result. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** A connection to a server, which speaks the newest revision that both know. */
export interface Session {
  client: Client;
  /** Whether the revision is 2026-07-28, in which the server asks by its answer, and not in the middle of a call. */
  isNew: boolean;
  /**
   * Returns the answer of the latest request as the server gave it, if the SDK refuses it because it does not fit the protocol, or is of a kind that it
   * does not know. A tool that has answered has run.
   */
  orAsItIs(answer: Promise<object>): Promise<Record<string, unknown>>;
}

/** What is known of a server from earlier sessions of this process. */
export interface Known {
  /** Which revision it speaks. Otherwise each session would ask first. */
  prior?: PriorDiscovery;
}

/**
 * Opens a session, uses it and ends it. Each call has a session of its own, because a function's process is frozen between calls.
 * It offers the server to take a task instead of a result, and answers to its questions: no sampling, no roots.
 *
 * @param known is changed to what the session learns.
 * @param answer answers at once what a server of an older revision asks in the middle of a call. Without it, the answer is `decline`.
 * @param use gets a signal that is aborted at the deadline, or when the server sends too much.
 * @throws ConfigurationError if the server refuses the key, its address is wrong, it redirects, or it speaks no revision that Vigil speaks.
 * @throws ToolFailed if no session can be opened for another reason.
 */
export async function inSession<Result>(
  server: Pick<McpServer, 'name' | 'url' | 'auth' | 'allow'>,
  { key, known = {}, deadline, answer }: SessionOptions,
  use: (session: Session, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const tooMuch = new AbortController();
  const signal = AbortSignal.any([deadline, tooMuch.signal]);
  const asked = limitedFetch(tooMuch);
  // The SDK has signals of its own. With this one, it could not tell the server that a call is cancelled.
  const ask: Fetch = (url, init) => asked.fetch(url, { ...init, signal: init?.signal ?? signal });
  const send = key ? withKey(ask, key) : ask;
  let opened = () => {};
  const stream = new Promise<void>((resolve) => {
    opened = resolve;
  });
  const transport = new StreamableHTTPClientTransport(addressOf(server.name, 'url', server.url), {
    async fetch(url, init) {
      if (!isOffer(init)) return send(url, init);
      // A server of an older revision may ask by this stream. Nothing else that comes by it is read.
      return answer ? send(url, init).finally(opened) : new Response(null, { status: 405 });
    },
  });
  const client = new Client(
    { name: 'vigil', version: '1' },
    {
      capabilities: { extensions: { [tasksExtension]: {} }, ...(asks(server) && { elicitation: { form: {} } }) },
      versionNegotiation: { mode: 'auto' },
      inputRequired: { autoFulfill: false },
    },
  );
  if (asks(server))
    client.setRequestHandler(
      'elicitation/create',
      ({ params }) => answer?.(params as ElicitRequestFormParams) ?? { action: 'decline' as const },
    );
  try {
    const connected = client.connect(transport, { signal, prior: known.prior });
    await Promise.race([connected, untilAborted(signal)]).catch((error) => {
      connected.catch(() => undefined);
      known.prior = undefined;
      throw refusal(server, key, error) ?? unreachable(server, error, signal);
    });
    const discover = client.getDiscoverResult();
    known.prior = discover ? { kind: 'modern', discover } : { kind: 'legacy' };
    // What a server asks before the stream is open may be lost, and the call would wait for an answer that never comes.
    if (answer && !discover) await Promise.race([stream, later()]);
    return await use({ client, isNew: discover !== undefined, orAsItIs: readingOf(transport) }, signal);
  } catch (error) {
    // The server may have been replaced by one of another revision.
    if (!/^(AsksUser|ServerWorking|TellModel)$/.test((error as Error).name)) known.prior = undefined;
    throw withPause(error as Error, await Promise.race([asked.last(), later()]));
  } finally {
    // A cancellation may still be on its way.
    await Promise.race([asked.last(), later()]);
    await Promise.race([transport.terminateSession().catch(() => undefined), later()]);
    await client.close();
  }
}

export interface SessionOptions {
  key?: Key;
  known?: Known;
  deadline: AbortSignal;
  answer?: (question: ElicitRequestFormParams) => ElicitResult;
}

/** Never fulfils. The SDK's question for the revision does not heed a signal. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** Remembers the latest answer that arrives. */
function readingOf(transport: Transport): Session['orAsItIs'] {
  const { onmessage: handle } = transport;
  let latest: unknown;
  transport.onmessage = (message, extra) => {
    if ('result' in message) latest = message.result;
    handle?.(message, extra);
  };
  return async (answer) => {
    latest = undefined;
    try {
      return { ...(await answer) };
    } catch (error) {
      const { code } = error as { code?: unknown };
      const isOdd = error instanceof SdkError && (code === 'INVALID_RESULT' || code === 'UNSUPPORTED_RESULT_TYPE');
      if (isOdd && typeof latest === 'object' && latest !== null) return { ...latest };
      throw error;
    }
  };
}

/** Adds the pause that the server has asked for, of which the SDK's errors say nothing. */
function withPause(error: Error & { notBefore?: Date }, response: unknown): Error {
  if (error.notBefore || !(response instanceof Response) || response.ok) return error;
  return Object.assign(error, { notBefore: retryAfter(response.headers, new Date()) });
}

/** Whether the user may be asked by a tool of the server. It may list such a tool only if it may ask, so all sessions say so. */
const asks = ({ allow }: Pick<McpServer, 'allow'>): boolean =>
  Object.values(allow).some(({ elicitation }) => elicitation);

const isOffer = ({ method, headers }: RequestInit = {}): boolean =>
  method === 'GET' && !new Headers(headers).has('last-event-id');

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, briefMs).unref());

/** Returns the status with which the server answered over HTTP, if that is what failed. */
export function statusOf(error: unknown): number | undefined {
  // An error of the protocol has the server's own code, and no status.
  const { name, status } = error as { name?: string; status?: unknown };
  return name === 'SdkHttpError' && typeof status === 'number' && status >= 300 ? status : undefined;
}

/** Returns the error for a request on which the server has certainly not acted, and which the deployment has set up wrongly. */
export function refusal({ name, auth }: Pick<McpServer, 'name' | 'auth'>, key: Key | undefined, error: unknown) {
  const status = statusOf(error) ?? 0;
  if (status === 401 || status === 403) {
    // A corrected secret must work at once.
    key?.forget();
    return new ConfigurationError(`The MCP server ${name} refuses ${whatItGot(auth)} (${status}): ${check(auth)}.`);
  }
  if (status >= 300 && status < 400)
    return new ConfigurationError(`The MCP server ${name} redirects (${status}): set "url" to the address behind it.`);
  const theirs = otherRevisions(error);
  if (theirs !== undefined)
    return new ConfigurationError(
      `The MCP server ${name} speaks ${theirs}, and Vigil 2026-07-28, 2025-11-25 and older ones: update the one that is older.`,
    );
  // Of the key: nothing was sent. The SDK wraps it.
  const own = [error, (error as Error).cause].find(
    (one) => one instanceof Error && /^(ConfigurationError|ToolFailed)$/.test(one.name),
  );
  return own as Error | undefined;
}

/** Returns the revisions that a server names if it speaks none of ours. */
function otherRevisions(error: unknown): string | undefined {
  const { name, message, data } = error as Error & { data?: { supported?: unknown } };
  const { supported } = data ?? {};
  if (Array.isArray(supported)) {
    const named = supported.filter((one): one is string => typeof one === 'string' && isRevision.test(one)).slice(0, 5);
    return named.length > 0
      ? `the revision ${named.join(', ')} of the protocol only`
      : 'other revisions of the protocol';
  }
  const [, old] = (name === 'Error' && /^Server's protocol version is not supported: (.*)$/s.exec(message)) || [];
  if (old === undefined) return undefined;
  return isRevision.test(old) ? `the revision ${old} of the protocol` : 'another revision of the protocol';
}
const isRevision = /^[\w.-]{1,30}$/;

const whatItGot = (auth?: McpAuth): string => (auth && 'oauth' in auth ? 'the token' : 'the key');
function check(auth?: McpAuth): string {
  if (!auth) return 'it needs "auth"';
  return 'oauth' in auth ? 'check "scope" and "resource" of "auth.oauth"' : `check the secret ${auth.secret}`;
}

/** Returns the error of an attempt that has asked for nothing yet. The server's own words are left out. */
export function unreachable({ name }: Pick<McpServer, 'name'>, error: unknown, signal: AbortSignal): ToolFailed {
  const status = statusOf(error);
  if (signal.reason instanceof TooLarge) return new ToolFailed(`The MCP server ${name} sends too much.`);
  if (signal.aborted) return new ToolFailed(`The MCP server ${name} does not answer in time.`);
  const how = status ? `answered with status ${status}` : 'could not be reached, or does not speak the protocol';
  return new ToolFailed(`The MCP server ${name} ${how}.`, { cause: error });
}
