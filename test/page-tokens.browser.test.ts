import type { Page } from 'playwright-core';
import { watchersOf } from './support/live-client';
import { field, phone, send, stands, visitedVigil } from './support/page/browser';

// A reply that grows word by word, on a wide screen and on a phone.

const begun = 'The first sentence. See [the docs](https://example.com) for **more, which is not';
const seen = /The first sentence\. See the docs.* for more, which is not$/;
const rest = ' all**. The end.';

describe('the words of a reply', () => {
  const { vigil, comesAs, talk } = visitedVigil();
  const reply = (page: Page) => page.locator('article .prose').last();
  /** What a screen reader has been told. */
  const told = (page: Page) => page.locator('[aria-live=polite] p').allTextContents();

  test('appear in the middle of a sentence in two windows, as they will look; a screen reader hears sentences (R207, R85)', async () => {
    vigil().model.begin({ script: () => ({ text: 'Hello.' }) });
    const id = await talk('reader', 'reminder', 'Hi');
    const wide = await comesAs('reader', id, { viewport: { width: 1_280, height: 860 } });
    const narrow = await comesAs('reader', id, phone);
    for (const { page } of [wide, narrow]) await stands(page, 'done');
    vigil().model.begin({ script: [{ text: begun + rest, holdAfter: begun.length }], style: { deltas: 'fragments' } });
    // Words are sent to those who watch when they come, and to nobody later.
    while ((await watchersOf(vigil(), id)) < 2) await wide.page.waitForTimeout(50);
    await field(wide.page).waitFor();
    await send(wide.page, 'Tell me');
    for (const { page, show } of [wide, narrow]) {
      await reply(page).filter({ hasText: seen }).waitFor();
      expect(await reply(page).locator('strong').textContent()).toBe('more, which is not');
      await show(`tokens-${page.viewportSize()!.width}`);
      expect((await told(page)).join(' ')).not.toContain('which is not');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(page.viewportSize()!.width);
    }
    vigil().model.release();
    for (const { page } of [wide, narrow]) {
      await stands(page, 'done');
      await reply(page).filter({ hasText: 'The end.' }).waitFor();
      const words = (await told(page)).join(' ');
      expect(words.match(/which is not/g)).toHaveLength(1);
      expect(words).toContain('The end.');
    }
  });
});
