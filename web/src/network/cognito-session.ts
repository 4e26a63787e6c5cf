import * as oauth from 'oauth4webapi';
import { problemOf } from './problem';
import type { Config, Session } from './session';

type CognitoConfig = Extract<Config, { mode: 'cognito' }>;

/** What is kept while the browser is away at the sign-in page. */
interface Departure {
  verifier: string;
  state: string;
  /** Where the person was. */
  hash: string;
}

const departureKey = 'vigil.departure';
const refreshKey = 'vigil.refresh';
const earlyMs = 60_000;

/**
 * Sign-in by Cognito's hosted pages: the authorization code flow with PKCE, for a public client.
 * The access token lives in memory; the refresh token in this tab's storage, so that a reload need not sign in again.
 *
 * @returns nothing when the browser is on its way to the sign-in page.
 */
export async function cognitoSession(config: CognitoConfig): Promise<Session | undefined> {
  const server = serverOf(config);
  const client: oauth.Client = { client_id: config.clientId };
  const none = oauth.None();
  let tokens: oauth.TokenEndpointResponse | undefined;
  let goodUntil = 0;

  const keep = (answer: oauth.TokenEndpointResponse) => {
    tokens = answer;
    goodUntil = Date.now() + (answer.expires_in ?? 3_600) * 1_000 - earlyMs;
    if (answer.refresh_token) sessionStorage.setItem(refreshKey, answer.refresh_token);
  };

  async function arrive(): Promise<boolean> {
    const departure = departureOf(sessionStorage.getItem(departureKey));
    const url = new URL(location.href);
    if (!departure || !url.searchParams.has('state')) return false;
    sessionStorage.removeItem(departureKey);
    history.replaceState(null, '', `/${departure.hash}`);
    const answer = oauth.validateAuthResponse(server, client, url, departure.state);
    const grant = await oauth.authorizationCodeGrantRequest(
      ...([server, client, none, answer, redirectUri(), departure.verifier] as const),
    );
    keep(await oauth.processAuthorizationCodeResponse(server, client, grant));
    return true;
  }

  async function refresh(): Promise<boolean> {
    const kept = sessionStorage.getItem(refreshKey);
    if (!kept) return false;
    const response = await oauth.refreshTokenGrantRequest(server, client, none, kept);
    if (response.status >= 500) throw await problemOf(response);
    try {
      keep(await oauth.processRefreshTokenResponse(server, client, response));
      return true;
    } catch {
      sessionStorage.removeItem(refreshKey);
      return false;
    }
  }

  async function depart(): Promise<void> {
    const departure = {
      verifier: oauth.generateRandomCodeVerifier(),
      state: oauth.generateRandomState(),
      hash: location.hash,
    };
    sessionStorage.setItem(departureKey, JSON.stringify(departure));
    const challenge = await oauth.calculatePKCECodeChallenge(departure.verifier);
    location.assign(signInUrl(config, { challenge, state: departure.state, redirectUri: redirectUri() }));
  }

  async function renew(): Promise<void> {
    if (await refresh()) return;
    await depart();
    // The page is left: whoever waits for a token waits on.
    await new Promise(() => undefined);
  }

  if (!(await arrive()) && !(await refresh())) {
    await depart();
    return undefined;
  }
  return {
    user: nameIn(tokens!.id_token),
    apiUrl: config.apiUrl.replace(/\/$/, ''),
    renew,
    async token() {
      if (Date.now() > goodUntil) await renew();
      return tokens!.access_token;
    },
    signOut() {
      sessionStorage.removeItem(refreshKey);
      const query = new URLSearchParams({ client_id: config.clientId, logout_uri: redirectUri() });
      location.assign(`${config.domain}/logout?${query}`);
    },
  };
}

const redirectUri = (): string => `${location.origin}/`;

/** Cognito's own document names endpoints of the pool; the hosted pages' are under the domain. */
export const serverOf = ({ issuer, domain }: Pick<CognitoConfig, 'issuer' | 'domain'>): oauth.AuthorizationServer => ({
  issuer,
  authorization_endpoint: `${domain}/oauth2/authorize`,
  token_endpoint: `${domain}/oauth2/token`,
});

export function signInUrl(
  config: Pick<CognitoConfig, 'domain' | 'clientId'>,
  { challenge, state, redirectUri }: { challenge: string; state: string; redirectUri: string },
): string {
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: config.clientId, redirect_uri: redirectUri, scope: 'openid email' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', state },
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

/** For the person to read only: the API verifies the token, not the page. */
export function nameIn(idToken = ''): string {
  try {
    const payload = (idToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const claims = JSON.parse(atob(payload)) as Record<string, unknown>;
    return String(claims.email ?? claims['cognito:username'] ?? 'you');
  } catch {
    return 'you';
  }
}
