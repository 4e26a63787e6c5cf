import { pending } from '../local/pending';
import { answered, field, said, send, stands, visitedVigil } from './support/page/browser';

// What becomes of the page when the API refuses it, when a part of it comes late, and when there is more than a list shows. How a lost or
// a silent connection is found out and replaced: packages/client/src/client.test.ts.

describe('the page and its network', () => {
  const { vigil, comesAs } = visitedVigil();

  test('what is not taken says why and outlives a reload; it is stored once; a first message is taken back to where conversations begin', async () => {
    vigil().model.script(() => ({ text: 'I am here.' }));
    const user = await vigil().user('reloader');
    const { id } = await user.start('reminder', 'Hello');
    await user.finished(id);
    const { page } = await comesAs('reloader', id);
    await answered(page, 'I am here.');
    const refusal = { type: 'Unavailable', title: 'Service Unavailable', detail: 'The table is busy.' };
    await page.route('**/messages', (route) => route.fulfill({ status: 503, json: refusal }));
    await send(page, 'Written before the reload');
    await send(page, 'And this after it');
    await page.getByText('Not sent yet: The table is busy.').waitFor();
    await page.reload();
    await page.getByText('Not sent yet: The table is busy.').waitFor();
    await page.unroute('**/messages');
    await page.getByText('not stored yet').first().waitFor({ state: 'detached' });
    const { messages } = await user.finished(id);
    const mine = ['Hello', 'Written before the reload', 'And this after it'];
    expect(messages.filter(({ role }) => role === 'user').map(({ text }) => text)).toEqual(mine);
    await page.reload();
    await said(page).getByText('And this after it').waitFor();
    expect(await said(page).count()).toBe(3);

    const rejection = { type: 'BadRequest', title: 'Bad Request', detail: 'Not like this.' };
    await page.route('**/conversations', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 400, json: rejection }) : route.fallback(),
    );
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByRole('radio').first().waitFor({ state: 'attached' });
    await send(page, 'To be thrown away');
    await page.getByText('Not sent: Not like this.').waitFor();
    await page.getByRole('button', { name: 'discard' }).click();
    await page.getByText('Agents that wait').waitFor();
    expect(await field(page).inputValue()).toBe('');
    await send(page, 'To be said again');
    await page.getByText('Not sent: Not like this.').waitFor();
    await field(page).press('ArrowUp');
    await page.getByText('Agents that wait').waitFor();
    expect(await field(page).inputValue()).toBe('To be said again');
    await page.unroute('**/conversations');
    await field(page).press('Enter');
    await answered(page, 'I am here.');
    expect(await said(page).count()).toBe(1);
  });

  test('what waits is counted and found however many are newer, also by what is typed while the finder is still loaded (R65)', async () => {
    const user = await vigil().user('hoarder');
    vigil().model.script([{ text: 'Which of the two do you mean?' }]);
    const { id } = await user.start('reminder');
    const asking = await user.start('travel', 'Plan a trip');
    await user.waiting(asking.id);
    for (let count = 0; count < 31; count++) await user.start('reminder');
    const late = pending<void>();
    const { page } = await comesAs('hoarder', id, {}, (page) =>
      page.route('**/finder-*.js', (route) => late.promise.then(() => route.continue())),
    );
    await page.waitForFunction(() => document.title.startsWith('(1) '));
    const entries = page.getByRole('navigation', { name: 'Conversations' }).getByRole('listitem');
    // The first page of the list, what waits, and the open one.
    await entries.nth(31).waitFor();
    expect(await entries.count()).toBe(32);
    await field(page).focus();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('waiting for');
    late.resolve();
    await page.getByRole('option').first().getByText('travel · waiting for you').waitFor();
    await page.keyboard.type(' you');
    const finder = page.getByPlaceholder(/^Find a conversation/);
    expect(await finder.inputValue()).toBe('waiting for you');
    expect(await field(page).inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await page.waitForFunction((element) => element === document.activeElement, await field(page).elementHandle());
    // Not by the letters of ids, which nobody sees.
    await page.keyboard.press('Control+k');
    await finder.fill(asking.id);
    await page.getByText('Nothing found.').waitFor();
    await finder.fill('waiting for you');
    await page.getByRole('option').first().getByText('travel · waiting for you').waitFor();
    await page.keyboard.press('Enter');
    await stands(page, 'waiting for you');
  });
});
