import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type ElicitRequestFormParams,
  ElicitRequestSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { retryAfter } from 'vigil-client/shared';
import { ConfigurationError, ToolFailed } from '../../core/base/text/errors';
import type { McpAuth } from '../../core/conversations/mcp/auth';
import type { McpServer } from '../../core/conversations/mcp/server';
import { addressOf } from './address';
import { type Key, withKey } from './key';
import { type Fetch, limitedFetch, TooLarge } from './limited-fetch';

/** The longest time for each part of the goodbye: a cancellation, and the end of the session. */
const goodbyeMs = 700;

/**
 * Opens a session, uses it and ends it. Each call has a session of its own, because a function's process is frozen between calls.
 * It offers the server nothing but answers to its questions: no sampling, no roots.
 *
 * @param answer answers at once what the server asks in the middle of a call. Without it, the answer is `decline`.
 * @param use gets a signal that is aborted at the deadline, or when the server sends too much.
 * @throws ConfigurationError if the server refuses the key, its address is wrong, or it redirects.
 * @throws ToolFailed if no session can be opened for another reason.
 */
export async function inSession<Result>(
  server: Pick<McpServer, 'name' | 'url' | 'auth' | 'allow'>,
  key: Key | undefined,
  deadline: AbortSignal,
  use: (client: Client, signal: AbortSignal) => Promise<Result>,
  answer?: (question: ElicitRequestFormParams) => ElicitResult,
): Promise<Result> {
  const tooMuch = new AbortController();
  const signal = AbortSignal.any([deadline, tooMuch.signal]);
  const asked = limitedFetch(tooMuch);
  const ask: Fetch = (url, init) => asked.fetch(url, { ...init, signal: init?.signal ?? signal });
  const send = key ? withKey(ask, key) : ask;
  const transport = new StreamableHTTPClientTransport(addressOf(server.name, 'url', server.url), {
    // It would open a stream, and none is read.
    fetch: async (url, init) => (isOffer(init) ? new Response(null, { status: 405 }) : send(url, init)),
  });
  const client = new Client(
    { name: 'vigil', version: '1' },
    { capabilities: asks(server) ? { elicitation: { form: {} } } : undefined },
  );
  if (asks(server))
    client.setRequestHandler(
      ElicitRequestSchema,
      ({ params }) => answer?.(params as ElicitRequestFormParams) ?? { action: 'decline' as const },
    );
  try {
    await client.connect(transport, { signal }).catch((error) => {
      throw refusal(server, key, error) ?? unreachable(server, error, signal);
    });
    return await use(client, signal);
  } catch (error) {
    throw withPause(error as Error, await Promise.race([asked.last(), later()]));
  } finally {
    // A cancellation may still be on its way.
    await Promise.race([asked.last(), later()]);
    await Promise.race([transport.terminateSession().catch(() => undefined), later()]);
    await client.close();
  }
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

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, goodbyeMs).unref());

/** Returns the status with which the server answered over HTTP, if that is what failed. */
export function statusOf(error: unknown): number | undefined {
  // The SDK's StreamableHTTPError has no name of its own. An McpError's code is the server's.
  const { name, code } = error as { name?: string; code?: unknown };
  return name === 'Error' && typeof code === 'number' && code >= 300 ? code : undefined;
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
  // Of the key: nothing was sent.
  return /^(ConfigurationError|ToolFailed)$/.test((error as Error).name) ? (error as Error) : undefined;
}

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
