import type { Page } from 'playwright-core';
import { key } from '../core/conversations/rows/keys';
import { write } from '../core/conversations/store/table';
import { appeared, barriers, goesTo, phone, said, visitedVigil } from './support/page/browser';
import { call } from './support/stories/transcript';

// How the page fits its window: nothing scrolls away, nothing is covered, and shapes, targets and states can be made out.

const overflows = (page: Page) =>
  page.evaluate(() => {
    const { scrollHeight, scrollWidth } = document.documentElement;
    scrollTo(200, 200);
    return [scrollHeight > innerHeight, scrollWidth > innerWidth, scrollX, scrollY];
  });
const fits = [false, false, 0, 0];

/** Controls that are smaller than 24 by 24 pixels, but for those that only a screen reader finds. */
const small = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('a, button, input, select, textarea, summary, label, [role=menuitem], [role=option]')]
      // One may as well press its label.
      .filter((element) => element.tagName === 'LABEL' || !element.closest('label'))
      .map((element) => ({ element, ...element.getBoundingClientRect().toJSON() }))
      .filter(({ width, height }) => width > 1 && height > 1 && (width < 24 || height < 24))
      .map(({ element, width, height }) => `${width} × ${height}: ${element.outerHTML.slice(0, 120)}`),
  );

/** Whether an element is what one sees and clicks in its middle. */
const isOnTop = (page: Page, selector: string) =>
  page.evaluate((selector) => {
    const element = document.querySelector(selector)!;
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  }, selector);

describe('the page fits its window', () => {
  const { vigil, comesAs, talk } = visitedVigil();
  const name = 'fitter';
  /** A long conversation, its last words, and one that asks. */
  const shown = { id: '', last: '', asks: '' };
  beforeAll(async () => {
    vigil().model.script([{ text: 'Hello.' }, call('q', 'ask_user', { question: 'Where to?' })]);
    shown.id = await talk(name, 'tester', 'Good morning');
    const user = await vigil().user(name);
    shown.asks = (await user.start('tester', 'Plan a trip')).id;
    await user.waiting(shown.asks);
    const createdAt = new Date().toISOString();
    const notes = Array.from({ length: 45 }, (_, index) => index + 3).map((seq) => ({
      sk: key.message(seq),
      put: {
        seq,
        version: 1,
        role: 'user',
        author: name,
        text: `Note ${seq}`,
        status: 'complete',
        createdAt,
        readBySeq: seq,
      },
    }));
    await write(vigil().table, shown.id, notes);
    await write(vigil().table, shown.id, [{ sk: key.meta, set: { lastSeq: 47 }, onlyIf: { lastSeq: 2 } }]);
    shown.last = 'Note 47';
  });

  test('no text for screen readers makes the page scroll away; a small window shows all; in forced colours, shapes are left (R162)', async () => {
    const { id, asks, last } = shown;
    const { page } = await comesAs(name, id);
    await page.getByText(last).waitFor();
    expect(await overflows(page)).toEqual(fits);
    // Nor does a focus on something far above.
    await page.getByRole('region', { name: 'Messages' }).evaluate((messages) => messages.scrollTo(0, 0));
    await said(page).first().locator('button').first().focus();
    expect(await overflows(page)).toEqual(fits);
    for (const width of [704, 760, 830]) {
      await page.setViewportSize({ width, height: 700 });
      for (const selector of ['nav[aria-label=Conversations] a[aria-current=page]', 'textarea', 'main header'])
        expect([width, selector, await isOnTop(page, selector)]).toEqual([width, selector, true]);
      expect(await overflows(page)).toEqual(fits);
    }
    await goesTo(page, asks);
    await page.getByText('Where to?').last().waitFor();
    expect(await overflows(page)).toEqual(fits);

    // In forced colours, buttons, bubbles, dots and the current entry keep a shape.
    await page.setViewportSize({ width: 1_360, height: 860 });
    await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
    const style = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { borderTopStyle, borderTopWidth, outlineStyle, outlineWidth, backgroundColor } =
            getComputedStyle(element);
          const canvas = getComputedStyle(document.body).backgroundColor;
          return {
            isFramed: borderTopStyle === 'solid' && borderTopWidth !== '0px',
            isOutlined: outlineStyle === 'solid' && outlineWidth !== '0px',
            isFilled: backgroundColor !== canvas,
          };
        });
    expect(await style('nav button.grow')).toMatchObject({ isFramed: true });
    expect(await style('article[aria-label=You] .bg-mine')).toMatchObject({ isFramed: true });
    expect(await style('nav a[aria-current=page]')).toMatchObject({ isOutlined: true });
    expect(await style('main header [aria-hidden].rounded-full')).toMatchObject({ isFilled: true });
    expect(await barriers(page)).toEqual([]);
  });

  test('on a phone all targets are large enough in any view, also in the compact density, and nothing scrolls away (R162)', async () => {
    const { id, asks, last } = shown;
    const { page } = await comesAs(name, id, phone, (page) =>
      page.addInitScript(() => localStorage.setItem('vigil.density', 'compact')),
    );
    const tab = (name: string) => page.getByRole('navigation', { name: 'Parts of the page' }).getByText(name).click();
    const isFine = async (view: string) => {
      await appeared(page);
      expect([view, await small(page)]).toEqual([view, []]);
      expect([view, await overflows(page)]).toEqual([view, fits]);
    };
    await page.getByText(last).waitFor();
    await isFine('conversation');
    for (const name of ['Attach', 'Send']) {
      const { height } = (await page.getByRole('button', { name: new RegExp(`^${name}`) }).boundingBox())!;
      expect(height).toBeGreaterThanOrEqual(44);
    }
    await tab('Run');
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await isFine('run');
    await tab('List');
    await isFine('list');
    await page.getByRole('button', { name: /Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Settings…' }).click();
    await page.getByRole('dialog', { name: 'Settings' }).getByText('Quiet').first().waitFor();
    await isFine('settings');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Find a conversation/ }).click();
    await page.getByRole('option').first().waitFor();
    await isFine('finder');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: /^Home/ }).click();
    await page.getByRole('region', { name: 'Home' }).getByText('Where to?').waitFor();
    await isFine('home');
    await goesTo(page, asks);
    await page.getByText('Where to?').last().waitFor();
    await isFine('question');
  });
});
