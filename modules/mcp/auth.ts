import { urlIn } from '../../core/base/text/web-address';
import { addressProblem, type Setting, variablesIn } from './setting';

/** The way the server's function identifies itself: by a fixed key, or by tokens that it gets for a client. */
export type McpAuth = { secret: string } | { oauth: McpClient };

/** A client of an authorization server, which gets tokens by the grant `client_credentials`. */
export interface McpClient {
  clientId: Setting;
  /** The secret with the client's secret. On a laptop, the variable with it. */
  secret: string;
  /** The authorization server, which describes itself (RFC 8414, or OpenID Connect). Only it gets the client's secret. */
  issuer?: Setting;
  /** The address that gives tokens, if the authorization server does not describe itself. Instead of `issuer`. */
  tokenUrl?: Setting;
  /** The rights to ask for, with spaces between them. By default those that the client has anyway. */
  scope?: string;
  /** For whom the token is (RFC 8707). By default what the MCP server says, else its address; `false` leaves it out. */
  resource?: string | false;
}

/** Returns the name of the secret that the server's function reads. */
export const secretOf = (auth: McpAuth): string => ('oauth' in auth ? auth.oauth.secret : auth.secret);

/** Returns the variables that the server's function needs to identify itself. */
export const variablesOfAuth = (auth?: McpAuth): string[] =>
  auth && 'oauth' in auth ? variablesIn([auth.oauth.clientId, auth.oauth.issuer, auth.oauth.tokenUrl]) : [];

/** Returns the field that is wrong, and what is; undefined for nothing. */
export function authProblem(auth: McpAuth): [field: string, problem: string] | undefined {
  if ('oauth' in auth && 'secret' in auth) return ['auth', 'use either "secret" or "oauth"'];
  if (!secretOf(auth)) return ['oauth' in auth ? 'auth.oauth.secret' : 'auth.secret', 'name the secret'];
  if (!('oauth' in auth)) return undefined;
  const { clientId, issuer, tokenUrl, scope, resource } = auth.oauth;
  if (!clientId) return ['auth.oauth.clientId', 'name the client'];
  if (!issuer === !tokenUrl)
    return ['auth.oauth', 'name the authorization server as "issuer", or where it gives tokens as "tokenUrl"'];
  for (const [field, setting] of Object.entries({ issuer, tokenUrl })) {
    const problem = typeof setting === 'string' && addressProblem(setting);
    if (problem) return [`auth.oauth.${field}`, problem];
  }
  // What RFC 6749 allows in a scope.
  if (scope !== undefined && !/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(scope))
    return ['auth.oauth.scope', 'use names with one space between them'];
  if (typeof resource === 'string' && (!urlIn(resource) || resource.includes('#')))
    return ['auth.oauth.resource', 'must be an absolute address without "#"'];
  return undefined;
}
