import type { Page } from 'playwright-core';
import { key } from '../core/conversations/rows/keys';
import { changeConversation } from '../core/conversations/store/change-conversation';
import { write } from '../core/conversations/store/table';
import { longTest } from './support/long';
import { answered, barriers, send, visitedVigil } from './support/page/browser';
import { call } from './support/stories/transcript';

// How a person keeps conversations, and finds them again.

describe('on the page', () => {
  const { vigil, comesAs, signsInAs, talk } = visitedVigil();
  const entry = (page: Page, title: string) => page.getByRole('navigation').getByRole('link', { name: title });
  const group = (page: Page, title: string) => page.getByRole('list', { name: title, exact: true });
  async function choose(page: Page, title: string, item: string): Promise<void> {
    await entry(page, title).hover();
    await page.getByRole('button', { name: `More about ${title}`, exact: true }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  }

  test('a conversation is renamed, pinned, archived and brought back, in every browser at once (R160)', async () => {
    vigil().model.script(() => ({ text: 'Noted.' }));
    await talk('keeper', 'reminder', 'The rent');
    const cat = await talk('keeper', 'reminder', 'The cat');
    await talk('keeper', 'reminder', 'The car');
    const { page, show } = await comesAs('keeper', 'new');
    const other = await comesAs('keeper', 'new');
    await group(page, 'Today').getByRole('link').nth(2).waitFor();
    await choose(page, 'The rent', 'Rename…');
    await page.getByLabel('Title').fill('Rent of the flat');
    await show('rename-light');
    expect(await barriers(page)).toEqual([]);
    await page.getByLabel('Title').press('Enter');
    await entry(other.page, 'Rent of the flat').waitFor();
    await choose(page, 'Rent of the flat', 'Pin');
    await group(other.page, 'Pinned').getByRole('link', { name: 'Rent of the flat' }).waitFor();
    await group(page, 'Pinned').getByRole('link', { name: 'Rent of the flat' }).waitFor();
    await choose(page, 'The cat', 'Archive');
    await entry(page, 'The cat').waitFor({ state: 'hidden' });
    await entry(other.page, 'The cat').waitFor({ state: 'hidden' });
    await entry(page, 'The car').hover();
    await show('list-light');
    await page.reload();
    await group(page, 'Pinned').getByRole('link', { name: 'Rent of the flat' }).waitFor();
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await group(page, 'Archive').getByRole('link', { name: 'The cat' }).click();
    await answered(page, 'Noted.');
    expect(await barriers(page)).toEqual([]);
    await send(page, 'It is back');
    await page.getByRole('button', { name: 'All conversations' }).click();
    await group(page, 'Today').getByRole('link', { name: 'The cat' }).waitFor();
    // Its reply must not be one of the next test's.
    const user = await vigil().user('keeper');
    await user.until(cat, ({ status, messages }) => status === 'done' && messages.length === 4);
  });

  longTest(
    'a deletion is taken back with everything that waits; if the browser dies, it is offered again; then it is final (R160)',
    async () => {
      vigil().model.script([call('c1', 'pay', { url: 'https://shop.example', cents: 50_000 })]);
      const user = await vigil().user('remover');
      const { id } = await user.start('tester', 'Buy a kettle');
      await user.waiting(id);
      const { page } = await comesAs('remover', id, { colorScheme: 'dark' });
      const tab = async () => {
        const opened = await page.context().newPage();
        await signsInAs(opened, () => 'remover');
        await opened.goto(vigil().url);
        return opened;
      };
      const other = await tab();
      await entry(other, 'Buy a kettle').waitFor();
      await page.getByRole('button', { name: 'Approve' }).first().waitFor();
      await choose(page, 'Buy a kettle', 'Delete');
      await entry(page, 'Buy a kettle').waitFor({ state: 'hidden' });
      // The other tab hides it, too, and can take it back.
      await other.getByRole('button', { name: 'Undo' }).click();
      await entry(page, 'Buy a kettle').click();
      await page.getByRole('button', { name: 'Approve' }).first().waitFor();
      expect((await user.read(id)).status).toBe('waiting');
      await other.close();

      await choose(page, 'Buy a kettle', 'Delete');
      await entry(page, 'Buy a kettle').waitFor({ state: 'hidden' });
      // The browser dies: what it remembers is all that is left of the deletion.
      const dead = page.waitForEvent('crash');
      await Promise.all([dead, page.goto('chrome://crash').catch(() => undefined)]);
      expect((await user.read(id)).status).toBe('waiting');
      const next = await tab();
      await next.getByText('Deleting “Buy a kettle”.').first().waitFor();
      expect(await barriers(next)).toEqual([]);
      // A page that is left does not wait for its notice.
      await next.goto('about:blank');
      while ((await user.request('GET', `/conversations/${id}`)).status !== 404) await next.waitForTimeout(100);
    },
  );

  test('what was said is found by its words, and opened at the message, however far back it is (R161)', async () => {
    vigil().model.script(() => ({ text: 'The flat in Lisbon costs 900.' }));
    const id = await talk('seeker', 'reminder', 'Where is the flat?');
    const other = await talk('seeker', 'reminder', 'What does it cost?');
    const said = (seq: number) => ({
      seq,
      version: 1,
      role: 'assistant',
      author: 'reminder',
      status: 'complete',
      text: `Number ${seq}.`,
      createdAt: new Date().toISOString(),
    });
    await changeConversation(vigil().table, id, (meta) => ({ meta: { ...meta, lastSeq: 300 }, answer: undefined }));
    for (let from = 3; from <= 300; from += 50) {
      const seqs = Array.from({ length: Math.min(50, 301 - from) }, (_, index) => from + index);
      await write(
        vigil().table,
        id,
        seqs.map((seq) => ({ sk: key.message(seq), put: said(seq) })),
      );
    }
    const { page, show } = await comesAs('seeker', other);
    await answered(page, 'The flat in Lisbon');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/^Find a conversation/).fill('lisbon FLAT');
    const hits = page.getByRole('group', { name: 'What was said' }).getByRole('option');
    await hits.nth(1).waitFor();
    expect(await hits.first().locator('mark').allTextContents()).toEqual(['flat', 'Lisbon']);
    await show('search-light');
    expect(await barriers(page)).toEqual([]);
    await hits.filter({ hasText: 'Where is the flat?' }).click();
    const target = page.locator('[data-found]');
    await target.getByText('The flat in Lisbon').waitFor();
    await page.waitForFunction(() => {
      const { top, bottom } = document.querySelector('[data-found]')!.getBoundingClientRect();
      return top > 0 && bottom < innerHeight && document.activeElement?.hasAttribute('data-found');
    });
    await show('found-light');
    // The address is the conversation's, so the same message can be chosen again.
    expect(page.url()).toMatch(new RegExp(`#/c/${id}$`));
  });
});
