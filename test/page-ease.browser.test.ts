import { key } from '../core/conversations/rows/keys';
import { write } from '../core/conversations/store/table';
import { longTest } from './support/long';
import {
  agentCard,
  answered,
  barriers,
  field,
  fitsEverywhere,
  phone,
  said,
  send,
  stands,
  visitedVigil,
} from './support/page/browser';
import { call } from './support/stories/transcript';

// How the page is to be with: what is long begins at its end, the focus goes where one looks for it, nothing typed is lost, and all of it
// fits a phone.

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
    // The next test's replies are not for this run.
    await page.locator('article').getByText('Yes.').nth(1).waitFor();
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
