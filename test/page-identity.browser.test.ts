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

const { vigil, comes } = visitedVigil();

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
    const visitor = await comes('/', pages.options, pages.before);
    const { page } = visitor;
    await page.getByText('Sign-in failed').waitFor();
    await page.getByText('nonce').waitFor();
    await fitsEverywhere(visitor, 'sign-in-failed', everyImpact);
    expect(await kept(page)).toEqual([]);
  });

  test('signs in at another issuer, whose discovery document names its endpoints, and forgets who was signed in even if it is down (R124, R181)', async () => {
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
    pages.isDown = true;
    await signOut(page);
    expect(await kept(page)).toEqual([]);
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
    const { page } = await comes('/', pages.options, pages.before);
    await page.getByText('Not all of it could be loaded: The API refuses a token that has just been issued').waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(pages.requested.filter((path) => path === '/oauth2/authorize')).toHaveLength(1);
  });
});

test('the people of a laptop are made in the menu and work side by side: one of finance decides what the owner may not (R124, R147)', async () => {
  const { page } = await comes('/', { viewport: { width: 1_440, height: 900 } });
  const menu = () => page.getByRole('button', { name: /Signed in as/ }).click();
  const people = async () => {
    await menu();
    await page.getByRole('menuitem', { name: 'People…' }).click();
    return page.getByRole('dialog', { name: 'People' });
  };
  const dialog = await people();
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
  await name.press('Enter');
  await dialog.getByText('fay is added.').waitFor();
  await dialog.getByText('finance, staff, auditors').waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Escape');

  // Each has a page, a token and a socket.
  await menu();
  await page.getByRole('menuitem', { name: 'Two people side by side' }).click();
  await page.getByLabel('Right').getByRole('combobox').selectOption('fay');
  const frameOf = (user: string) => page.frameLocator(`iframe[title="The page of ${user}"]`);
  const [left, right] = [frameOf('ada'), frameOf('fay')];
  await left.getByRole('button', { name: 'Signed in as ada' }).waitFor();
  await right.getByRole('button', { name: 'Signed in as fay' }).waitFor();
  vigil().model.script([call('c', 'refund', { cents: 7_000 }), { text: 'Refunded.' }]);
  const ada = await vigil().user('ada');
  const { id } = await ada.start('cashier', 'My parcel was broken');
  await ada.waiting(id);
  await left
    .getByRole('link', { name: /My parcel was broken/ })
    .first()
    .click();
  await left.getByText(/^needs the approval of finance until/).waitFor();
  expect(await left.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  const card = right.getByRole('article', { name: 'refund' });
  await card.getByRole('button', { name: 'Approve' }).waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.setViewportSize(phone.viewport!);
  await page.getByRole('button', { name: 'fay' }).click();
  await card.getByRole('button', { name: 'Approve' }).click();
  await sendNow(card);
  await card.waitFor({ state: 'detached' });
  await page.setViewportSize({ width: 1_440, height: 900 });
  await left.locator('article').getByText('Refunded.').waitFor();
  expect((await ada.finished(id)).calls).toMatchObject([{ result: { refunded: 7_000 } }]);
  vigil().model.script(() => ({ text: 'Hello.' }));
  await right.getByLabel('Message', { exact: true }).fill('Written by fay');
  await right.getByLabel('Message', { exact: true }).press('Enter');
  await right.locator('article').getByText('Hello.').waitFor();
  expect(await left.getByText('Written by fay').count()).toBe(0);
  await page.reload();
  await frameOf('fay').getByRole('button', { name: 'Signed in as fay' }).waitFor();
  await page.getByRole('link', { name: 'Back to one person' }).click();

  // Without her, the page is ada's again.
  await menu();
  await page.getByRole('menuitemradio', { name: 'fay finance, staff, auditors' }).click();
  await page.getByRole('button', { name: 'Signed in as fay' }).waitFor();
  await (await people()).getByRole('button', { name: 'Remove fay' }).click();
  await page.getByRole('button', { name: 'Signed in as ada' }).waitFor();
  await menu();
  await page.getByRole('menuitemradio', { name: 'grace' }).waitFor();
  expect(await page.getByRole('menuitemradio').allTextContents()).toEqual(['ada', 'grace']);
});
