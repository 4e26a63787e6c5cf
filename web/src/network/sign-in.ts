import type { AuthorizationServer } from 'oauth4webapi';
import { type Config, claimsIn } from './session';

/** The pure parts of the sign-in. */
export type CognitoConfig = Extract<Config, { mode: 'cognito' }>;

/** What is stored while the browser is at the sign-in page. */
export interface Departure {
  verifier: string;
  state: string;
  /** The place in the page to return to. */
  hash: string;
}

/** Cognito's discovery document names the pool's endpoints, but those of the hosted pages are under the domain. */
export const serverOf = ({ issuer, domain }: Pick<CognitoConfig, 'issuer' | 'domain'>): AuthorizationServer => ({
  issuer,
  authorization_endpoint: `${domain}/oauth2/authorize`,
  token_endpoint: `${domain}/oauth2/token`,
  revocation_endpoint: `${domain}/oauth2/revoke`,
});

export function signInUrl(
  config: Pick<CognitoConfig, 'domain' | 'clientId'>,
  { challenge, state, redirectUri }: { challenge: string; state: string; redirectUri: string },
): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: config.clientId,
    redirect_uri: redirectUri,
    // The API requires the last one (`infra/page/user-directory.ts`).
    scope: 'openid email vigil/api',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state,
  });
  return `${config.domain}/oauth2/authorize?${query}`;
}

export function departureOf(stored: string | null): Departure | undefined {
  try {
    const { verifier, state, hash } = JSON.parse(stored ?? '') as Partial<Departure>;
    return verifier && state ? { verifier, state, hash: hash?.startsWith('#') ? hash : '' } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a name for display only. */
export function nameIn(idToken?: string): string {
  const { email, 'cognito:username': name } = claimsIn(idToken);
  return String(email ?? name ?? 'you');
}
