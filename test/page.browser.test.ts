import type { Page } from 'playwright-core';
import { agentCard, answered, barriers, said, send, sendNow, stands, visitedVigil } from './support/page/browser';
import { call } from './support/stories/transcript';

// The chat page in a browser, as it is built, against a whole local cloud with a scripted model. A context for each visitor.

const first = 'The first sentence. ';
const second = 'The second one. ';
const third = 'And the last.';

describe('the chat page', () => {
  const { vigil, comes, comesTo, comesAs } = visitedVigil();
  const speaking = () =>
    vigil().model.script([{ text: first + second + third, holdAfter: (first + second).length + 1 }]);
  const lastAnswer = (page: Page) => page.locator('article[data-status]').last();

  test('a first visit: a prompt is shown at once and stays the same element; the answer comes by sentences (R76, R77, R78, R85)', async () => {
    speaking();
    const { page, show } = await comes('/', { colorScheme: 'light' });
    await agentCard(page, 'Reminder').click();
    await page.getByRole('button', { name: /passport/ }).waitFor();
    await show('welcome-light');
    expect(await barriers(page)).toEqual([]);
    await send(page, 'Tell me a story');
    const mine = await said(page).elementHandle();
    await vigil().model.held();
    await answered(page, (first + second).trim());
    expect(await lastAnswer(page).getAttribute('data-status')).toBe('streaming');
    await show('streaming-light');
    vigil().model.release();
    await answered(page, first + second + third);
    await stands(page, 'done');
    expect(await said(page).count()).toBe(1);
    expect(await mine!.evaluate((element) => element.isConnected)).toBe(true);
    expect(await mine!.textContent()).toContain('read by the agent');
  });

  test('two browsers see the same; the other one stops it in mid-sentence, and the conversation goes on (R79, R80, R81, R82, R64)', async () => {
    speaking();
    const { id } = await (await vigil().user()).start('reminder');
    const [a, b] = [await comesTo(id), await comesTo(id)];
    await stands(b.page, 'nothing said yet');
    await send(a.page, 'Tell me');
    await vigil().model.held();
    for (const { page } of [a, b]) {
      await said(page).getByText('Tell me').waitFor();
      await answered(page, (first + second).trim());
    }
    await b.page.keyboard.press('Escape');
    for (const { page } of [a, b]) {
      await page.getByText('— stopped here').waitFor();
      await stands(page, 'stopped');
    }
    vigil().model.release();
    vigil().model.script([{ text: 'Something else, then.' }]);
    await send(a.page, 'Go on');
    for (const { page } of [a, b]) {
      await answered(page, 'Something else, then.');
      expect(await page.locator('article').getByText(third).count()).toBe(0);
    }
  });

  test('asleep: it says until when, also after a reload; the clock is moved on, and it wakes (R57, R92, R118)', async () => {
    vigil().model.script([
      call('c1', 'current_time', {}),
      (() => {
        const at = new Date(Date.now() + 3 * 86_400_000).toISOString();
        return { text: 'I will.', ...call('c2', 'schedule', { at }) };
      })(),
      call('c3', 'reminder', { message: 'Time to **stretch**' }),
      { text: 'Done.' },
    ]);
    const { id } = await (await vigil().user()).start('reminder', 'Remind me in three days to stretch');
    await (await vigil().user()).asleep(id);
    const { page, show } = await comesTo(id, { colorScheme: 'dark' });
    await stands(page, 'asleep until');
    await page.reload();
    await stands(page, 'asleep until');
    const run = page.getByRole('complementary', { name: 'Run' });
    await run.locator('code').getByText('Sleep', { exact: true }).waitFor();
    await page.locator('[data-call=schedule] button').first().click();
    await show('asleep-dark');
    expect(await barriers(page)).toEqual([]);
    await run.getByRole('button', { name: 'next wake-up' }).click();
    await page.getByRole('article', { name: 'Delivered' }).getByText('stretch').waitFor();
    await stands(page, 'done');
    await show('reminded-dark');
  });

  test('an approval is a sentence, announced, edited and given in place (R54, R114, R251)', async () => {
    vigil().model.script([
      {
        text: 'I need your **approval** for that:',
        ...call('c1', 'transfer', { to: 'Ada Lovelace', amount_cents: 90_000, purpose: 'Rent' }),
      },
      { text: 'The money is on its way.' },
    ]);
    const ada = await vigil().user('payer');
    const { id } = await ada.start('account-manager', 'Send 900 dollars to Ada Lovelace for the rent');
    await ada.waiting(id);
    const { page, show } = await comesAs('payer', id, { colorScheme: 'light' });
    await page.getByText('$900.00', { exact: true }).waitFor();
    await stands(page, 'waiting for you');
    expect(await page.title()).toMatch(/^\(\d+\) /);
    expect(await page.locator('[aria-live=assertive]').textContent()).toContain(
      'Send $900.00 to "Ada Lovelace" (outside the bank) for "Rent"?',
    );
    await show('approval');
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Change…' }).click();
    const amount = page.getByLabel('Amount');
    expect(await amount.inputValue()).toBe('900.00');
    // Nothing that could mean another amount is sent (R194).
    for (const typed of ['', '0x10', '70,00', '1.000', '0']) {
      await amount.fill(typed);
      expect(await page.getByRole('button', { name: /^Approve/ }).isDisabled()).toBe(true);
    }
    await page.getByText('more than $0.00.').waitFor();
    // The sentence says what would be sent, while it is typed (R251).
    await amount.fill('700.50');
    await page.getByText('Send $700.50 (was $900.00) to Ada Lovelace (outside the bank) for Rent?').waitFor();
    await amount.fill('0');
    await show('approval-refused');
    await amount.fill('750');
    await page.getByRole('button', { name: 'Approve $750.00 as edited', exact: true }).click();
    await sendNow(page);
    await answered(page, 'The money is on its way.');
    await stands(page, 'done');
    expect((await ada.read(id)).calls[0]).toMatchObject({
      status: 'completed',
      edited: true,
      arguments: { amount_cents: 75_000 },
    });
    await page.getByText(/^Approved by you, .* · Amount \$750\.00, was \$900\.00$/).waitFor();
    await page.locator('[data-call=transfer] button').first().click();
    await page.getByText('input, as edited').waitFor();
    await show('approved');
  });

  test('another user of the laptop has another list, and ada’s conversation is not there (R124)', async () => {
    vigil().model.script(() => ({ text: 'Hello.' }));
    const { id } = await (await vigil().user()).start('reminder', 'Private matters');
    const { page } = await comesTo(id);
    await stands(page, 'done');
    await page.getByRole('button', { name: /Signed in as/ }).click();
    await page.getByRole('menuitemradio', { name: 'grace' }).click();
    await page.getByText('Your conversations appear here.').waitFor();
    await page.goto(`${vigil().url}/#/c/${id}`);
    await page.getByText('Conversation not found').waitFor();
    expect(await page.getByText('Private matters').count()).toBe(0);
  });
});
