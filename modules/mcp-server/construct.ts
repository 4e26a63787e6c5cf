import { Token } from 'aws-cdk-lib';
import { ResourceServerScope } from 'aws-cdk-lib/aws-cognito';
import { checkOptions, fields, listOf, optional, text } from '../../core/base/schemas/definition';
import { ConfigurationError } from '../../core/base/text/errors';
import { urlIn } from '../../core/base/text/web-address';
import { partition, tableActions } from '../../infra/functions/conversation-table';
import { VigilFunction } from '../../infra/functions/vigil-function';
import type { Deployed, Kernel, VigilModule } from '../../infra/module';
import type { OtherRoute } from '../../infra/page/front-door';

/** The agents as an MCP server, at `/mcp` of the API (docs/mcp.md). */
export interface McpServerProps {
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

const rules = fields<McpServerProps>({ callbackUrls: optional(listOf(text)), scopes: optional(listOf(text)) });

const talkToAgents = new ResourceServerScope({
  scopeName: 'mcp',
  scopeDescription: 'Talk to the agents as this user, and approve nothing',
});

/**
 * Makes the agents an MCP server.
 *
 * @throws ConfigurationError that names the option.
 * @example
 * ```ts
 * import { mcpServer } from 'vigil/modules/mcp-server';
 *
 * // new Vigil(stack, 'Agents', { agents: './agents', modules: [listed] })
 * const listed = mcpServer({ callbackUrls: ['https://claude.ai/api/mcp/auth_callback'] });
 * listed.name; // → 'mcp-server'
 * ```
 */
export function mcpServer(props: McpServerProps = {}): VigilModule {
  checkOptions('mcpServer', props, rules);
  const { callbackUrls = [], scopes = [] } = props;
  callbackUrls.forEach(checkCallback);
  return {
    name: 'mcp-server',
    scopes: [talkToAgents],
    headers: ['mcp-protocol-version', 'mcp-method', 'mcp-name'],
    deploy: (kernel) => deploy(kernel, { callbackUrls, scopes }),
  };
}

/** Creates the function, and the client for MCP clients if it has addresses to return to. */
function deploy(kernel: Kernel, { callbackUrls, scopes }: Required<McpServerProps>): Deployed {
  const { scope, bundles, table, files, machines, door, users, pageUrl, settings } = kernel;
  const isOwn = users.addClient !== undefined;
  if (!isOwn && callbackUrls.length > 0)
    throw new ConfigurationError(
      'mcpServer.callbackUrls is for the stack’s own user pool: register the clients at your issuer, or leave out "auth".',
    );
  if (isOwn && scopes.length > 0)
    throw new ConfigurationError(
      'mcpServer.scopes is for users of your own: set "auth", or leave out "mcpServer.scopes".',
    );
  if (!isOwn) checkScopes(scopes, users.scopes);
  const client = callbackUrls.length > 0 ? users.addClient?.('Mcp', { scope: talkToAgents, callbackUrls }) : undefined;
  const asked = client ? [client.scope] : scopes;
  const fn = new VigilFunction(scope, 'Mcp', {
    description: 'The agents as an MCP server',
    bundles,
    timeoutSeconds: 29,
    memoryMiB: 512,
    environment: {
      TABLE_NAME: table.name,
      ...machines.variables,
      ...files.variables,
      ...settings.budget,
      VIGIL_CLAIMS: settings.claims,
      VIGIL_WEB_ORIGINS: settings.webOrigins.join(','),
      VIGIL_PAGE_URL: pageUrl ?? '',
      API_URL: door.url,
      VIGIL_TOKEN_USE: users.tokenUse,
      MCP_ISSUER: users.issuer,
      MCP_SCOPES: asked.join(','),
      MCP_CLIENT_ID: client?.clientId ?? '',
      MCP_SIGN_IN_BASE_URL: client?.signInUrl ?? '',
      MCP_CALLBACK_URLS: callbackUrls.join(','),
    },
  });
  table.grant(fn, [partition.users], 'GetItem');
  table.grant(fn, [partition.conversations, partition.counts], ...tableActions);
  table.grant(fn, [partition.files], ...tableActions);
  files.grant(fn, 'GetObject', 'PutObject');
  machines.grantDrive(fn);
  const url = `${door.url}/mcp`;
  door.add({
    id: 'Mcp',
    fn,
    tokens: {
      issuer: users.issuer,
      // Clients may bind their tokens to the address (RFC 8707), which the token then names instead of the client.
      audience: [...users.audience, ...(client ? [client.clientId] : []), url],
      // In a user pool of yours, other clients may bind tokens to the address, too. They do not get these scopes.
      scopes: isOwn ? [...asked, ...users.scopes] : asked,
    },
    routes,
  });
  return { functions: [fn], watched: [fn], outputs: { McpUrl: url, McpClientId: client?.clientId } };
}

const passesOn = 'Passes the sign-in of a client on to Cognito, which checks it.';

const routes: OtherRoute[] = [
  // A call of a tool holds the function for up to 20 seconds, so the burst is also what waits at once.
  { path: '/mcp', methods: { GET: undefined, POST: { rate: 20, burst: 100 }, DELETE: undefined } },
  ...['oauth-protected-resource', 'oauth-protected-resource/mcp', 'oauth-authorization-server'].map((name) => ({
    path: `/.well-known/${name}`,
    methods: { GET: { rate: 10, burst: 20 } },
    isOpen: 'Says where clients sign their users in, and contains no user data.',
  })),
  {
    path: '/mcp/register',
    methods: { POST: { rate: 5, burst: 10 } },
    isOpen: 'Returns the one public client, and stores nothing.',
  },
  { path: '/mcp/authorize', methods: { GET: { rate: 20, burst: 40 } }, isOpen: passesOn },
  { path: '/mcp/token', methods: { POST: { rate: 100, burst: 200 } }, isOpen: passesOn },
  { path: '/mcp/revoke', methods: { POST: { rate: 5, burst: 10 } }, isOpen: passesOn },
];

function checkScopes(scopes: string[], ofApi: string[]): void {
  if (scopes.length > 0 && ofApi.length > 0 && !scopes.some((one) => ofApi.includes(one))) return;
  throw new ConfigurationError(
    'mcpServer.scopes: name scopes for MCP clients that are not in auth.scopes, which must not be empty: otherwise their tokens could approve.',
  );
}

/** Cognito refuses others during the deployment. Schemes of apps, as `cursor://`, are allowed. */
function checkCallback(url: string): void {
  if (Token.isUnresolved(url)) return;
  const { protocol, hostname, hash } = urlIn(url) ?? { protocol: '', hostname: '', hash: '' };
  const isSafe = protocol !== 'http:' || hostname === 'localhost' || hostname === '127.0.0.1';
  if (/^[a-z][a-z0-9+.-]*:$/.test(protocol) && isSafe && hash === '' && !url.includes(',')) return;
  throw new ConfigurationError(
    `mcpServer.callbackUrls: "${url}" must be an https address, one of localhost, or of an app’s own scheme, without # and comma.`,
  );
}
