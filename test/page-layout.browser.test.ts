import type { Page } from 'playwright-core';
import { key } from '../core/conversations/rows/keys';
import { write } from '../core/conversations/store/table';
import { passedBudgets } from '../scripts/bench/budgets';
import { countedPage } from '../scripts/bench/counted-files';
import { appeared, barriers, goesTo, pageFolder, phone, said, visitedVigil } from './support/page/browser';
import { call } from './support/stories/transcript';

// How the page fits its window: nothing scrolls away, nothing is covered, and shapes, targets and states can be made out.

const pay = { url: 'https://shop.example', cents: 50_000 };
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
  const { vigil, comesAs } = visitedVigil();

  /** A user with all that the page can show, and the id of a long conversation. */
  async function given(name: string) {
    const user = await vigil().user(name);
    const { model, table } = vigil();
    model.script([
      call('w', 'schedule', { at: new Date(Date.now() + 86_400_000).toISOString() }),
      { text: 'Hello.' },
      call('p', 'pay', pay),
      { text: 'Then not.' },
      call('q', 'ask_user', { question: 'Where to?' }),
    ]);
    const { id } = await user.start('tester', 'Wait until tomorrow');
    await user.asleep(id);
    // A message interrupts the wait, and the one after it asks for an approval.
    await user.say(id, 'Are you there?');
    await user.finished(id);
    await user.say(id, 'Pay the shop');
    const { callbacks } = await user.waiting(id);
    const open = callbacks.find(({ status }) => status === 'pending')!;
    await user.answer(id, open.id, { approved: false });
    await user.finished(id);
    const asks = await user.start('tester', 'Plan a trip');
    await user.waiting(asks.id);
    const { lastSeq } = (await user.read(id)).messages.reduce(
      (last, { seq }) => ({ lastSeq: Math.max(last.lastSeq, seq) }),
      {
        lastSeq: 0,
      },
    );
    const createdAt = new Date().toISOString();
    const notes = Array.from({ length: 45 }, (_, index) => lastSeq + 1 + index).map((seq) => ({
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
    await write(table, id, notes);
    await write(table, id, [{ sk: key.meta, set: { lastSeq: lastSeq + notes.length }, onlyIf: { lastSeq } }]);
    return { user, id, asks: asks.id, last: `Note ${lastSeq + notes.length}` };
  }

  test('no text for screen readers makes the page scroll away; what one did is no failure; a small window shows all (R162)', async () => {
    const { id, asks, last } = await given('fitter');
    const { page, show } = await comesAs('fitter', id);
    await page.getByText(last).waitFor();
    expect(await overflows(page)).toEqual(fits);
    // Nor does a focus on something far above.
    await page.getByRole('region', { name: 'Messages' }).evaluate((messages) => messages.scrollTo(0, 0));
    await said(page).first().locator('button').first().focus();
    expect(await overflows(page)).toEqual(fits);
    await page.getByText('interrupted by a message').waitFor();
    await page.getByText('denied by you', { exact: true }).waitFor();
    for (const width of [704, 760, 830]) {
      await page.setViewportSize({ width, height: 700 });
      for (const selector of ['nav[aria-label=Conversations] a[aria-current=page]', 'textarea', 'main header'])
        expect([width, selector, await isOnTop(page, selector)]).toEqual([width, selector, true]);
      expect(await overflows(page)).toEqual(fits);
      await show(`layout-${width}`);
    }
    await goesTo(page, asks);
    await page.getByText('Where to?').last().waitFor();
    expect(await overflows(page)).toEqual(fits);
  });

  test('on a phone all targets are large enough in any view, and nothing scrolls away (R162)', async () => {
    const { id, asks, last } = await given('walker');
    const { page } = await comesAs('walker', id, phone);
    const tab = (name: string) => page.getByRole('navigation', { name: 'Parts of the page' }).getByText(name).click();
    const isFine = async (view: string) => {
      await appeared(page);
      expect([view, await small(page)]).toEqual([view, []]);
      expect([view, await overflows(page)]).toEqual([view, fits]);
    };
    await page.getByText(last).waitFor();
    await isFine('conversation');
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

  test('in forced colours, buttons, bubbles, dots and the current entry keep a shape (R162)', async () => {
    const { asks } = await given('contrast');
    const { page, show } = await comesAs('contrast', asks, { forcedColors: 'active', colorScheme: 'dark' });
    await page.getByText('Where to?').last().waitFor();
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
    await show('layout-forced');
  });

  test('before a conversation is opened, no more is loaded than the budget of the page', () => {
    expect(passedBudgets(countedPage(pageFolder))).toEqual([]);
  });
});
