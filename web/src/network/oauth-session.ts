import * as oauth from 'oauth4webapi';
import { problemOf } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import type { Session } from './session';
import { type Departure, departureOf, nameIn, type SignInConfig, serverOf, signInUrl, signOutUrl } from './sign-in';

const departureKey = 'vigil.departure';
const refreshKey = 'vigil.refresh';
const earlyMs = 60_000;
/** For each thing that a sign-out waits for. */
const patienceMs = 3_000;

/**
 * Signs in on the issuer's pages with the authorization code flow and PKCE, as a public client. The access token stays in
 * memory. The refresh token stays in the tab's storage, so a reload needs no new sign-in.
 *
 * @returns undefined while the browser is on its way to the sign-in page.
 */
export async function oauthSession(config: SignInConfig): Promise<Session | undefined> {
  const server = config.mode === 'cognito' ? serverOf(config) : await discovered(config.issuer);
  const client: oauth.Client = { client_id: config.clientId };
  const none = oauth.None();
  let tokens: oauth.TokenEndpointResponse | undefined;
  let goodUntil = 0;
  let renewal: Promise<void> | undefined;
  let signedOut = false;

  const keep = (answer: oauth.TokenEndpointResponse) => {
    tokens = answer;
    goodUntil = Date.now() + (answer.expires_in ?? 3_600) * 1_000 - earlyMs;
    if (answer.refresh_token && !signedOut) sessionStorage.setItem(refreshKey, answer.refresh_token);
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
    const expected = { expectedNonce: departure.nonce, requireIdToken: true };
    keep(await oauth.processAuthorizationCodeResponse(server, client, grant, expected));
    return true;
  }

  async function refresh(): Promise<boolean> {
    const kept = sessionStorage.getItem(refreshKey);
    if (!kept) return false;
    const response = await oauth.refreshTokenGrantRequest(server, client, none, kept);
    // Not a refusal: the token stays good. A 429 is the issuer's throttle.
    if (response.status >= 500 || response.status === 429) throw await problemOf(response);
    try {
      keep(await oauth.processRefreshTokenResponse(server, client, response));
      return true;
    } catch {
      sessionStorage.removeItem(refreshKey);
      return false;
    }
  }

  async function depart(): Promise<void> {
    const departure: Departure = {
      verifier: oauth.generateRandomCodeVerifier(),
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      hash: location.hash,
    };
    sessionStorage.setItem(departureKey, JSON.stringify(departure));
    const challenge = await oauth.calculatePKCECodeChallenge(departure.verifier);
    const { state, nonce } = departure;
    location.assign(signInUrl(server, config, { challenge, state, nonce, redirectUri: redirectUri() }));
  }

  /** Parallel requests share one renewal, because each renewal replaces the refresh token. */
  function renew(): Promise<void> {
    renewal ??= renewOnce().finally(() => {
      renewal = undefined;
    });
    return renewal;
  }

  async function renewOnce(): Promise<void> {
    if (!signedOut) {
      if (await refresh()) return;
      // Another sign-in would bring such a token again, and the page would never stop asking for one.
      if (Date.now() < goodUntil)
        throw new Error(
          t('The API refuses a token that has just been issued: compare its issuer, audience and scopes.'),
        );
      await depart();
    }
    // The page is being left, so this promise never resolves.
    await new Promise(() => undefined);
  }

  /**
   * Ends the session at the issuer, too: a stolen copy of the refresh token cannot be used any more. If the issuer does
   * not respond in time, the tab forgets the token all the same.
   */
  async function signOut(): Promise<void> {
    // A renewal in progress is about to replace the refresh token.
    await Promise.race([renewal?.catch(() => undefined), pause(patienceMs)]);
    const kept = sessionStorage.getItem(refreshKey);
    // The next user of the tab finds neither the token nor unsent messages.
    signedOut = true;
    sessionStorage.clear();
    if (kept && server.revocation_endpoint) {
      const signal = AbortSignal.timeout(patienceMs);
      await oauth.revocationRequest(server, client, none, kept, { signal }).catch(() => undefined);
    }
    const { clientId } = config;
    location.assign(signOutUrl(server, { clientId, redirectUri: redirectUri(), idToken: tokens?.id_token }));
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
    signOut: () => void signOut(),
  };
}

/** The document must name the issuer that it was asked for. */
async function discovered(issuer: string): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer);
  return oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url));
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const redirectUri = (): string => `${location.origin}/`;
