import {
  type AuthorizationServerMetadata,
  ClientCredentialsProvider,
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  fetchToken,
  OAuthError,
  type OAuthTokens,
} from '@modelcontextprotocol/client';
import { retryAfter } from 'vigil-client/shared';
import { clip } from '../../core/base/text/clip';
import { ConfigurationError, ToolFailed } from '../../core/base/text/errors';
import { urlIn } from '../../core/base/text/web-address';
import { isHeaderToken, tokenLifeMs } from '../../runtime/token-answer';
import { addressOf, settingOf } from './address';
import type { McpClient } from './auth';
import type { Key } from './key';
import type { Fetch } from './limited-fetch';
import type { McpServer } from './server';
import { addressProblem } from './setting';

/** A token is used until this long before its end, or for half of its life if that is shorter. */
const spareMs = 60_000;

/**
 * Returns a key that is a token of an authorization server, kept in this process only. The server's author names the authorization server,
 * and not the MCP server, which could otherwise send the client's secret to itself.
 */
export function tokenKey(server: Pick<McpServer, 'name' | 'url'>, client: McpClient, secret: Key): Key {
  let token: { text: string; until: number } | undefined;
  return {
    async get(ask) {
      if (token && token.until > Date.now()) return token.text;
      const { access_token: text, expires_in: seconds } = await newToken(server, client, secret, ask);
      const lifeMs = tokenLifeMs(seconds);
      token = { text, until: Date.now() + Math.max(lifeMs - spareMs, lifeMs / 2) };
      return text;
    },
    forget() {
      token = undefined;
    },
  };
}

/** @throws ConfigurationError, ToolFailed in one line, without a word of either server. */
async function newToken(
  server: Pick<McpServer, 'name' | 'url'>,
  client: McpClient,
  secret: Key,
  ask: Fetch,
): Promise<OAuthTokens> {
  const who = `The authorization server of the MCP server ${server.name}`;
  const fetchFn = answering(who, ask);
  const resource = await resourceOf(server, client, ask);
  const metadata = await metadataOf(server.name, client, who, fetchFn);
  const provider = new ClientCredentialsProvider({
    clientId: settingOf(client.clientId),
    clientSecret: await secret.get(ask),
    scope: client.scope,
    expectedIssuer: metadata.issuer,
  });
  const tokens = await fetchToken(provider, metadata.issuer, { metadata, resource, fetchFn }).catch((error) => {
    throw inWords(error);
  });
  if (tokens.token_type.toLowerCase() === 'bearer' && isHeaderToken(tokens.access_token)) return tokens;
  throw new ConfigurationError(`${who} gives no bearer token.`);

  /** The error's own words may have the server's, or a part of a token. */
  function inWords(error: Error): Error {
    if (isInWords(error)) return error;
    if (!(error instanceof OAuthError)) return new ToolFailed(`${who} gave no token.`);
    const { code } = error;
    switch (code) {
      case 'invalid_client':
      case 'unauthorized_client':
        // A corrected secret must work at once.
        secret.forget();
        return refused(`the client (${code}): check "clientId" and the secret ${client.secret}`);
      case 'invalid_scope':
        return refused(`the scope (${code}): check "scope", and what the client may ask for`);
      case 'invalid_target':
        return refused(`the resource (${code}): check "resource"`);
      case 'temporarily_unavailable':
      case 'too_many_requests':
        return new ToolFailed(`${who} is not available.`);
      case 'server_error':
        // The SDK's word for an answer that has no code of OAuth.
        return new ConfigurationError(`${who} gives no tokens at ${metadata.token_endpoint}: check the address.`);
      default:
        return refused(`the request for a token (${code})`);
    }
  }
  function refused(what: string): ConfigurationError {
    return new ConfigurationError(`${who} refuses ${what}.`);
  }
}

/** Returns what the authorization server says about itself, or stands for it. */
async function metadataOf(
  server: string,
  { issuer, tokenUrl }: McpClient,
  who: string,
  fetchFn: Fetch,
): Promise<AuthorizationServerMetadata> {
  if (tokenUrl) {
    const { href, origin } = addressOf(server, 'auth.oauth.tokenUrl', tokenUrl);
    return { issuer: origin, authorization_endpoint: href, token_endpoint: href, response_types_supported: [] };
  }
  const address = addressOf(server, 'auth.oauth.issuer', issuer!).href;
  // A last slash more or less is checked below.
  const asked = { fetchFn, skipIssuerValidation: true };
  const metadata = await discoverAuthorizationServerMetadata(address, asked).catch((error) => {
    if (isInWords(error)) throw error;
    return undefined;
  });
  const problem = metadata
    ? isSame(metadata.issuer, address)
      ? addressProblem(metadata.token_endpoint)
      : 'calls itself by another name'
    : 'does not describe itself as RFC 8414 says: check "issuer", or set "tokenUrl" instead';
  if (!problem) return { ...metadata!, issuer: address };
  const what = metadata && isSame(metadata.issuer, address) ? `${who}: its token endpoint` : `${who} (${address})`;
  throw new ConfigurationError(`${what} ${problem}.`);
}

/** Returns for whom the token is. The MCP server may say so (RFC 9728), but only of its own address. */
async function resourceOf(
  { name, url }: Pick<McpServer, 'name' | 'url'>,
  { resource, issuer }: McpClient,
  ask: Fetch,
): Promise<string | undefined> {
  if (resource !== undefined) return resource || undefined;
  const own = addressOf(name, 'url', url);
  own.hash = '';
  const fetchFn = answering(`The MCP server ${name}`, ask);
  const metadata = await discoverOAuthProtectedResourceMetadata(own, undefined, fetchFn).catch((error) => {
    if (isInWords(error)) throw error;
    return undefined;
  });
  if (!metadata) return own.href;
  const { resource: said, authorization_servers: accepted = [] } = metadata;
  if (!urlIn(said) || !checkResourceAllowed({ requestedResource: own, configuredResource: said }))
    throw new ConfigurationError(`The MCP server ${name} wants tokens for another server: set "resource".`);
  if (issuer && accepted.length > 0 && !accepted.some((one) => isSame(one, settingOf(issuer)))) {
    const others = accepted.slice(0, 3).map((one) => clip(new URL(one).href, { characters: 200 }));
    throw new ConfigurationError(
      `MCP server ${name}: auth.oauth.issuer: the server takes no tokens of it, but of ${others.join(', ')}.`,
    );
  }
  return said;
}

/** Turns what may pass into errors that are retried, so that only a clear "no" counts as one. */
const answering =
  (who: string, ask: Fetch): Fetch =>
  async (url, init) => {
    const response = await ask(url, init).catch(() => {
      throw new ToolFailed(`${who} could not be reached.`);
    });
    const { status } = response;
    if (status < 500 && status !== 429) return response;
    await response.body?.cancel();
    const notBefore = retryAfter(response.headers, new Date());
    throw new ToolFailed(`${who} answered with status ${status}.`, { notBefore });
  };

const isInWords = ({ name }: Error): boolean => name === 'ToolFailed' || name === 'ConfigurationError';

/** Addresses are often written with and without a last slash. */
const isSame = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((address) => urlIn(address)?.href.replace(/\/$/, ''));
  return a === b && a !== undefined;
};
