import type { Page } from 'playwright-core';
import { answered, goesTo, said, send, sendNow, stands, visitedVigil } from './support/page/browser';
import { call } from './support/stories/transcript';

// What is long is folded, and what is wide says that there is more.

const words = (count: number, word: string) => Array.from({ length: count }, (_, at) => `${word} ${at + 1}.`).join(' ');
const paragraphs = (count: number) =>
  Array.from({ length: count }, (_, at) => `Paragraph ${at + 1}: ${words(40, 'word')}`).join('\n\n');
const code = (count: number) => Array.from({ length: count }, (_, at) => `const line${at + 1} = ${at + 1};`).join('\n');
const block = (count: number) => `\`\`\`ts\n${code(count)}\n\`\`\``;

const height = (page: Page) =>
  page.getByRole('region', { name: 'Messages' }).evaluate(({ scrollHeight }) => scrollHeight);
/** Whether a text is within what one sees of the messages. */
const isSeen = (page: Page, text: string) =>
  page.waitForFunction((wanted) => {
    const list = document.querySelector('section[aria-label=Messages]')!;
    const walker = document.createTreeWalker(list, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const from = node.textContent!.indexOf(wanted);
      if (from === -1) continue;
      const range = document.createRange();
      range.setStart(node, from);
      range.setEnd(node, from + wanted.length);
      const { top, bottom } = range.getBoundingClientRect();
      const { top: above, bottom: below } = list.getBoundingClientRect();
      if (top >= above && bottom <= below && !node.parentElement!.closest('[data-folded]')) return true;
    }
    return false;
  }, text);
/** Scrolls to a text, with the same function of the browser as its search in the page. */
async function finds(page: Page, text: string): Promise<void> {
  const { found, ...rect } = await page.evaluate((wanted) => {
    const walker = document.createTreeWalker(
      document.querySelector('section[aria-label=Messages]')!,
      NodeFilter.SHOW_TEXT,
    );
    while (walker.nextNode() && !walker.currentNode.textContent!.includes(wanted));
    const node = walker.currentNode;
    const from = node.textContent!.indexOf(wanted);
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, from + wanted.length);
    const parent = node.parentElement!;
    parent.setAttribute('data-holds', '');
    const [{ x, y, width, height }, around] = [range.getBoundingClientRect(), parent.getBoundingClientRect()];
    return { found: from >= 0, x: x - around.x, y: y - around.y, width, height };
  }, text);
  expect(found).toBe(true);
  const session = await page.context().newCDPSession(page);
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: '[data-holds]' });
  await session.send('DOM.scrollIntoViewIfNeeded', { nodeId, rect });
  await session.detach();
  await page.evaluate(() => document.querySelector('[data-holds]')!.removeAttribute('data-holds'));
}
const more = (page: Page) => page.getByRole('button', { name: 'Show more', exact: true });
const less = (page: Page) => page.getByRole('button', { name: 'Show less', exact: true });

describe('what is long or wide', () => {
  const { vigil, comesAs, talk } = visitedVigil();

  test('a long message is folded, and opens by its button, by the browser’s search and by a focus in it; ordinary ones are whole (R158)', async () => {
    const { model } = vigil();
    const reply = `${paragraphs(60)}\n\n[The last link](https://example.org/last)`;
    model.script([{ text: reply }, { text: 'Thank you.' }, { text: paragraphs(12) }, { text: 'Else.' }]);
    const reader = await vigil().user('folder');
    const { id } = await reader.start('tester', words(2_000, 'pasted'));
    await reader.finished(id);
    await reader.say(id, 'Short, please');
    await reader.finished(id);
    await reader.say(id, paragraphs(2));
    await reader.finished(id);
    const { page } = await comesAs('folder', id);
    await answered(page, 'Paragraph 12:');
    // The pasted text and the reply before; a reply of 500 words is whole, as is one’s own message of 80.
    await more(page).nth(1).waitFor();
    expect([await more(page).count(), await less(page).count()]).toEqual([2, 0]);
    expect(await height(page)).toBeLessThan(4_500);
    await page.getByRole('region', { name: 'Messages' }).evaluate((list) => list.scrollTo(0, 0));
    await page.waitForTimeout(300);
    // By its button: the reader stays where they are, and so does the focus.
    const top = () =>
      said(page)
        .first()
        .evaluate((one) => one.getBoundingClientRect().top);
    const before = await top();
    await more(page).first().press('Enter');
    await less(page).first().waitFor();
    expect(await top()).toBe(before);
    await page.waitForFunction(() => document.activeElement?.textContent === 'Show less');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.textContent === 'Show more');
    expect(await more(page).count()).toBe(2);
    // Each new word of a reply renders the transcript again, and another conversation replaces it.
    await more(page).first().click();
    const other = await talk('folder', 'tester', 'Something else');
    await goesTo(page, other);
    await said(page).getByText('Something else').waitFor();
    await goesTo(page, id);
    await answered(page, 'Paragraph 12:');
    await less(page).waitFor();
    await less(page).click();
    // The browser’s search shows what it finds.
    await finds(page, 'pasted 1999.');
    await less(page).waitFor();
    await isSeen(page, 'pasted 1999.');
    // So does the keyboard.
    await page.getByRole('link', { name: /The last link/ }).focus();
    await less(page).nth(1).waitFor();
    await isSeen(page, 'The last link');
    expect(await more(page).count()).toBe(0);
    // And the page’s own search.
    await page.reload();
    await more(page).nth(1).waitFor();
    await goesTo(page, `${id}/m/2`);
    await less(page).waitFor();
    expect(await more(page).count()).toBe(1);
  });

  test('a reply that grows is whole, and stays so; a fold hides no approval, and no part of a question (R158)', async () => {
    const first = paragraphs(40);
    const { model } = vigil();
    model.script([{ text: `${first}\n\nThe end.`, holdAfter: first.length }]);
    const reader = await vigil().user('watcher');
    const { id } = await reader.start('tester', 'At length, please');
    await model.held();
    const { page } = await comesAs('watcher', id);
    await answered(page, 'Paragraph 39:');
    expect(await more(page).count()).toBe(0);
    model.release();
    await stands(page, 'done');
    await isSeen(page, 'The end.');
    await less(page).waitFor();
    const pay = { url: 'https://shop.example', cents: 50_000 };
    model.script([
      { text: `${block(50)}\n\n${first}`, toolCalls: [{ id: 'p', name: 'pay', arguments: pay }] },
      call('q', 'ask_user', { question: `Which of these?\n\n${block(50)}` }),
      { text: 'Good.' },
    ]);
    await send(page, 'Pay the shop');
    await page.getByRole('button', { name: /^Approve/ }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: /^Approve/ }).waitFor();
    await more(page).nth(2).waitFor();
    expect(await page.locator('[data-folded] button', { hasText: 'Approve' }).count()).toBe(0);
    await page.getByRole('button', { name: /^Approve/ }).click();
    await sendNow(page);
    await page.getByText('Which of these?').last().waitFor();
    // The first one is the reply's, which is folded.
    const question = page.getByRole('group', { name: 'Code, ts' }).nth(1);
    await question.getByText('line50').waitFor();
    expect(await question.getAttribute('data-folded')).toBeNull();
  });

  test('long code is folded; open, its button that copies stays in sight, and 5,000 lines scroll by themselves (R158)', async () => {
    vigil().model.script([{ text: `${block(28)}\n\n${block(120)}\n\n${block(5_000)}\n\nThat is all.` }]);
    const id = await talk('coder', 'tester', 'Some code');
    const { page } = await comesAs('coder', id);
    await answered(page, 'That is all.');
    await more(page).nth(1).waitFor();
    expect(await more(page).count()).toBe(2);
    expect(await height(page)).toBeLessThan(2_500);
    await page.getByText('ts · 5,000 lines').waitFor();
    const list = page.getByRole('region', { name: 'Messages' });
    const copy = page.getByRole('button', { name: 'Copy code' }).nth(1);
    await more(page).first().click();
    await page.getByText('line90 ').first().scrollIntoViewIfNeeded();
    const [seen, button] = [(await list.boundingBox())!, (await copy.boundingBox())!];
    expect(button.y).toBeGreaterThanOrEqual(seen.y);
    expect(button.y).toBeLessThan(seen.y + 20);
    await more(page).click();
    await less(page).nth(1).waitFor();
    expect(await height(page)).toBeLessThan(6_000);
    const long = page.getByRole('group', { name: 'Code, ts' }).nth(2);
    await page.waitForFunction((one) => one?.getAttribute('tabindex') === '0', await long.elementHandle());
    await long.focus();
    await page.keyboard.press('End');
    await isSeen(page, 'line5000');
    await less(page).nth(1).click();
    // A word that the browser finds far down.
    await finds(page, 'line4321 ');
    await isSeen(page, 'line4321 ');
  });
});
