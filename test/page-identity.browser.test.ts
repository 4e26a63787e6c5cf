import type { Page } from 'playwright-core';
import {
  answered,
  barriers,
  everyImpact,
  fitsEverywhere,
  phone,
  send,
  sendNow,
  visitedVigil,
} from './support/page/browser';
import { otherIssuer, signInPages } from './support/page/sign-in-pages';
import { call } from './support/stories/transcript';

// Who the page says that you are: signing in, staying signed in, signing out.

const { vigil, comes, comesTo } = visitedVigil();

describe('a hosted page', () => {
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

  test('takes no ID token of another sign-in, which has another nonce, and says so without a barrier (R85, R124)', async () => {
    const pages = signInPages(vigil().url, 'mallory');
    pages.foreignNonce = 'of-another-sign-in';
    const { page, show } = await comes('/', pages.options, pages.before);
    await page.getByText('Sign-in failed').waitFor();
    await page.getByText('nonce').waitFor();
    await fitsEverywhere({ page, show }, 'sign-in-failed', everyImpact);
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
      document,
      '/oauth2/authorize',
      document,
      '/oauth2/token',
      document,
      '/oauth2/token',
      document,
      '/oauth2/token',
      '/oauth2/revoke',
      '/logout',
    ]);
  });

  test('says so, and asks for no token again and again, if the API refuses those of the issuer (R181)', async () => {
    const pages = signInPages(vigil().url, 'mallory', otherIssuer);
    pages.refused = true;
    const { page, show } = await comes('/', pages.options, pages.before);
    await page.getByText('Not all of it could be loaded: The API refuses a token that has just been issued').waitFor();
    await fitsEverywhere({ page, show }, 'tokens-refused', everyImpact);
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

describe('the people of a laptop', () => {
  /** Ada's conversation, in which finance decides about a refund. */
  async function asked(cents: number) {
    vigil().model.script([call(`c${cents}`, 'refund', { cents }), { text: 'Refunded.' }]);
    const ada = await vigil().user('ada');
    const { id } = await ada.start('cashier', 'My parcel was broken');
    await ada.waiting(id);
    return { ada, id };
  }
  const menu = (page: Page) => page.getByRole('button', { name: /Signed in as/ }).click();
  const people = async (page: Page) => {
    await menu(page);
    await page.getByRole('menuitem', { name: 'People…' }).click();
    return page.getByRole('dialog', { name: 'People' });
  };

  test('one of finance is made in the menu, and decides what the owner may not; without her, the page is ada’s again (R124, R147)', async () => {
    const { ada, id } = await asked(5_000);
    const { page, show } = await comesTo(id, { colorScheme: 'light' });
    await page.getByText(/^needs the approval of finance until/).waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);

    const dialog = await people(page);
    const name = dialog.getByLabel('Name');
    await name.fill('grace');
    await name.press('Enter');
    await dialog.getByRole('alert').getByText('There is a person grace already').waitFor();
    await name.fill('fay of finance');
    await name.press('Enter');
    await dialog.getByRole('alert').getByText('It must be 1 to 128 letters').waitFor();
    await name.fill('fay');
    await dialog.getByLabel('finance').check();
    await dialog.getByLabel(/^Other groups/).fill('staff auditors');
    await show('people-light');
    expect(await barriers(page)).toEqual([]);
    await name.press('Enter');
    await dialog.getByText('fay is added.').waitFor();
    await page.keyboard.press('Escape');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize(phone.viewport!);
    await page.getByRole('button', { name: 'List' }).click();
    await (await people(page)).getByText('finance, staff, auditors').waitFor();
    await show('people-phone-dark');
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await menu(page);
    await show('people-menu-phone-dark');
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1_360, height: 860 });

    await menu(page);
    await page.getByRole('menuitemradio', { name: 'fay finance, staff, auditors' }).click();
    const card = page.getByRole('article', { name: 'refund' });
    await card.getByRole('button', { name: 'Approve' }).click();
    await sendNow(card);
    await card.waitFor({ state: 'detached' });
    expect((await ada.finished(id)).calls).toMatchObject([{ result: { refunded: 5_000 } }]);

    await (await people(page)).getByRole('button', { name: 'Remove fay' }).click();
    await page.getByRole('button', { name: 'Signed in as ada' }).waitFor();
    await menu(page);
    await page.getByRole('menuitemradio', { name: 'grace' }).waitFor();
    expect(await page.getByRole('menuitemradio').allTextContents()).toEqual(['ada', 'grace']);
  });

  test('two of them are side by side in one window, each with a page, a token and a socket (R124)', async () => {
    const { page, show } = await comes('/', { colorScheme: 'light', viewport: { width: 1_440, height: 900 } });
    const dialog = await people(page);
    await dialog.getByLabel('Name').fill('fay');
    await dialog.getByLabel('finance').check();
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByText('fay is added.').waitFor();
    await page.keyboard.press('Escape');
    await menu(page);
    await page.getByRole('menuitem', { name: 'Two people side by side' }).click();
    await page.getByLabel('Right').getByRole('combobox').selectOption('fay');
    const frameOf = (name: string) => page.frameLocator(`iframe[title="The page of ${name}"]`);
    const [left, right] = [frameOf('ada'), frameOf('fay')];
    await left.getByRole('button', { name: 'Signed in as ada' }).waitFor();
    await right.getByRole('button', { name: 'Signed in as fay' }).waitFor();

    const { ada, id } = await asked(7_000);
    await left
      .getByRole('link', { name: /My parcel was broken/ })
      .first()
      .click();
    await left.getByText(/^needs the approval of finance until/).waitFor();
    const card = right.getByRole('article', { name: 'refund' });
    await card.getByRole('button', { name: 'Approve' }).waitFor();
    await show('side-by-side-1440-light');
    expect(await barriers(page)).toEqual([]);
    await page.setViewportSize({ width: 1_024, height: 768 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await show('side-by-side-1024-dark');
    await page.setViewportSize(phone.viewport!);
    await page.getByRole('button', { name: 'fay' }).click();
    await show('side-by-side-phone-dark');
    expect(await barriers(page)).toEqual([]);
    await card.getByRole('button', { name: 'Approve' }).click();
    await sendNow(card);
    await card.waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 1_440, height: 900 });
    await left.locator('article').getByText('Refunded.').waitFor();
    await ada.finished(id);

    vigil().model.script(() => ({ text: 'Hello.' }));
    await right.getByLabel('Message', { exact: true }).fill('Written by fay');
    await right.getByLabel('Message', { exact: true }).press('Enter');
    await right.locator('article').getByText('Hello.').waitFor();
    expect(await left.getByText('Written by fay').count()).toBe(0);

    await page.reload();
    await frameOf('fay').getByRole('button', { name: 'Signed in as fay' }).waitFor();
    await page.getByRole('link', { name: 'Back to one person' }).click();
    await page.getByRole('button', { name: 'Signed in as ada' }).waitFor();
  });
});
