import type { Page, WebSocketRoute } from 'playwright-core';
import { watchersOf } from './support/live-client';
import { agentCard, field, phone, said, send, stands, visitedVigil } from './support/page/browser';

// A whole story on the page: what two tabs see of one conversation, and what a reload, a lost connection, a lost worker and closed tabs
// leave of it. And a reply that grows word by word, on a wide screen and on a phone.

const half = 'Kyoto is lovely in May. Book early. ';
const rest = 'Bring good shoes.';
const held = { text: half + rest, holdAfter: half.length + 1 };

const words = 'The first sentence. See [the docs](https://example.com) for **more, which is not';
const seen = /The first sentence\. See the docs.* for more, which is not$/;
const lastWords = ' all**. The end.';

const answers = (page: Page) => page.locator('article[data-status]');
/** The last answer, once it has come that far. While it streams, the beginning of the next sentence may be there. */
const reads = (page: Page, status: string, text: string) =>
  answers(page)
    .last()
    .and(page.locator(`[data-status=${status}]`))
    .getByText(text.trim(), { exact: status !== 'streaming' })
    .waitFor();

describe('stories on the page', () => {
  const { vigil, comes, comesAs, comesTo, talk } = visitedVigil();

  test('two tabs: a prompt, live, reloaded, cut off, stopped by the other tab; a worker dies; all are closed: nothing is missing or doubled (R83, R84, R86, R177)', async () => {
    const { model } = vigil();
    model.script([held]);
    const a = await comes();
    // A prompt in one tab; the same conversation in another.
    await agentCard(a.page, 'Reminder').click();
    await send(a.page, 'Tell me about Kyoto');
    await model.held();
    const { hash } = new URL(a.page.url());
    let line: Awaited<ReturnType<typeof cuttable>>;
    const b = await comes(`/${hash}`, {}, async (page) => {
      line = await cuttable(page);
    });
    const both = [a.page, b.page];
    // It is stored and answered while the page is free for the next.
    await said(a.page).getByText('read by the agent').waitFor({ state: 'attached' });
    expect(await field(a.page).isEditable()).toBe(true);
    for (const page of both) {
      await said(page).getByText('Tell me about Kyoto').waitFor();
      await reads(page, 'streaming', half);
      await stands(page, 'running');
    }
    // Reloaded, and cut off for a while, the words so far are there.
    await a.page.reload();
    line!.cut();
    await b.page.getByText('Offline.').waitFor();
    await line!.mend();
    for (const page of both) await reads(page, 'streaming', half);
    // The other tab stops it, and it stays stopped.
    await b.page.getByRole('button', { name: 'Stop' }).click();
    for (const page of both) {
      await page.getByText('— stopped here').waitFor();
      await stands(page, 'stopped');
    }
    model.release();
    // The worker that writes the next answer dies in mid-sentence; another one writes it anew.
    model.script((_, index) => (index === 0 ? held : { text: half + rest }));
    const before = model.calls;
    await vigil().fault({ function: 'CallModel', kind: 'crash', at: 6_000 });
    await send(a.page, 'Again, please');
    // It stands still in mid-sentence until its worker is gone.
    while (!model.requests[before]?.closed) await a.page.waitForTimeout(50);
    for (const page of both) {
      await reads(page, 'complete', half + rest);
      await stands(page, 'done');
      expect(await answers(page).count()).toBe(2);
      expect(await answers(page).first().textContent()).not.toContain(rest);
    }
    expect(model.calls - before).toBe(2);

    // Cut off until the reply is over.
    model.script([held, held]);
    await send(b.page, 'Once more');
    await model.held();
    await reads(b.page, 'streaming', half);
    line!.cut();
    // Until it knows, the rest may be on its way.
    await b.page.getByText('Offline.').waitFor();
    model.release();
    await reads(a.page, 'complete', half + rest);
    await stands(a.page, 'done');
    expect(await answers(b.page).last().textContent()).not.toContain(rest);
    await line!.mend();
    await reads(b.page, 'complete', half + rest);
    expect(await said(b.page).locator('p').allTextContents()).toEqual([
      'Tell me about Kyoto',
      'Again, please',
      'Once more',
    ]);
    expect((await answers(b.page).locator('.prose').allTextContents()).slice(1)).toEqual([half + rest, half + rest]);

    // With all tabs closed, it comes to its end.
    await send(a.page, 'And again');
    await model.held();
    await reads(a.page, 'streaming', half);
    for (const { leave } of [a, b]) await leave();
    model.release();
    const id = hash.slice('#/c/'.length);
    await (await vigil().user()).finished(id);
    const later = await comesTo(id);
    await reads(later.page, 'complete', half + rest);
    expect([await answers(later.page).count(), await said(later.page).count()]).toEqual([4, 4]);
  });

  const reply = (page: Page) => page.locator('article .prose').last();
  /** What a screen reader has been told. */
  const told = (page: Page) => page.locator('[aria-live=polite] p').allTextContents();

  test('the words of a reply appear in the middle of a sentence in two windows, as they will look; a screen reader hears sentences (R207, R85)', async () => {
    vigil().model.begin({ script: () => ({ text: 'Hello.' }) });
    const id = await talk('reader', 'reminder', 'Hi');
    const wide = await comesAs('reader', id, { viewport: { width: 1_280, height: 860 } });
    const narrow = await comesAs('reader', id, phone);
    for (const { page } of [wide, narrow]) await stands(page, 'done');
    vigil().model.begin({
      script: [{ text: words + lastWords, holdAfter: words.length }],
      style: { deltas: 'fragments' },
    });
    // Words are sent to those who watch when they come, and to nobody later.
    while ((await watchersOf(vigil(), id)) < 2) await wide.page.waitForTimeout(50);
    await field(wide.page).waitFor();
    await send(wide.page, 'Tell me');
    for (const { page } of [wide, narrow]) {
      await reply(page).filter({ hasText: seen }).waitFor();
      expect(await reply(page).locator('strong').textContent()).toBe('more, which is not');
      expect((await told(page)).join(' ')).not.toContain('which is not');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(page.viewportSize()!.width);
    }
    vigil().model.release();
    for (const { page } of [wide, narrow]) {
      await stands(page, 'done');
      await reply(page).filter({ hasText: 'The end.' }).waitFor();
      const all = (await told(page)).join(' ');
      expect(all.match(/which is not/g)).toHaveLength(1);
      expect(all).toContain('The end.');
    }
  });
});

/** The page's WebSocket, to be cut. While it is, none can be opened. */
async function cuttable(page: Page) {
  let open: WebSocketRoute[] = [];
  let isCut = false;
  await page.routeWebSocket(/ticket=/, async (route) => {
    if (isCut) return route.close();
    open.push(route);
    route.connectToServer();
  });
  return {
    cut() {
      isCut = true;
      for (const route of open) void route.close();
      open = [];
    },
    async mend() {
      isCut = false;
      // It may be back by itself by then, and the button gone.
      const live = page.locator('[data-connection=live]').waitFor();
      await Promise.race([live, page.getByRole('button', { name: 'Connect now' }).click()]);
      await live;
    },
  };
}
