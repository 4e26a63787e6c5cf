import { createHash, createPrivateKey, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SignJWT } from 'jose';
import type { BrowserContextOptions, Page, Route } from 'playwright-core';
import { identityKey } from './compile-cloud';

/**
 * Cognito's sign-in pages, as far as the page knows them: the code flow with PKCE, refresh tokens that are replaced when
 * used, revocation and sign-out. The browser's requests to `domain` end here.
 */
export interface SignInPages {
  /** For the visitor. The local cloud's security policy does not know the domain; that of the stack does. */
  options: BrowserContextOptions;
  /** Prepares a page for them. */
  before(page: Page): Promise<void>;
  /** The paths that were requested, in order. */
  requested: string[];
  /** Refresh tokens that work. */
  valid: Set<string>;
  /** What the next tokens wait for. */
  held?: Promise<unknown>;
  /** While true, the revocation is not answered. */
  isDown: boolean;
}

const domain = 'https://sign-in.test';
const issuer = 'https://cognito-idp.test/pool';
const clientId = 'page';
const config = { mode: 'cognito', issuer, clientId, domain, apiUrl: '/' };

/** @param url the local cloud, which signs the access tokens. */
export function signInPages(url: string, user: string): SignInPages {
  let challenge = '';
  let code = '';
  const pages: SignInPages = {
    options: { bypassCSP: true },
    requested: [],
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
    if (pathname === '/oauth2/authorize') {
      challenge = searchParams.get('code_challenge')!;
      code = randomUUID();
      const back = `${searchParams.get('redirect_uri')}?${new URLSearchParams({ code, state: searchParams.get('state')! })}`;
      const body = `<meta http-equiv="refresh" content="0;url=${back.replaceAll('&', '&amp;')}">`;
      return route.fulfill({ contentType: 'text/html', body });
    }
    if (pathname === '/oauth2/token') {
      await pages.held;
      if (!mayHaveTokens(fields)) return route.fulfill({ status: 400, headers, json: { error: 'invalid_grant' } });
      return route.fulfill({ headers, json: await tokens() });
    }
    if (pathname === '/oauth2/revoke') {
      if (pages.isDown) return route.abort();
      if (fields.get('client_id') === clientId) pages.valid.delete(fields.get('token')!);
      return route.fulfill({ headers });
    }
    return route.fulfill({
      contentType: 'text/html',
      body: `<h1>Signed out to ${searchParams.get('logout_uri')}</h1>`,
    });
  }

  function mayHaveTokens(fields: URLSearchParams): boolean {
    if (fields.get('client_id') !== clientId) return false;
    if (fields.get('grant_type') === 'refresh_token') return pages.valid.delete(fields.get('refresh_token')!);
    const verifier = createHash('sha256').update(fields.get('code_verifier')!).digest('base64url');
    return fields.get('code') === code && verifier === challenge;
  }

  async function tokens(): Promise<object> {
    const init = { method: 'POST', body: JSON.stringify({ user }) };
    const { token } = (await (await fetch(`${url}/_local/token`, init)).json()) as { token: string };
    const refresh = randomUUID();
    pages.valid.add(refresh);
    const idToken = new SignJWT({ email: `${user}@example.org`, token_use: 'id' })
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer(issuer)
      .setAudience(clientId)
      .setSubject(user)
      .setIssuedAt()
      .setExpirationTime('15m')
      .sign(createPrivateKey(readFileSync(identityKey)));
    return {
      ...{ access_token: token, id_token: await idToken, refresh_token: refresh },
      ...{ token_type: 'Bearer', expires_in: 900 },
    };
  }

  return pages;
}
