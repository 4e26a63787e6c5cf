import type { Page } from 'playwright-core';
import { answered, send, visitedVigil } from './support/page/browser';
import { otherIssuer, signInPages } from './support/page/sign-in-pages';

// Who the page says that you are: signing in, staying signed in, signing out.

describe('a hosted page', () => {
  const { vigil, comes } = visitedVigil();
  const signOut = async (page: Page) => {
    await page.getByRole('button', { name: /Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('Signed out to').waitFor();
  };
  const kept = async (page: Page) => {
    await page.goto(`${vigil().url}/openapi.json`);
    return page.evaluate(() => Object.keys(sessionStorage));
  };

  test('signs in with a code, replaces the refresh token at each use, and revokes it when its user leaves (R124)', async () => {
    vigil().model.script(() => ({ text: 'Welcome.' }));
    const pages = signInPages(vigil().url, 'ada');
    const { page } = await comes('/', pages.options, pages.before);
    await page.getByText('ada@example.org').waitFor();
    expect(pages.requested).toEqual(['/oauth2/authorize', '/oauth2/token']);
    const [first] = pages.valid;
    await page.reload();
    await page.getByText('ada@example.org').waitFor();
    expect([...pages.valid]).not.toContain(first);

    // Everything that the page requests now is refused at first: a ticket and the message. One renewal serves both.
    await vigil().advance('PT16M');
    let refused = 0;
    pages.held = page.waitForResponse((response) => response.status() === 401 && ++refused === 2);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await send(page, 'Hello');
    await answered(page, 'Welcome.');
    expect(pages.requested).toEqual(['/oauth2/authorize', '/oauth2/token', '/oauth2/token', '/oauth2/token']);
    expect(pages.valid.size).toBe(1);

    await signOut(page);
    expect(pages.requested.slice(4)).toEqual(['/oauth2/revoke', '/logout']);
    expect(pages.valid.size).toBe(0);
    expect(await kept(page)).toEqual([]);
  });

  test('takes no ID token of another sign-in, which has another nonce (R124)', async () => {
    const pages = signInPages(vigil().url, 'mallory');
    pages.foreignNonce = 'of-another-sign-in';
    const { page } = await comes('/', pages.options, pages.before);
    await page.getByText('Sign-in failed').waitFor();
    await page.getByText('nonce').waitFor();
    expect(await kept(page)).toEqual([]);
  });

  test('signs in at another issuer, whose discovery document names its endpoints (R181)', async () => {
    const pages = signInPages(vigil().url, 'emmy', otherIssuer);
    const { page } = await comes('/', pages.options, pages.before);
    await page.getByText('emmy@example.org').waitFor();
    expect(pages.query).toMatchObject({ scope: otherIssuer.scope, audience: 'vigil', response_type: 'code' });
    // A throttled renewal is not a refusal: the user stays signed in.
    pages.isBusy = true;
    await page.reload();
    await page.getByText('Sign-in failed').waitFor();
    pages.isBusy = false;
    await page.reload();
    await page.getByText('emmy@example.org').waitFor();
    await signOut(page);
    const document = '/.well-known/openid-configuration';
    expect(pages.requested).toEqual([
      ...[document, '/oauth2/authorize', document, '/oauth2/token'],
      ...[document, '/oauth2/token', document, '/oauth2/token', '/oauth2/revoke', '/logout'],
    ]);
  });

  test('says so, and asks for no token again and again, if the API refuses those of the issuer (R181)', async () => {
    const pages = signInPages(vigil().url, 'mallory', otherIssuer);
    pages.refused = true;
    const { page } = await comes('/', pages.options, pages.before);
    await page.getByText('Not all of it could be loaded: The API refuses a token that has just been issued').waitFor();
    expect(pages.requested.filter((path) => path === '/oauth2/authorize')).toHaveLength(1);
  });

  test('forgets who was signed in even if the sign-in service cannot be reached (R124)', async () => {
    const pages = signInPages(vigil().url, 'grace');
    const { page } = await comes('/', pages.options, pages.before);
    await page.getByText('grace@example.org').waitFor();
    pages.isDown = true;
    await signOut(page);
    expect(pages.requested.slice(2)).toEqual(['/oauth2/revoke', '/logout']);
    expect(await kept(page)).toEqual([]);
  });
});
