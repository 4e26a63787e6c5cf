import type { Page } from 'playwright-core';
import { key } from '../core/conversations/rows/keys';
import { write } from '../core/conversations/store/table';
import { pending } from '../local/pending';
import { longTest } from './support/long';
import {
  agentCard,
  answered,
  barriers,
  field,
  fitsEverywhere,
  focusIsOn,
  goesTo,
  phone,
  said,
  send,
  stands,
  visitedVigil,
} from './support/page/browser';
import { call } from './support/stories/transcript';

// How the page is to be with: what is long begins at its end, the focus goes where one looks for it, nothing typed is lost, and all of it
// fits a phone.

/** What a screen reader says in a pause. */
const aloud = (page: Page) => page.locator('main [aria-live=polite]');

describe('how the page is to be with', () => {
  const { vigil, comes, comesAs, signsInAs, talk } = visitedVigil();

  test('a long conversation begins near its end; what one says is seen, wherever one was reading', async () => {
    vigil().model.script(() => ({ text: 'Yes.' }));
    const id = await talk('reader', 'tester', 'The very first');
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
    await said(page).getByText('The very first').scrollIntoViewIfNeeded();
    await page.getByRole('button', { name: 'Jump to the latest' }).waitFor();
    await send(page, 'Are you still there?');
    await page.waitForFunction((text) => {
      const messages = document.querySelector('section[aria-label=Messages]')!;
      const sent = [...messages.querySelectorAll('*')].findLast((one) => one.textContent === text);
      return sent && sent.getBoundingClientRect().bottom <= messages.getBoundingClientRect().bottom;
    }, 'Are you still there?');
  });

  test('the focus is given back by a question and by Ctrl+K; Escape that drops a proposal stops nothing; the rest of an answer is read aloud', async () => {
    const half = 'The first sentence. ';
    vigil().model.script(({ messages }) =>
      JSON.stringify(messages.at(-1)).includes('Tell me more')
        ? { text: `${half}The second.`, holdAfter: half.length + 1 }
        : { text: 'Hello.' },
    );
    const id = await talk('typist', 'tester', 'Good morning');
    const { page } = await comesAs('typist', id);
    await answered(page, 'Hello.');
    // What was there when one came is not read aloud.
    expect(await aloud(page).textContent()).toBe('');
    const more = page.getByRole('button', { name: 'More about this conversation' });
    await more.click();
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForFunction((element) => element === document.activeElement, await more.elementHandle());
    await field(page).focus();
    // Who types fast presses Enter before the part that finds is loaded.
    const typed = pending<void>();
    await page.route(/finder-.*\.js/, async (route) => {
      await typed.promise;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/^Find a conversation/).fill('morning');
    await page.keyboard.press('Enter');
    typed.resolve();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await focusIsOn(page, '^Message$');
    await send(page, 'Tell me more');
    await vigil().model.held();
    await answered(page, half.trim());
    // Keys of an input method, as Chromium and as Safari tell of them.
    await field(page).fill('日本');
    const openFinder = page.getByPlaceholder(/^Find a conversation/);
    await page.keyboard.press('Control+k');
    await openFinder.fill('morning');
    await page.getByRole('option', { name: /Good morning/ }).waitFor();
    for (const taken of [{ isComposing: true }, { keyCode: 229 }]) {
      for (const key of ['Enter', 'Escape', 'ArrowDown']) await openFinder.dispatchEvent('keydown', { key, ...taken });
      for (const key of ['Enter', 'Escape', 'ArrowUp']) await field(page).dispatchEvent('keydown', { key, ...taken });
    }
    await page.waitForTimeout(300);
    expect(await openFinder.inputValue()).toBe('morning');
    await page.keyboard.press('Escape');
    expect(await field(page).inputValue()).toBe('日本');
    await stands(page, 'running');
    // Who speaks in mid-answer hears the rest of it nevertheless.
    await send(page, 'I am listening');
    await said(page).getByText('I am listening').waitFor();
    vigil().model.release();
    await aloud(page).getByText('The second.').waitFor({ state: 'attached' });
    await (await vigil().user('typist')).until(
      id,
      ({ status, messages }) => status === 'done' && messages.length === 6,
    );
  });

  longTest(
    'what a first visitor writes before the agents are known stays, and they can be asked for again; stand-ins are named',
    async () => {
      vigil().model.script([{ text: 'Here I am.' }]);
      const standIns = { model: 'stand-in model: no OPENAI_API_KEY', search: 'stand-in search: no SERPER_API_KEY' };
      const { page, show } = await comes('/', { colorScheme: 'light' }, async (page) => {
        await page.route('**/agents', (route) => route.abort());
        await page.route('**/_local/health', (route) => route.fulfill({ json: { ...standIns, offset: 0 } }));
      });
      await page.getByText('The agents could not be loaded').waitFor();
      await send(page, 'Is anybody there?');
      expect(await field(page).inputValue()).toBe('Is anybody there?');
      await show('no-agents-light');
      expect(await barriers(page)).toEqual([]);
      await page.unroute('**/agents');
      await page.getByRole('button', { name: 'Try again' }).click();
      await agentCard(page, 'Travel').waitFor();
      // On a laptop a first visit says what is not real, and has the clock.
      for (const standIn of Object.values(standIns)) await page.getByText(standIn).waitFor();
      await page.getByRole('button', { name: '+1 h' }).waitFor();
      await show('first-visit-light');
      await field(page).press('Enter');
      await answered(page, 'Here I am.');
    },
  );

  test('a message that is too long says by how much, and is not cut', async () => {
    const { page } = await comes();
    await agentCard(page, 'Travel').waitFor();
    await field(page).fill('x'.repeat(100_012));
    await page.getByText('12 characters too long').waitFor();
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
    expect((await field(page).inputValue()).length).toBe(100_012);
  });

  longTest(
    'a phone: Back from the run leaves the chat, long states of a call stay within the screen, and a notice covers no button',
    async () => {
      vigil().model.script([call('c1', 'misbehave', { way: 'tell' }), { text: 'It is not there.' }]);
      const user = await vigil().user('walker');
      const { id } = await user.start('tester', 'Try this and that');
      await user.finished(id);
      const { page, show } = await comes('/', phone, (page) => signsInAs(page, () => 'walker'));
      await agentCard(page, 'Travel').waitFor();
      await show('welcome-phone');
      await goesTo(page, id);
      await page.getByText('failed · reported to the model').waitFor();
      await page.route('**/fork', (route) => route.abort());
      await page.getByRole('button', { name: 'Edit and ask again' }).tap();
      await page.getByRole('button', { name: 'Ask again' }).tap();
      const notice = page.getByText('Not forked: Vigil does not respond.').first();
      await notice.waitFor();
      await show('notice-phone');
      const [box, written] = await Promise.all([notice, field(page)].map((one) => one.boundingBox()));
      expect(box!.y + box!.height).toBeLessThan(written!.y);
      await page.getByRole('button', { name: 'Cancel' }).tap();
      await show('failed-call-phone');
      const messages = page.getByRole('region', { name: 'Messages' });
      expect(await messages.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
      expect(await field(page).evaluate((element) => getComputedStyle(element).fontSize)).toBe('16px');
      await page.getByRole('navigation', { name: 'Parts of the page' }).getByText('Run').click();
      await page.getByText('Model calls').waitFor();
      await page.goBack();
      await page.getByText('Agents that wait').waitFor();
    },
  );

  test('the first minute: an empty home says what it is for, and the agent is chosen where one writes (R257)', async () => {
    vigil().model.script(() => ({ text: 'Lisbon, then.' }));
    const { page, show } = await comes('/', {}, (page) => signsInAs(page, () => 'newcomer'));
    await page.getByRole('heading', { level: 1, name: 'Agents that wait' }).waitFor();
    await page.getByText('Here is what needs you, and what is next.').waitFor();
    await agentCard(page, 'Bank').waitFor();
    // Headings and landmarks as well.
    await fitsEverywhere({ page, show }, 'first-home', ['moderate', 'serious', 'critical']);
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
    const { page, show } = await comes('/', {}, (page) => signsInAs(page, () => 'sleeper'));
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
    await show('clock-hint-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await show('clock-hint-dark');
    expect(await barriers(page)).toEqual([]);
    await run.getByRole('button', { name: 'next wake-up' }).click();
    await answered(page, 'It is time.');
    await run.getByRole('button', { name: /More about this laptop/ }).waitFor();
    expect(await hint.count()).toBe(0);
    await show('clock-line-dark');
    await page.reload();
    const more = run.getByRole('button', { name: /More about this laptop/ });
    await more.waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    await show('clock-line-light');
    expect(await barriers(page)).toEqual([]);
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
    for (const [address, words] of [
      ['/#/cpnversations', 'There is nothing at this address'],
      [`/#/c/${id}x`, 'Conversation not found'],
    ] as const) {
      const { page, show } = await comes(address, {}, (page) => signsInAs(page, () => 'lost'));
      await page.getByRole('heading', { name: words }).waitFor();
      await show(`nowhere-${words.slice(0, 5)}-light`);
      expect(await barriers(page)).toEqual([]);
      const main = page.getByRole('main');
      await main.getByRole('button', { name: 'Find a conversation' }).click();
      await page.getByPlaceholder(/^Find a conversation/).waitFor();
      await page.keyboard.press('Escape');
      await main.getByRole('button', { name: 'Home' }).click();
      await page.getByText('Agents that wait').waitFor();
    }
    const { page, show } = await comes(`/#/c/${id}`, phone, (page) => signsInAs(page, () => 'lost'));
    const tabs = page.getByRole('navigation', { name: 'Parts of the page' });
    const current = () => tabs.locator('[aria-current=true]').textContent();
    await answered(page, 'Hello.');
    expect(await tabs.getByRole('button').allTextContents()).toEqual(['Home', 'List', 'Chat', 'Run']);
    expect(await current()).toBe('Chat');
    await tabs.getByRole('button', { name: 'Home' }).tap();
    await page.getByText('Agents that wait').waitFor();
    expect(await current()).toBe('Home');
    expect(await tabs.getByRole('button').allTextContents()).toEqual(['Home', 'List']);
    await show('home-phone-light');
    await tabs.getByRole('button', { name: 'List' }).tap();
    expect(await current()).toBe('List');
    await page.getByRole('link', { name: /The way home/ }).tap();
    await answered(page, 'Hello.');
  });
});
