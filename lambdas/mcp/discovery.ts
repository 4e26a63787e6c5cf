import { Hono } from 'hono';
import * as z from 'zod';

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
}

const Registration = z.object({ redirect_uris: z.array(z.string().max(2_000)).min(1).max(50) });

/**
 * Public documents by which clients find where to sign in: the metadata of the protected resource (RFC 9728) and, for the stack's
 * user pool, of its authorization server (RFC 8414). Cognito's own document does not say that it checks PKCE, without which clients
 * refuse it, and Cognito registers no clients. So a registration (RFC 7591) returns the one client that the stack has.
 */
export function discovery({ url, issuer, scopes, client }: Discovery): Hono {
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

  const { id, signInUrl, callbackUrls } = client;
  const flow = { response_types: ['code'], grant_types: ['authorization_code', 'refresh_token'] };
  app.get('/.well-known/oauth-authorization-server', (context) =>
    context.json({
      issuer: url,
      authorization_endpoint: `${signInUrl}/oauth2/authorize`,
      token_endpoint: `${signInUrl}/oauth2/token`,
      revocation_endpoint: `${signInUrl}/oauth2/revoke`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      registration_endpoint: `${url}/mcp/register`,
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
    const error_description =
      'None of redirect_uris is an address that this deployment returns to: its operator adds it to mcp.callbackUrls.';
    return context.json({ error: 'invalid_redirect_uri', error_description }, 400);
  });
  return app;
}
