import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { addressProblem, type McpServer } from '../../core/mcp/server';
import { ConfigurationError, ToolFailed } from '../../core/text/errors';
import { variable } from '../environment';

/** Lambda's limit of a response is 6 MB. */
export const mostBytes = 5_000_000;
/** How long each part of the goodbye may take: a cancellation, and the end of the session. */
const goodbyeMs = 700;

/** The server has sent more than `mostBytes`. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

export interface Key {
  get(): Promise<string>;
  /** Reads the key again at the next call. */
  forget(): void;
}

/**
 * Opens a session, uses it and ends it. Each call has a session of its own, because a function's process is frozen between calls.
 * It offers the server nothing: no elicitation, no sampling, no roots.
 *
 * @param use gets a signal that is aborted at the deadline, or when the server sends too much.
 * @throws ConfigurationError if the server refuses the key, its address is wrong, or it redirects.
 * @throws ToolFailed if no session can be opened for another reason.
 */
export async function inSession<Result>(
  server: Pick<McpServer, 'name' | 'url' | 'auth'>,
  key: Key | undefined,
  deadline: AbortSignal,
  use: (client: Client, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const tooMuch = new AbortController();
  const signal = AbortSignal.any([deadline, tooMuch.signal]);
  const headers = key && { authorization: `Bearer ${await key.get()}` };
  const asked = limited(tooMuch);
  const transport = new StreamableHTTPClientTransport(addressOf(server), {
    fetch: asked.fetch,
    requestInit: { headers },
  });
  const client = new Client({ name: 'vigil', version: '1' });
  try {
    await client.connect(transport, { signal }).catch((error) => {
      throw refusal(server, key, error) ?? unreachable(server, error, signal);
    });
    return await use(client, signal);
  } finally {
    // A cancellation may still be on its way.
    await Promise.race([asked.last(), later()]);
    await Promise.race([transport.terminateSession().catch(() => undefined), later()]);
    await client.close();
  }
}

function addressOf({ name, url }: Pick<McpServer, 'name' | 'url'>): URL {
  const address = typeof url === 'string' ? url : variable(url.variable);
  const problem = addressProblem(address);
  if (!problem) return new URL(address);
  const field = typeof url === 'string' ? 'url' : url.variable;
  throw new ConfigurationError(`MCP server ${name}: ${field}: ${problem}.`);
}

/** Limits what the server sends, and opens no stream, because none is read. The SDK follows redirects within the server's origin only. */
function limited(tooMuch: AbortController) {
  let left = mostBytes;
  let last: Promise<unknown> = Promise.resolve();
  const read = (body: ReadableStream<Uint8Array>) =>
    body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, stream) {
          left -= chunk.byteLength;
          if (left >= 0) return stream.enqueue(chunk);
          const error = new TooLarge(`The answer has more than ${mostBytes} bytes.`);
          tooMuch.abort(error);
          stream.error(error);
        },
      }),
    );
  const request = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const isOffer = init.method === 'GET' && !new Headers(init.headers).has('last-event-id');
    if (isOffer) return new Response(null, { status: 405 });
    const response = await fetch(url, { ...init, redirect: 'manual' });
    const { status, statusText, headers, body } = response;
    return body ? new Response(read(body), { status, statusText, headers }) : response;
  };
  return {
    fetch: (url: string | URL, init?: RequestInit) => {
      const response = request(url, init);
      last = response.catch(() => undefined);
      return response;
    },
    last: () => last,
  };
}

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, goodbyeMs).unref());

/** Returns the status with which the server answered over HTTP, if that is what failed. */
export function statusOf(error: unknown): number | undefined {
  // The SDK's StreamableHTTPError has no name of its own. An McpError's code is the server's.
  const { name, code } = error as { name?: string; code?: unknown };
  return name === 'Error' && typeof code === 'number' && code >= 300 ? code : undefined;
}

/** Returns the error for a server that the deployment has set up wrongly. */
export function refusal({ name, auth }: Pick<McpServer, 'name' | 'auth'>, key: Key | undefined, error: unknown) {
  const status = statusOf(error) ?? 0;
  if (status === 401 || status === 403) {
    // A corrected secret must work at once.
    key?.forget();
    const check = auth ? `check the secret ${auth.secret}` : 'it needs "auth"';
    return new ConfigurationError(`The MCP server ${name} refuses the key (${status}): ${check}.`);
  }
  if (status >= 300 && status < 400)
    return new ConfigurationError(`The MCP server ${name} redirects (${status}): set "url" to the address behind it.`);
  return (error as Error).name === 'ConfigurationError' ? (error as Error) : undefined;
}

/** Returns the error of an attempt that has asked for nothing yet. The server's own words are left out. */
export function unreachable({ name }: Pick<McpServer, 'name'>, error: unknown, signal: AbortSignal): ToolFailed {
  const status = statusOf(error);
  if (signal.reason instanceof TooLarge) return new ToolFailed(`The MCP server ${name} sends too much.`);
  if (signal.aborted) return new ToolFailed(`The MCP server ${name} does not answer in time.`);
  const how = status ? `answered with status ${status}` : 'could not be reached, or does not speak the protocol';
  return new ToolFailed(`The MCP server ${name} ${how}.`, { cause: error });
}
