import { createHash, createPrivateKey, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SignJWT } from 'jose';
import type { BrowserContextOptions, Page, Route } from 'playwright-core';
import { identityKey } from '../clouds/compile-cloud';

/**
 * Cognito's sign-in pages, or those of another issuer, as far as the page knows them: the code flow with PKCE, refresh tokens that are replaced when
 * used, revocation and sign-out. The browser's requests to `domain` end here.
 */
export interface SignInPages {
  /** For the visitor. The local cloud's security policy does not know the domain; that of the stack does. */
  options: BrowserContextOptions;
  /** Prepares a page for them. */
  before(page: Page): Promise<void>;
  /** The paths that were requested, in order. */
  requested: string[];
  /** The query of the last sign-in. */
  query: Record<string, string>;
  /** Refresh tokens that work. */
  valid: Set<string>;
  /** What the next tokens wait for. */
  held?: Promise<unknown>;
  /** While true, the revocation is not answered. */
  isDown: boolean;
  /** While true, the issuer throttles: it gives no tokens. */
  isBusy?: boolean;
  /** While true, tokens are for another API, and there are no refresh tokens. */
  refused?: boolean;
  /** A nonce of another sign-in, which the next ID token has. */
  foreignNonce?: string;
}

const domain = 'https://sign-in.test';
const clientId = 'page';
const pool = { mode: 'cognito', issuer: 'https://cognito-idp.test/pool', clientId, domain, apiUrl: '/' };
export const otherIssuer = {
  mode: 'oidc',
  issuer: domain,
  clientId,
  apiUrl: '/',
  scope: 'openid offline_access vigil',
  parameters: { audience: 'vigil' },
};

const discovery = {
  issuer: domain,
  authorization_endpoint: `${domain}/oauth2/authorize`,
  token_endpoint: `${domain}/oauth2/token`,
  revocation_endpoint: `${domain}/oauth2/revoke`,
  end_session_endpoint: `${domain}/logout`,
};

/** @param url the local cloud, which signs the access tokens. */
export function signInPages(url: string, user: string, config: typeof pool | typeof otherIssuer = pool): SignInPages {
  const { issuer } = config;
  let challenge = '';
  let code = '';
  let nonce = '';
  const pages: SignInPages = {
    options: { bypassCSP: true },
    requested: [],
    query: {},
    valid: new Set(),
    isDown: false,
    async before(page) {
      await page.route('**/config.json', (route) => route.fulfill({ json: config }));
      await page.route(`${domain}/**`, answer);
    },
  };

  async function answer(route: Route): Promise<void> {
    const { pathname, searchParams } = new URL(route.request().url());
    const fields = new URLSearchParams(route.request().postData() ?? '');
    const headers = { 'access-control-allow-origin': '*' };
    pages.requested.push(pathname);
    if (pathname === '/.well-known/openid-configuration') return route.fulfill({ headers, json: discovery });
    if (pathname === '/oauth2/authorize') {
      pages.query = Object.fromEntries(searchParams);
      challenge = searchParams.get('code_challenge')!;
      code = randomUUID();
      // As Cognito does for users of another identity provider.
      nonce = searchParams.get('nonce') ?? randomUUID();
      const back = `${searchParams.get('redirect_uri')}?${new URLSearchParams({ code, state: searchParams.get('state')! })}`;
      const body = `<meta http-equiv="refresh" content="0;url=${back.replaceAll('&', '&amp;')}">`;
      return route.fulfill({ contentType: 'text/html', body });
    }
    if (pathname === '/oauth2/token') {
      await pages.held;
      if (pages.isBusy) return route.fulfill({ status: 429, headers, json: { error: 'slow_down' } });
      if (!mayHaveTokens(fields)) return route.fulfill({ status: 400, headers, json: { error: 'invalid_grant' } });
      return route.fulfill({ headers, json: await tokens(fields.get('grant_type')!) });
    }
    if (pathname === '/oauth2/revoke') {
      if (pages.isDown) return route.abort();
      if (fields.get('client_id') === clientId) pages.valid.delete(fields.get('token')!);
      return route.fulfill({ headers });
    }
    return route.fulfill({
      contentType: 'text/html',
      body: `<h1>Signed out to ${searchParams.get('post_logout_redirect_uri')}</h1>`,
    });
  }

  function mayHaveTokens(fields: URLSearchParams): boolean {
    if (fields.get('client_id') !== clientId) return false;
    if (fields.get('grant_type') === 'refresh_token') return pages.valid.delete(fields.get('refresh_token')!);
    const verifier = createHash('sha256').update(fields.get('code_verifier')!).digest('base64url');
    return fields.get('code') === code && verifier === challenge;
  }

  async function tokens(grant: string): Promise<object> {
    const init = { method: 'POST', body: JSON.stringify({ user }) };
    const { token } = (await (await fetch(`${url}/_local/token`, init)).json()) as { token: string };
    const refresh = randomUUID();
    pages.valid.add(refresh);
    const idToken = new SignJWT({
      email: `${user}@example.org`,
      token_use: 'id',
      ...(grant === 'authorization_code' && { nonce: pages.foreignNonce ?? nonce }),
    })
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer(issuer)
      .setAudience(clientId)
      .setSubject(user)
      .setIssuedAt()
      .setExpirationTime('15m')
      .sign(createPrivateKey(readFileSync(identityKey)));
    return {
      access_token: pages.refused ? await idToken : token,
      id_token: await idToken,
      ...(!pages.refused && { refresh_token: refresh }),
      token_type: 'Bearer',
      expires_in: 900,
    };
  }

  return pages;
}
