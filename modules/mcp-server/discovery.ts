import { Hono } from 'hono';
import * as z from 'zod';
import type { Network } from '../../runtime/outgoing/public-lookup';
import { notReturned, signIn } from './sign-in';

/** The details that a client needs to sign its user in. */
export interface Discovery {
  /** The address of the API. */
  url: string;
  /** The issuer of the tokens. */
  issuer: string;
  /** The scopes that a client asks for. */
  scopes: string[];
  /** The client of the stack's user pool, if there is one. */
  client?: { id: string; signInUrl: string; callbackUrls: string[] };
  /** Where documents of clients are; absent: the internet. */
  network?: Network;
}

const Registration = z.object({ redirect_uris: z.array(z.string().max(2_000)).min(1).max(50) });

/**
 * Public documents by which clients find where to sign in: the metadata of the protected resource (RFC 9728) and, for the stack's
 * user pool, of its authorization server (RFC 8414). Cognito's own document does not say that it checks PKCE, without which clients
 * refuse it, and Cognito registers no clients. So a registration (RFC 7591) returns the one client that the stack has, and a client that
 * has a document at its address (OAuth Client ID Metadata Document) becomes that one on its way to Cognito.
 */
export function discovery({ url, issuer, scopes, client, network }: Discovery): Hono {
  const app = new Hono();
  const resource = {
    resource: `${url}/mcp`,
    resource_name: 'Vigil',
    authorization_servers: [client ? url : issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
  };
  app.get('/.well-known/oauth-protected-resource', (context) => context.json(resource));
  app.get('/.well-known/oauth-protected-resource/mcp', (context) => context.json(resource));
  if (!client) return app;

  const { id, callbackUrls } = client;
  const flow = { response_types: ['code'], grant_types: ['authorization_code', 'refresh_token'] };
  app.get('/.well-known/oauth-authorization-server', (context) =>
    context.json({
      issuer: url,
      authorization_endpoint: `${url}/mcp/authorize`,
      token_endpoint: `${url}/mcp/token`,
      revocation_endpoint: `${url}/mcp/revoke`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      registration_endpoint: `${url}/mcp/register`,
      client_id_metadata_document_supported: true,
      response_types_supported: flow.response_types,
      grant_types_supported: flow.grant_types,
      scopes_supported: scopes,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
    }),
  );
  app.post('/mcp/register', async (context) => {
    context.header('cache-control', 'no-store');
    const { success, data } = Registration.safeParse(await context.req.json().catch(() => undefined));
    const known = success ? data.redirect_uris.filter((one) => callbackUrls.includes(one)) : [];
    if (known.length > 0)
      return context.json(
        { client_id: id, redirect_uris: known, ...flow, scope: scopes.join(' '), token_endpoint_auth_method: 'none' },
        201,
      );
    const error_description = `redirect_uris: ${notReturned}`;
    return context.json({ error: 'invalid_redirect_uri', error_description }, 400);
  });
  app.route('/', signIn(client, network));
  return app;
}
