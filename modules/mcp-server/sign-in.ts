import { type Context, Hono } from 'hono';
import { log } from '../../runtime/log';
import { network as internet, type Network } from '../../runtime/outgoing/public-lookup';
import { isDocumentAddress, redirectsOf } from './client-document';
import type { Discovery } from './discovery';

const mostFormBytes = 20_000;
const timeoutMs = 10_000;

/**
 * Passes the sign-in of MCP clients on to Cognito, which knows ids and no addresses: a client that is named by the address of its document
 * becomes the one public client that the stack has. Users return only to addresses that the deployment and the client's document name.
 */
export function signIn(client: NonNullable<Discovery['client']>, network: Network = internet): Hono {
  const { id, signInUrl, callbackUrls } = client;
  const app = new Hono();

  app.get('/mcp/authorize', async (context) => {
    const query = new URL(context.req.url).searchParams;
    const [clientId, redirect] = [onlyOne(query, 'client_id'), onlyOne(query, 'redirect_uri')];
    if (!redirect || !callbackUrls.includes(redirect))
      return refused(context, 400, 'invalid_request', `redirect_uri: ${notReturned}`);
    // Cognito does not ask for PKCE by itself, and a code is to be of use to its client alone.
    if (!onlyOne(query, 'code_challenge') || onlyOne(query, 'code_challenge_method') !== 'S256')
      return refused(context, 400, 'invalid_request', 'code_challenge: send one of the method S256.');
    const allowed = clientId === id ? callbackUrls : clientId && (await redirectsOf(clientId, network));
    if (!allowed)
      return refused(
        context,
        400,
        'invalid_client',
        'client_id: there is no document of a public client at its address.',
      );
    if (!allowed.includes(redirect))
      return refused(context, 400, 'invalid_request', 'redirect_uri: the document of the client does not name it.');
    query.set('client_id', id);
    return context.redirect(`${signInUrl}/oauth2/authorize?${query}`);
  });

  for (const endpoint of ['token', 'revoke'])
    app.post(`/mcp/${endpoint}`, async (context) => {
      const sent = await context.req.text();
      if (Buffer.byteLength(sent) > mostFormBytes)
        return refused(context, 413, 'invalid_request', `The body must have at most ${mostFormBytes} bytes.`);
      const form = new URLSearchParams(sent);
      const clientId = onlyOne(form, 'client_id');
      // The code is bound to the client that was checked, by PKCE.
      const isKnown = clientId === id || (clientId !== undefined && isDocumentAddress(clientId));
      if (!isKnown || context.req.header('authorization'))
        return refused(context, 401, 'invalid_client', 'client_id: name a public client, without a secret.');
      form.set('client_id', id);
      return pass(context, `${signInUrl}/oauth2/${endpoint}`, form);
    });
  return app;
}

/** Passes a form on. Its answer has tokens, which are neither logged nor kept. */
async function pass(context: Context, url: string, body: URLSearchParams): Promise<Response> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'application/json' },
    });
    context.header('cache-control', 'no-store');
    context.header('content-type', answer.headers.get('content-type') ?? 'application/json');
    return context.body(await answer.text(), answer.status as 200);
  } catch (error) {
    log.error('sign-in unreachable', { error: (error as Error).name });
    return refused(context, 503, 'temporarily_unavailable', 'The sign-in does not answer: try again.');
  }
}

function refused(context: Context, status: 400 | 401 | 413 | 503, error: string, error_description: string): Response {
  context.header('cache-control', 'no-store');
  return context.json({ error, error_description }, status);
}

/** Returns a parameter; undefined if it is absent, or there are several, of which two programs could read different ones. */
function onlyOne(params: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = params.getAll(name);
  return others.length === 0 ? value : undefined;
}

export const notReturned = 'not an address that this deployment returns to. Its operator adds it to mcp.callbackUrls.';
