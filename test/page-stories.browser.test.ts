import type { Page, WebSocketRoute } from 'playwright-core';
import { agentCard, field, said, send, stands, visitedVigil } from './support/page/browser';

// Whole stories on the page: what two people see of one conversation, and what a lost connection, a reload or a lost worker leaves of it.

const half = 'Kyoto is lovely in May. Book early. ';
const rest = 'Bring good shoes.';
const held = { text: half + rest, holdAfter: half.length + 1 };

const answers = (page: Page) => page.locator('article[data-status]');
/** The last answer, once it has come that far. While it streams, the beginning of the next sentence may be there. */
const reads = (page: Page, status: string, text: string) =>
  answers(page)
    .last()
    .and(page.locator(`[data-status=${status}]`))
    .getByText(text.trim(), { exact: status !== 'streaming' })
    .waitFor();

describe('stories on the page', () => {
  const { vigil, comes, comesTo } = visitedVigil();

  test('the demo in six steps: two tabs, a prompt, in the background, live, stopped by the other tab, and a worker that dies (R86)', async () => {
    const { model } = vigil();
    model.script([held]);
    const a = await comes();
    // 1 and 2: a prompt in one tab; the same conversation in another.
    await agentCard(a.page, 'Reminder').click();
    await send(a.page, 'Tell me about Kyoto');
    await model.held();
    const b = await comes(`/${new URL(a.page.url()).hash}`);
    const both = [a.page, b.page];
    // 3: it is stored and answered while the page is free for the next.
    await said(a.page).getByText('read by the agent').waitFor({ state: 'attached' });
    expect(await field(a.page).isEditable()).toBe(true);
    // 4: both see the prompt and the words so far.
    for (const page of both) {
      await said(page).getByText('Tell me about Kyoto').waitFor();
      await reads(page, 'streaming', half);
      await stands(page, 'running');
    }
    await a.show('demo-live-a');
    await b.show('demo-live-b');
    // 5: the other tab stops it, and it stays stopped.
    await b.page.getByRole('button', { name: 'Stop' }).click();
    for (const page of both) {
      await page.getByText('— stopped here').waitFor();
      await stands(page, 'stopped');
    }
    model.release();
    // 6: the worker that writes the next answer dies in mid-sentence; another one writes it anew.
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
    await b.show('demo-end-b');
  });

  test('a connection that drops in mid-stream leaves no gap and no duplicate, whether it is back before the end or after (R84)', async () => {
    const { model } = vigil();
    const { id } = await (await vigil().user()).start('reminder');
    let line: Awaited<ReturnType<typeof cuttable>>;
    const { page } = await comesTo(id, {}, async (page) => {
      line = await cuttable(page);
    });
    await stands(page, 'nothing said yet');

    model.script([held, held]);
    await send(page, 'Go');
    await model.held();
    await reads(page, 'streaming', half);
    line!.cut();
    await page.getByText('Offline.').waitFor();
    await line!.mend();
    await reads(page, 'streaming', half);
    model.release();
    await reads(page, 'complete', half + rest);

    await send(page, 'Once more');
    await model.held();
    await reads(page, 'streaming', half);
    line!.cut();
    model.release();
    await (await vigil().user()).finished(id);
    await page.getByText('Offline.').waitFor();
    expect(await answers(page).last().textContent()).not.toContain(rest);
    await line!.mend();
    await reads(page, 'complete', half + rest);
    expect(await said(page).locator('p').allTextContents()).toEqual(['Go', 'Once more']);
    expect(await answers(page).locator('.prose').allTextContents()).toEqual([half + rest, half + rest]);
  });

  test('reloaded while it streams, the words so far are there, and the rest; all tabs closed, it comes to its end (R83)', async () => {
    const { model } = vigil();
    model.script([held, held]);
    const ada = await vigil().user();
    const { id } = await ada.start('reminder', 'Tell me');
    await model.held();
    const { page, leave } = await comesTo(id);
    await reads(page, 'streaming', half);
    await page.reload();
    await reads(page, 'streaming', half);
    model.release();
    await reads(page, 'complete', half + rest);

    await send(page, 'And again');
    await model.held();
    await reads(page, 'streaming', half);
    await leave();
    model.release();
    await ada.finished(id);
    const later = await comesTo(id);
    await reads(later.page, 'complete', half + rest);
    expect(await answers(later.page).count()).toBe(2);
    expect(await said(later.page).count()).toBe(2);
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
