import type { AuthorizationServer } from 'oauth4webapi';
import { t } from '../languages/catalogue';
import { type Config, claimsIn } from './session';

/** The pure parts of the sign-in. */
export type SignInConfig = Exclude<Config, { mode: 'local' }>;
type CognitoConfig = Extract<Config, { mode: 'cognito' }>;

/** The data stored while the browser is at the sign-in page. */
export interface Departure {
  verifier: string;
  state: string;
  nonce: string;
  /** The place in the page to return to. */
  hash: string;
}

/** The construct's own user pool. Its endpoints need no request for a discovery document. */
export const serverOf = ({ issuer, domain }: Pick<CognitoConfig, 'issuer' | 'domain'>): AuthorizationServer => ({
  issuer,
  authorization_endpoint: `${domain}/oauth2/authorize`,
  token_endpoint: `${domain}/oauth2/token`,
  revocation_endpoint: `${domain}/oauth2/revoke`,
  end_session_endpoint: `${domain}/logout`,
});

export interface SignInRequest {
  challenge: string;
  state: string;
  nonce: string;
  redirectUri: string;
}

/** The scope that the API requires is the last one (`infra/page/user-directory.ts`). */
const ownScope = 'openid email vigil/api';

export function signInUrl(
  server: AuthorizationServer,
  config: Pick<SignInConfig, 'clientId'> & { scope?: string; parameters?: Record<string, string> },
  { challenge, state, nonce, redirectUri }: SignInRequest,
): string {
  return withQuery(server.authorization_endpoint!, {
    ...config.parameters,
    response_type: 'code',
    client_id: config.clientId,
    redirect_uri: redirectUri,
    scope: config.scope ?? ownScope,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state,
    // For users of another identity provider, Cognito makes a nonce of its own if it gets none. The page would refuse it.
    nonce,
  });
}

/**
 * Returns where the user's session at the issuer ends. Without such an address, the page itself: the issuer then decides
 * whether the user has to sign in again.
 */
export function signOutUrl({ end_session_endpoint: end }: AuthorizationServer, query: SignOutRequest): string {
  const { clientId, redirectUri, idToken } = query;
  if (!end) return redirectUri;
  return withQuery(end, {
    client_id: clientId,
    post_logout_redirect_uri: redirectUri,
    // What Cognito calls it.
    logout_uri: redirectUri,
    ...(idToken && { id_token_hint: idToken }),
  });
}

export interface SignOutRequest {
  clientId: string;
  redirectUri: string;
  idToken?: string;
}

/** An endpoint may have a query of its own. */
function withQuery(endpoint: string, query: Record<string, string>): string {
  const url = new URL(endpoint);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

export function departureOf(stored: string | null): Departure | undefined {
  try {
    const { verifier, state, nonce, hash } = JSON.parse(stored ?? '') as Partial<Departure>;
    return verifier && state && nonce ? { verifier, state, nonce, hash: hash?.startsWith('#') ? hash : '' } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a name for display only. */
export function nameIn(idToken?: string): string {
  const claims = claimsIn(idToken);
  const found = ['email', 'cognito:username', 'preferred_username', 'name'].find((name) => claims[name]);
  return String(found ? claims[found] : t('you'));
}
