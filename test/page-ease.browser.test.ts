import type { Page } from 'playwright-core';
import { key } from '../core/conversations/rows/keys';
import { write } from '../core/conversations/store/table';
import { agentCard, answered, barriers, field, phone, said, send, stands, visitedVigil } from './support/page/browser';
import { call } from './support/stories/transcript';

// How the page is to be with: the first minute explains itself, what is long begins at its end, nothing typed is lost, conversations are kept
// and found again, and a way leads on from every address.

describe('how the page is to be with', () => {
  const { vigil, comes, comesAs, signsInAs, talk } = visitedVigil();
  const entry = (page: Page, title: string) => page.getByRole('navigation').getByRole('link', { name: title });
  const group = (page: Page, title: string) => page.getByRole('list', { name: title, exact: true });
  async function choose(page: Page, title: string, item: string): Promise<void> {
    await entry(page, title).hover();
    await page.getByRole('button', { name: `More about ${title}`, exact: true }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  }

  test('a long conversation begins near its end, what one says is seen, and its first words are found and opened (R161)', async () => {
    const flat = { text: 'The flat in Lisbon costs 900.' };
    vigil().model.script([flat, flat, { text: 'Yes.' }]);
    const id = await talk('reader', 'tester', 'Where is the flat?');
    await talk('reader', 'tester', 'What does it cost?');
    const { table } = vigil();
    const createdAt = new Date().toISOString();
    const notes = Array.from({ length: 400 }, (_, index) => index + 3).map((seq) => ({
      sk: key.message(seq),
      put: { seq, version: 1, role: 'system', author: 'vigil', text: `Note ${seq}`, status: 'complete', createdAt },
    }));
    for (let from = 0; from < notes.length; from += 50) await write(table, id, notes.slice(from, from + 50));
    await write(table, id, [{ sk: key.meta, set: { lastSeq: 402 }, onlyIf: { lastSeq: 2 } }]);
    const { page } = await comesAs('reader', id);
    await page.getByText('Note 402').waitFor();
    expect(await page.getByText(/^Note \d+/).count()).toBe(200);
    await page.getByRole('button', { name: 'Show 200 of 203 earlier items' }).click();
    await page.getByText(/^Note 3 /).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Show 3 earlier items' }).click();
    await said(page).getByText('Where is the flat?').scrollIntoViewIfNeeded();
    await page.getByRole('button', { name: 'Jump to the latest' }).waitFor();
    await send(page, 'Are you still there?');
    await page.waitForFunction((text) => {
      const messages = document.querySelector('section[aria-label=Messages]')!;
      const sent = [...messages.querySelectorAll('*')].findLast((one) => one.textContent === text);
      return sent && sent.getBoundingClientRect().bottom <= messages.getBoundingClientRect().bottom;
    }, 'Are you still there?');
    await answered(page, 'Yes.');

    await page.reload();
    await page.getByText('Note 402').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/^Find a conversation/).fill('lisbon FLAT');
    const hits = page.getByRole('group', { name: 'What was said' }).getByRole('option');
    await hits.nth(1).waitFor();
    expect(await hits.first().locator('mark').allTextContents()).toEqual(['flat', 'Lisbon']);
    expect(await barriers(page)).toEqual([]);
    await hits.filter({ hasText: 'Where is the flat?' }).click();
    await page.locator('[data-found]').getByText('The flat in Lisbon').waitFor();
    await page.waitForFunction(() => {
      const { top, bottom } = document.querySelector('[data-found]')!.getBoundingClientRect();
      return top > 0 && bottom < innerHeight && document.activeElement?.hasAttribute('data-found');
    });
    // The address is the conversation's, so the same message can be chosen again.
    expect(page.url()).toMatch(new RegExp(`#/c/${id}$`));
  });

  test('what a first visitor writes before the agents are known stays, and is not cut; they can be asked for again; stand-ins are named', async () => {
    vigil().model.script([{ text: 'Here I am.' }]);
    const standIns = { model: 'stand-in model: no OPENAI_API_KEY', search: 'stand-in search: no SERPER_API_KEY' };
    const { page } = await comes('/', {}, async (page) => {
      await page.route('**/agents', (route) => route.abort());
      await page.route('**/_local/health', (route) => route.fulfill({ json: { ...standIns, offset: 0 } }));
    });
    await page.getByText('The agents could not be loaded').waitFor();
    await send(page, 'Is anybody there?');
    expect(await field(page).inputValue()).toBe('Is anybody there?');
    expect(await barriers(page)).toEqual([]);
    await page.unroute('**/agents');
    await page.getByRole('button', { name: 'Try again' }).click();
    await agentCard(page, 'Travel').waitFor();
    // On a laptop a first visit says what is not real, and has the clock.
    for (const standIn of Object.values(standIns)) await page.getByText(standIn).waitFor();
    await page.getByRole('button', { name: '+1 h' }).waitFor();
    await field(page).fill('x'.repeat(100_012));
    await page.getByText('12 characters too long').waitFor();
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
    expect((await field(page).inputValue()).length).toBe(100_012);
    await send(page, 'Is anybody there?');
    await answered(page, 'Here I am.');
  });

  test('the first minute: an empty home says what it is for, and the agent is chosen where one writes (R257)', async () => {
    vigil().model.script(() => ({ text: 'Lisbon, then.' }));
    const { page } = await comes('/', {}, (page) => signsInAs(page, () => 'newcomer'));
    await page.getByRole('heading', { level: 1, name: 'Agents that wait' }).waitFor();
    await page.getByText('Here is what needs you, and what is next.').waitFor();
    await agentCard(page, 'Bank').waitFor();
    const chip = page.getByLabel('Agent for the message');
    await chip.selectOption({ label: 'Travel' });
    expect(await page.getByRole('radio', { name: /^Travel/ }).isChecked()).toBe(true);
    await page.getByPlaceholder('Message Travel…').waitFor();
    await send(page, 'Somewhere warm');
    await answered(page, 'Lisbon, then.');
    await page.locator('main header').getByRole('link', { name: 'Travel' }).waitFor();
    // Not as a region of the same name as the list’s.
    await page.getByRole('link', { name: /^Home/ }).click();
    expect(await chip.inputValue()).toBe('travel');
    expect(await barriers(page, ['moderate', 'serious', 'critical'])).toEqual([]);
  });

  test('after the first reminder, a hint points at the clock; used once, the box is a line, and the hint is gone for good (R257)', async () => {
    const user = await vigil().user('sleeper');
    const at = new Date((await vigil().now()).getTime() + 7_200_000).toISOString();
    vigil().model.script([call('s', 'schedule', { at }), { text: 'It is time.' }]);
    const { page } = await comes('/', {}, (page) => signsInAs(page, () => 'sleeper'));
    const box = page.getByRole('region', { name: 'This laptop' });
    await box.getByRole('button', { name: '+1 h' }).waitFor();
    const hint = page.getByText('No need to wait: move the clock');
    expect(await hint.count()).toBe(0);
    const { id } = await user.start('tester', 'Wait two hours');
    await user.asleep(id);
    await hint.waitFor();
    await page
      .getByRole('link', { name: /Wait two hours/ })
      .first()
      .click();
    const run = page.getByRole('complementary', { name: 'Run' });
    await run.getByText('No need to wait: move the clock').waitFor();
    expect(await barriers(page)).toEqual([]);
    await run.getByRole('button', { name: 'next wake-up' }).click();
    await answered(page, 'It is time.');
    await run.getByRole('button', { name: /More about this laptop/ }).waitFor();
    expect(await hint.count()).toBe(0);
    await page.reload();
    const more = run.getByRole('button', { name: /More about this laptop/ });
    await more.waitFor();
    await more.click();
    await run.getByRole('button', { name: '+1 h' }).waitFor();
    expect(await hint.count()).toBe(0);
    await run.getByRole('button', { name: 'Fold this laptop' }).click();
    await more.waitFor();

    // Closed, it does not come back either, and the box stays.
    const other = await comes(`/#/c/${id}`, {}, (page) => signsInAs(page, () => 'sleeper'));
    vigil().model.script([call('s2', 'schedule', { at: new Date(Date.parse(at) + 86_400_000).toISOString() })]);
    await user.say(id, 'And tomorrow');
    await user.asleep(id);
    await other.page.getByRole('button', { name: 'Close the hint' }).click();
    await other.page.getByRole('button', { name: '+1 h' }).waitFor();
    await other.page.reload();
    await other.page.getByRole('button', { name: '+1 h' }).waitFor();
    await stands(other.page, 'asleep until');
    expect(await other.page.getByText('No need to wait: move the clock').count()).toBe(0);
  });

  test('an address that leads nowhere says so, and leads on; a phone has a tab for the home (R257)', async () => {
    vigil().model.script(() => ({ text: 'Hello.' }));
    const id = await talk('lost', 'tester', 'The way home');
    const { page } = await comesAs('lost', `${id}x`);
    for (const [hash, words] of [
      [`#/c/${id}x`, 'Conversation not found'],
      ['#/cpnversations', 'There is nothing at this address'],
    ] as const) {
      await page.goto(`${vigil().url}/${hash}`);
      await page.getByRole('heading', { name: words }).waitFor();
      const main = page.getByRole('main');
      await main.getByRole('button', { name: 'Find a conversation' }).click();
      await page.getByPlaceholder(/^Find a conversation/).waitFor();
      await page.keyboard.press('Escape');
      await main.getByRole('button', { name: 'Home' }).click();
      await page.getByText('Agents that wait').waitFor();
    }
    const { page: small } = await comesAs('lost', id, phone);
    const tabs = small.getByRole('navigation', { name: 'Parts of the page' });
    const current = () => tabs.locator('[aria-current=true]').textContent();
    await answered(small, 'Hello.');
    expect(await tabs.getByRole('button').allTextContents()).toEqual(['Home', 'List', 'Chat', 'Run']);
    expect(await current()).toBe('Chat');
    await tabs.getByRole('button', { name: 'Home' }).tap();
    await small.getByText('Agents that wait').waitFor();
    expect(await current()).toBe('Home');
    expect(await tabs.getByRole('button').allTextContents()).toEqual(['Home', 'List']);
    await tabs.getByRole('button', { name: 'List' }).tap();
    expect(await current()).toBe('List');
    await small.getByRole('link', { name: /The way home/ }).tap();
    await answered(small, 'Hello.');
  });

  test('a conversation is renamed, pinned, archived and brought back, in every browser at once (R160)', async () => {
    vigil().model.script(() => ({ text: 'Noted.' }));
    await talk('keeper', 'reminder', 'The rent');
    const cat = await talk('keeper', 'reminder', 'The cat');
    await talk('keeper', 'reminder', 'The car');
    const { page } = await comesAs('keeper', 'new');
    const other = await comesAs('keeper', 'new');
    await group(page, 'Today').getByRole('link').nth(2).waitFor();
    await choose(page, 'The rent', 'Rename…');
    await page.getByLabel('Title').fill('Rent of the flat');
    expect(await barriers(page)).toEqual([]);
    await page.getByLabel('Title').press('Enter');
    await entry(other.page, 'Rent of the flat').waitFor();
    await choose(page, 'Rent of the flat', 'Pin');
    await group(other.page, 'Pinned').getByRole('link', { name: 'Rent of the flat' }).waitFor();
    await group(page, 'Pinned').getByRole('link', { name: 'Rent of the flat' }).waitFor();
    await choose(page, 'The cat', 'Archive');
    await entry(page, 'The cat').waitFor({ state: 'hidden' });
    await entry(other.page, 'The cat').waitFor({ state: 'hidden' });
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

  test('a deletion is taken back with everything that waits; if the browser dies, it is offered again; then it is final (R160)', async () => {
    vigil().model.script([call('c1', 'pay', { url: 'https://shop.example', cents: 50_000 })]);
    const user = await vigil().user('remover');
    const { id } = await user.start('tester', 'Buy a kettle');
    await user.waiting(id);
    const { page } = await comesAs('remover', id);
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
  });
});
