import type { Locator, Page } from 'playwright-core';
import { themeCss } from '../infra/page/theme';
import { answered, appeared, barriers, field, focusIsOn, stands, visitedVigil } from './support/page/browser';
import { call } from './support/stories/transcript';

// What a reader sets about the page, what the palette does, and what a deployment sets about its look.

const desk = { colorScheme: 'light', viewport: { width: 1_280, height: 860 } } as const;

const scheme = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const tint = (page: Page) => page.locator('meta[name=theme-color]').getAttribute('content');
const light = 'rgb(252, 251, 249)';
const dark = 'rgb(21, 21, 23)';

async function opensSettings(page: Page) {
  await page.getByRole('button', { name: /Signed in as/ }).click();
  await page.getByRole('menuitem', { name: 'Settings…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByLabel('Reminders that are due').waitFor();
  return dialog;
}

const picks = (dialog: Locator, words: string) => dialog.locator('label').getByText(words, { exact: true }).click();

const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });
async function types(page: Page, words: string) {
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder(/^(Find a|Unterhaltung)/).fill(words);
}

describe('settings, palette and theme', () => {
  const { vigil, comesAs, signsInAs, talk } = visitedVigil();

  test('theme and density are chosen in one place, hold before anything is painted, in all windows, and leave forced colours alone; so are language and dates (R256, R257)', async () => {
    vigil().model.script(() => ({ text: 'Look:\n\n```js\nconst x = 1;\n```\n\n$$x^2$$' }));
    const id = await talk('painter', 'tester', 'Paint it');
    const { page } = await comesAs('painter', id, desk);
    await answered(page, 'Look:');
    const keyword = page.locator('.hljs-keyword');
    const colours = () => keyword.evaluate((element) => getComputedStyle(element).color);
    await keyword.waitFor();
    const inLight = await colours();
    expect([await ground(page), await tint(page)]).toEqual([light, light]);
    // A second window of the same browser.
    const other = await page.context().newPage();
    await signsInAs(other, () => 'painter');
    await other.goto(page.url());
    await answered(other, 'Look:');

    const dialog = await opensSettings(page);
    await picks(dialog, 'Dark');
    expect([await scheme(page), await ground(page), await tint(page)]).toEqual(['dark', dark, dark]);
    expect(await colours()).not.toBe(inLight);
    await other.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
    expect([await ground(other), await tint(other)]).toEqual([dark, dark]);

    const height = (one: Page) => field(one).evaluate((element) => element.getBoundingClientRect().top);
    const before = await height(page);
    await picks(dialog, 'Compact');
    expect(await height(page)).toBeGreaterThan(before);
    await other.waitForFunction(() => document.documentElement.dataset.density === 'compact');
    await page.keyboard.press('Escape');
    await focusIsOn(page, 'Signed in as');
    expect(await barriers(page)).toEqual([]);

    // At the first paint, the choice holds already, though the system is light.
    await other.addInitScript(() => {
      const seen: (string | undefined)[] = [];
      Object.assign(globalThis, { seen });
      const look = () => {
        if (document.body) seen.push(getComputedStyle(document.body).backgroundColor);
        if (seen.length < 5) requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await other.reload();
    await answered(other, 'Look:');
    const seen = await other.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
    expect(new Set(seen)).toEqual(new Set([dark]));

    // The reader's own colours stay.
    await other.emulateMedia({ forcedColors: 'active', colorScheme: 'light' });
    expect(await scheme(other)).toBe('light dark');
    await other.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });

    await picks(await opensSettings(page), 'System');
    expect([await scheme(page), await ground(page)]).toEqual(['light dark', light]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.waitForFunction(
      (colour) => document.querySelector<HTMLMetaElement>('meta[name=theme-color]')!.content === colour,
      dark,
    );

    // The page begins again with what was written.
    await page.keyboard.press('Escape');
    await field(page).fill('Half a sen');
    await (await opensSettings(page)).getByLabel('Dates and times').selectOption('iso');
    await answered(page, 'Look:');
    await page
      .locator('time', { hasText: /^\d{2}:\d{2}$/ })
      .first()
      .waitFor();
    const today = (await vigil().now()).toISOString().slice(0, 10);
    await page.getByRole('region', { name: 'This laptop' }).getByText(today).waitFor();
    expect(await field(page).inputValue()).toBe('Half a sen');

    await (await opensSettings(page)).getByLabel('Language', { exact: true }).selectOption('de');
    await page.waitForFunction(() => document.documentElement.lang === 'de');
    await answered(page, 'Look:');
    expect(await page.locator('textarea').first().inputValue()).toBe('Half a sen');
    await other.waitForFunction(() => document.documentElement.lang === 'en');
    await other.evaluate(() => dispatchEvent(new Event('focus')));
    await other.waitForFunction(() => document.documentElement.lang === 'de');

    // What can be done is found by the reader's words.
    await types(page, 'hell farb');
    await option(page, 'Farbschema: hell').waitFor();
    await page.keyboard.press('Enter');
    expect(await scheme(page)).toBe('light');
    await types(page, 'sprache');
    await option(page, /^Einstellungen…/).click();
    await page.getByRole('dialog', { name: 'Einstellungen' }).waitFor();
    await page.getByLabel('Sprache', { exact: true }).selectOption('');
    await page.waitForFunction(() => document.documentElement.lang === 'en');
  });

  test('the palette does what is possible here: an approval is shown, not given blindly; the same actions as in the menus; ? shows all keys (R257)', async () => {
    vigil().model.script([
      call('c1', 'transfer', { to: 'Ada', amount_cents: 90_000, purpose: 'Rent' }),
      { text: 'So be it.' },
    ]);
    const user = await vigil().user('commander');
    const { id } = await user.start('account-manager', 'Send 900 dollars to Ada for the rent');
    await user.waiting(id);
    const { page } = await comesAs('commander', id, desk);
    await page.getByText('$900.00', { exact: true }).waitFor();
    let sent = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/callbacks/')) sent += 1;
    });
    await page.keyboard.press('Control+k');
    await option(page, /^Approve: Send \$900\.00/).waitFor();
    const offered = await page.getByRole('group', { name: 'Actions' }).getByRole('option').allTextContents();
    for (const words of ['Stop', 'Rename…', 'Archive', 'Pin', 'Export as Markdown', 'Settings…Ctrl+,', 'Theme: dark'])
      expect(offered).toContain(words);
    // What the page already is, and what there is nothing of, is not offered.
    for (const words of ['Theme: as the system', 'Unpin', 'Stop the clock', 'Sign out'])
      expect(offered).not.toContain(words);

    await page.keyboard.type('approve');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await focusIsOn(page, '^Approve \\$900\\.00$');
    expect(sent).toBe(0);
    await types(page, 'deny');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.matches('[data-callback] form :is(input, textarea)'));
    await page.keyboard.type('Too much');
    expect(sent).toBe(0);
    await page.keyboard.press('Escape');

    // A run that waits is stopped only when that is confirmed.
    await types(page, 'stop');
    await option(page, 'Stop').click();
    await page.getByRole('dialog', { name: 'Stop this run?' }).getByRole('button', { name: 'Stop it' }).click();
    await stands(page, 'stopped');
    await page.keyboard.press('Control+k');
    await option(page, /^Settings/).waitFor();
    expect(await option(page, /^(Stop|Approve)/).count()).toBe(0);
    await page.keyboard.type('clock hour');
    const offset = (await vigil().now()).getTime();
    await page.keyboard.press('Enter');
    while ((await vigil().now()).getTime() < offset + 3_500_000) await page.waitForTimeout(100);

    // ? shows all keys, of the page and of what waits, from anywhere but a field.
    await field(page).fill('What');
    await field(page).press('?');
    expect(await field(page).inputValue()).toBe('What?');
    await page.getByRole('button', { name: 'Inspect' }).focus();
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const words of ['Approve it; one that is folded asks first', 'Begin another line', 'Go to another step'])
      await sheet.getByText(words).waitFor();
    await page.keyboard.press('Escape');
    await focusIsOn(page, 'Inspect');
    await page.keyboard.press('Control+,');
    await page.getByRole('dialog', { name: 'Settings' }).waitFor();
    // Nothing opens above a dialog.
    await page.keyboard.press('Control+Shift+o');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(page.url()).toContain(id);
    await page.keyboard.press('Control+Shift+o');
    await page.waitForURL('**/#/new');
  });

  test('a page of an app without feedback and notifications offers neither (R277)', async () => {
    vigil().model.script(() => ({ text: 'Hello.' }));
    const id = await talk('plain', 'tester', 'Say hello');
    const { page } = await comesAs('plain', id, desk);
    await answered(page, 'Hello.');
    const thumb = page.getByRole('button', { name: 'Good reply' });
    await page.getByText('Hello.').hover();
    await thumb.waitFor();
    await page.route('**/agents', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...((await answer.json()) as object), modules: [] } });
    });
    await page.reload();
    await answered(page, 'Hello.');
    await thumb.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Settings…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Settings' });
    await dialog.getByText('Density').waitFor();
    expect(await dialog.getByText('Notifications').count()).toBe(0);
  });

  test('a deployment’s theme has colours, corners and a density of its own, in light and dark; the reader’s density is on top (R257)', async () => {
    const css = themeCss({ colors: { page: ['#fff8f0', '#0b1a14'], fill: '#0b6e4f' }, radius: 0.125, density: 1.1 });
    vigil().model.script(() => ({ text: 'Hello.' }));
    const id = await talk('guest', 'tester', 'Good morning');
    const { page } = await comesAs('guest', id, desk, (one) =>
      one.route('**/theme.css', async (route) => route.fulfill({ response: await route.fetch(), body: css })),
    );
    await answered(page, 'Hello.');
    const button = page.getByRole('button', { name: 'New conversation' });
    const look = () =>
      button.evaluate((element) => {
        const { backgroundColor, borderTopLeftRadius } = getComputedStyle(element);
        return [backgroundColor, borderTopLeftRadius, Math.round(element.getBoundingClientRect().height * 10) / 10];
      });
    expect([await ground(page), await tint(page)]).toEqual(['rgb(255, 248, 240)', 'rgb(255, 248, 240)']);
    expect(await look()).toEqual(['rgb(11, 110, 79)', '2px', 35.2]);
    await page.evaluate(() => {
      localStorage.setItem('vigil.density', 'compact');
      localStorage.setItem('vigil.theme', 'dark');
      dispatchEvent(new Event('vigil.chosen'));
    });
    expect([await ground(page), await tint(page)]).toEqual(['rgb(11, 26, 20)', 'rgb(11, 26, 20)']);
    // Transitions are under way.
    await appeared(page);
    expect(await look()).toEqual(['rgb(11, 110, 79)', '2px', 29.9]);
    expect(await barriers(page)).toEqual([]);
  });
});
