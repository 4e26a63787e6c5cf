import { Token } from 'aws-cdk-lib';
import { ConfigurationError } from '../../core/base/text/errors';
import { urlIn } from '../../core/base/text/web-address';
import type { VigilFunction, VigilFunctionProps } from '../functions/vigil-function';
import { UserDirectory } from './user-directory';
import type { Users } from './users';

/** The agents as an MCP server, at `/mcp` of the API (docs/mcp.md). */
export interface McpProps {
  /**
   * The callback addresses of MCP clients after the sign-in, as `https://claude.ai/api/mcp/auth_callback` or
   * `http://localhost:8976/callback`. The stack's user pool gets a client for them. Without any, there is none.
   */
  readonly callbackUrls?: string[];
  /**
   * For an issuer or a user pool of your own: the scopes that MCP clients ask for. They are none of the API's, so that nobody approves
   * with a client's token.
   */
  readonly scopes?: string[];
}

/** The details that the gateway needs to lead requests to the MCP server. */
export interface McpServer {
  readonly fn: VigilFunction;
  readonly url: string;
  /** The audiences of tokens, as in `Users`. The API accepts no token that is for the server's address or its client alone. */
  readonly audience: string[];
  /** The scopes of which a token needs one. */
  readonly scopes: string[];
  readonly clientId?: string;
}

export interface McpServerProps {
  users: Users;
  /** The address of the API. */
  url: string;
  environment: Record<string, string>;
  create(id: string, description: string, more: Partial<VigilFunctionProps>): VigilFunction;
}

/**
 * Creates the function, if the app wants it, and the client for MCP clients, if it has addresses to return to.
 *
 * @throws ConfigurationError that names the prop.
 */
export function mcpServer(
  mcp: boolean | McpProps | undefined,
  { users, url, environment, create }: McpServerProps,
): McpServer | undefined {
  if (!mcp) return undefined;
  const { callbackUrls = [], scopes = [] } = mcp === true ? {} : mcp;
  const own = users instanceof UserDirectory ? users : undefined;
  callbackUrls.forEach(checkCallback);
  if (!own && callbackUrls.length > 0)
    throw new ConfigurationError(
      'mcp.callbackUrls is for the stack’s own user pool: register the clients at your issuer, or leave out "auth".',
    );
  if (own && scopes.length > 0)
    throw new ConfigurationError('mcp.scopes is for users of your own: set "auth", or leave out "mcp.scopes".');
  if (!own) checkScopes(scopes, users.scopes);
  const client = callbackUrls.length > 0 ? own?.addMcp(callbackUrls) : undefined;
  const asked = client ? [client.scope] : scopes;
  const fn = create('Mcp', 'The agents as an MCP server', {
    timeoutSeconds: 29,
    memoryMiB: 512,
    environment: {
      ...environment,
      API_URL: url,
      VIGIL_TOKEN_USE: users.tokenUse,
      MCP_ISSUER: users.issuer,
      MCP_SCOPES: asked.join(','),
      MCP_CLIENT_ID: client?.clientId ?? '',
      MCP_SIGN_IN_BASE_URL: client?.signInUrl ?? '',
      MCP_CALLBACK_URLS: callbackUrls.join(','),
    },
  });
  const address = `${url}/mcp`;
  return {
    fn,
    url: address,
    // Clients may bind their tokens to the address (RFC 8707), which the token then names instead of the client.
    audience: [...users.audience, ...(client ? [client.clientId] : []), address],
    // In a user pool of yours, other clients may bind tokens to the address, too. They do not get these scopes.
    scopes: own ? [...asked, ...own.scopes] : asked,
    clientId: client?.clientId,
  };
}

function checkScopes(scopes: string[], ofApi: string[]): void {
  if (scopes.length > 0 && ofApi.length > 0 && !scopes.some((one) => ofApi.includes(one))) return;
  throw new ConfigurationError(
    'mcp.scopes: name scopes for MCP clients that are not in auth.scopes, which must not be empty: otherwise their tokens could approve.',
  );
}

/** Cognito refuses others during the deployment. Schemes of apps, as `cursor://`, are allowed. */
function checkCallback(url: string): void {
  if (Token.isUnresolved(url)) return;
  const { protocol, hostname, hash } = urlIn(url) ?? { protocol: '', hostname: '', hash: '' };
  const isSafe = protocol !== 'http:' || hostname === 'localhost' || hostname === '127.0.0.1';
  if (/^[a-z][a-z0-9+.-]*:$/.test(protocol) && isSafe && hash === '' && !url.includes(',')) return;
  throw new ConfigurationError(
    `mcp.callbackUrls: "${url}" must be an https address, one of localhost, or of an app’s own scheme, without # and comma.`,
  );
}

/** Returns the prop for VIGIL_MCP: `on`, `off`, or the addresses that clients return to. */
export function mcpFrom({ VIGIL_MCP: value = '' }: NodeJS.ProcessEnv): boolean | McpProps {
  if (value === '' || value === 'off') return false;
  if (value === 'on') return true;
  const callbackUrls = value.split(',').map((url) => url.trim());
  if (callbackUrls.every((url) => urlIn(url))) return { callbackUrls };
  throw new ConfigurationError(`VIGIL_MCP is "${value}": it must be "on", "off" or the addresses of clients.`);
}
