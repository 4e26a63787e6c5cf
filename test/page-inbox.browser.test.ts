import type { Page } from 'playwright-core';
import { barriers, field, phone, sendNow, visitedVigil } from './support/page/browser';
import { call } from './support/stories/transcript';

// What waits for the user, much of it: decided together, put off, narrowed down, by hand, by keys and by thumb.

describe('the inbox', () => {
  const { vigil, comes, signsInAs } = visitedVigil();

  /** Transfers of these amounts, in one conversation, which wait for their user. */
  async function transfers(name: string, amounts: readonly number[]) {
    const toolCalls = amounts.map((amount_cents, at) => ({
      id: `t${at}`,
      name: 'transfer',
      arguments: { to: `Person ${String.fromCharCode(65 + at)}`, amount_cents, purpose: 'Rent' },
    }));
    vigil().model.script([{ toolCalls }, { text: 'That is that.' }]);
    const user = await vigil().user(name, ['finance']);
    const { id } = await user.start('account-manager', 'Pay the rents');
    const waiting = await user.until(
      id,
      ({ status, callbacks }) =>
        status === 'waiting' && callbacks.filter((one) => one.status === 'pending').length === amounts.length,
    );
    return { user, id, waiting };
  }
  async function question(name: string, words: string) {
    vigil().model.script([call('q', 'ask_user', { question: words }), { text: 'I see.' }]);
    const user = await vigil().user(name, ['finance']);
    const { id } = await user.start('tester', 'Plan something');
    await user.waiting(id);
    return { user, id };
  }
  async function refund(cents: number) {
    vigil().model.script([call(`r${cents}`, 'refund', { cents }), { text: `Settled: ${cents}.` }]);
    const buyer = await vigil().user('buyer');
    const { id } = await buyer.start('cashier', 'My parcel was broken');
    return { buyer, id, waiting: await buyer.waiting(id) };
  }
  const opens = (name: string, path = '/', options: Parameters<typeof comes>[1] = {}) =>
    comes(path, { colorScheme: 'light', viewport: { width: 1_440, height: 900 }, ...options }, (page) =>
      signsInAs(page, () => name, ['finance']),
    );
  const home = (page: Page) => page.getByRole('region', { name: 'Home' });
  const chip = (page: Page, name: string) => home(page).getByRole('button', { name, exact: true });
  const counted = (page: Page, name: string) => chip(page, name).waitFor();
  const cards = (page: Page) => home(page).locator('article[data-waits]');
  const box = (page: Page, words: string | RegExp) => page.getByRole('checkbox', { name: words });
  const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected' });
  /** The decisions that the page has sent, by callback. */
  function sentFrom(page: Page): string[] {
    const sent: string[] = [];
    page.on('request', (request) => {
      const [, id] = /\/callbacks\/([^/]+)$/.exec(request.url()) ?? [];
      if (id && request.method() === 'POST') sent.push(id);
    });
    return sent;
  }

  /** Targets are large, and the bar is at the bottom, above the message field, wherever the list is scrolled to. */
  async function byThumb() {
    const { page, leave } = await opens('bulk', '/', phone);
    await counted(page, 'Needs you 6');
    const small = () =>
      page.evaluate(() =>
        [
          ...document.querySelectorAll(
            'section[aria-label=Home] :is(button, label, select), dialog[open] :is(button, input)',
          ),
        ]
          .map((element) => ({ element, ...element.getBoundingClientRect().toJSON() }))
          .filter(({ width, height }) => width > 1 && (width < 44 || height < 44))
          .map(({ element, width, height }) => `${width} × ${height}: ${element.outerHTML.slice(0, 160)}`),
      );
    expect(await small()).toEqual([]);
    await box(page, /\$900\.00/).tap();
    await box(page, /\$620\.50/).tap();
    await bar(page).waitFor();
    expect(await small()).toEqual([]);
    const [below, above] = await Promise.all([field(page).boundingBox(), bar(page).boundingBox()]);
    expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y);
    expect(below!.y - (above!.y + above!.height)).toBeLessThan(120);
    await bar(page).getByRole('button', { name: 'Approve 2…' }).tap();
    await page
      .getByRole('dialog', { name: 'Approve together' })
      .getByText('2 decisions, together $1,520.50.')
      .waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await cards(page).first().getByText('Send $900.00').tap();
    await cards(page).first().getByRole('button', { name: 'Approve $900.00' }).waitFor();
    expect((await small()).filter((one) => !one.includes('size-7'))).toEqual([]);
    await leave();
  }

  test('on a phone, one thumb selects several; they are approved together: previewed with their sum, one after another, each with its outcome; an edited one stays (R253)', async () => {
    const { user, id, waiting } = await transfers('bulk', [90_000, 62_050, 70_000, 60_000, 55_000]);
    await question('bulk', 'Where to?');
    await byThumb();
    const { page } = await opens('bulk');
    const sent = sentFrom(page);
    await counted(page, 'Needs you 6');
    // A long list has lines, and no form until one is unfolded.
    expect(
      await home(page)
        .getByRole('button', { name: /^Approve/ })
        .count(),
    ).toBe(0);
    await cards(page).first().getByText('Send $900.00 to Person A').waitFor();
    await cards(page).nth(1).getByRole('button', { name: /^Form/ }).click();
    await cards(page).nth(1).getByRole('button', { name: 'Change…' }).click();
    await cards(page).nth(1).getByLabel('Amount').fill('100');

    await box(page, /^Select: Send \$900\.00/).click();
    await box(page, /^Select: Send \$700\.00/).click({ modifiers: ['Shift'] });
    await bar(page).getByText('3 selected').waitFor();
    await bar(page).getByRole('button', { name: 'Approve 3…' }).click();
    const preview = page.getByRole('dialog', { name: 'Approve together' });
    await preview.getByText('2 decisions, together $1,600.00.').waitFor();
    await preview.getByText('it has a change that is not sent').waitFor();

    // Somebody else is faster with one of them: their decision comes while the page’s own is on its way.
    const first = waiting.callbacks.find(({ prompt }) => prompt.includes('$900.00'))!;
    await page.route(`**/callbacks/${first.id}`, async (route) => {
      await user.answer(id, first.id, { approved: false, reason: 'Not Ada.' });
      await route.continue();
    });
    await preview.getByRole('button', { name: 'Approve 2 · $1,600.00' }).click();
    await preview.getByText('Not approved: somebody else has decided about it, or it has ended.').waitFor();
    await preview.getByText('1 of 2 approved.').waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(sent).toHaveLength(2);
    await preview.getByRole('button', { name: 'Close', exact: true }).last().click();
    const outcomes = async () =>
      (await user.read(id)).callbacks.map(({ prompt, outcome }) => [
        /\$[\d,.]+/.exec(prompt)![0],
        (outcome as { approved?: boolean } | undefined)?.approved,
      ]);
    expect(await outcomes()).toEqual([
      ['$900.00', false],
      ['$620.50', undefined],
      ['$700.00', true],
      ['$600.00', undefined],
      ['$550.00', undefined],
    ]);

    // Without a connection, no outcome is known, and only what had none is sent again, on request.
    await page.reload();
    await counted(page, 'Needs you 4');
    sent.length = 0;
    await box(page, /\$600\.00/).click();
    await box(page, /\$550\.00/).click();
    await bar(page).getByRole('button', { name: 'Deny 2…' }).click();
    const denial = page.getByRole('dialog', { name: 'Deny together' });
    await denial.getByLabel('Reason for all of them, for the model').fill('Not this month.');
    // The first one is stored, but its answer is lost; the second one never arrives.
    await page.route('**/callbacks/*', async (route) => {
      if (sent.length === 1) await route.fetch();
      await route.abort();
    });
    await denial.getByRole('button', { name: 'Deny 2', exact: true }).click();
    await denial
      .getByText(/^No answer, so it may be denied or not/)
      .nth(1)
      .waitFor();
    expect((await outcomes()).slice(3)).toEqual([
      ['$600.00', false],
      ['$550.00', undefined],
    ]);
    await page.unroute('**/callbacks/*');
    await denial.getByRole('button', { name: 'Try 2 again' }).click();
    await denial.getByText('2 of 2 denied.').waitFor();
    await denial.getByRole('button', { name: 'Close', exact: true }).last().click();
    // Each was tried twice, and stored once.
    expect(sent).toHaveLength(4);
    const { callbacks } = await user.read(id);
    expect(callbacks.slice(3)).toMatchObject(
      [1, 2].map(() => ({ outcome: { approved: false, reason: 'Not this month.' } })),
    );
    await counted(page, 'Needs you 2');
    // The change that was not sent is still there.
    await cards(page).first().getByRole('button', { name: 'Approve $100.00 as edited' }).waitFor();
  });

  test('keys do what the sheet says, never in a field; none decides twice (R253)', async () => {
    const { user, id } = await transfers('keys', [90_000, 80_000, 70_000, 60_000, 55_000, 51_000]);
    const asked = await question('keys', 'Which colour?');
    const { page } = await opens('keys', '/#/new');
    const sent = sentFrom(page);
    await page.getByRole('link', { name: /^Home/ }).click();
    await counted(page, 'Needs you 7');
    const isOn = (at: number) =>
      page.waitForFunction(
        (nth) => document.querySelectorAll('article[data-waits]')[nth] === document.activeElement,
        at,
      );
    // The message field has not taken the focus; when it has it, keys are letters, and Escape leads to the list.
    await field(page).press('j');
    await field(page).press('a');
    expect(await field(page).inputValue()).toBe('ja');
    await field(page).fill('');
    await field(page).press('Escape');
    await isOn(0);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await isOn(2);
    await page.keyboard.press('k');
    await isOn(1);
    await page.keyboard.press('x');
    await bar(page).getByText('1 selected').waitFor();
    await page.keyboard.press('Escape');
    await bar(page).waitFor({ state: 'detached' });

    // A folded one asks with its sentence.
    await page.keyboard.press('a');
    const asks = page.getByRole('dialog', { name: 'Approve together' });
    await asks.getByText('Send $800.00 to Person B').waitFor();
    expect(sent).toEqual([]);
    await page.keyboard.press('Enter');
    await asks.waitFor({ state: 'detached' });
    expect(sent).toEqual([]);
    await sendNow(page);
    await counted(page, 'Needs you 6');
    expect(sent).toHaveLength(1);
    // The same key decides nothing more.
    await page.keyboard.press('a');
    await page.keyboard.press('j');
    await isOn(1);
    await cards(page).nth(1).getByText('Send $700.00').waitFor();

    // E changes; Escape leads back; an open one needs no question.
    await page.keyboard.press('e');
    const amount = cards(page).nth(1).getByLabel('Amount');
    await page.waitForFunction(() => document.activeElement?.closest('form') !== null);
    await amount.fill('650');
    await page.keyboard.press('Escape');
    await isOn(1);
    await page.keyboard.press('a');
    await sendNow(page);
    await counted(page, 'Needs you 5');
    // A key that is held goes on to nothing else.
    await page.keyboard.press('j');
    await isOn(1);
    await page.keyboard.press('d');
    await page.keyboard.type('Too much: ask again, Jack');
    await page.keyboard.press('Enter');
    await sendNow(page);
    await counted(page, 'Needs you 4');
    const { callbacks } = await user.read(id);
    expect(callbacks.map(({ outcome }) => outcome)).toMatchObject([
      undefined,
      { approved: true },
      { approved: true },
      { approved: false, reason: 'Too much: ask again, Jack' },
      undefined,
      undefined,
    ]);
    expect(sent).toHaveLength(3);

    // A question is answered, not approved.
    await chip(page, 'Questions 1').click();
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await page.keyboard.type('Blue');
    await page.keyboard.press('Enter');
    expect((await asked.user.finished(asked.id)).status).toBe('done');
    await chip(page, 'Show all').click();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/#/c/${id}`);
  });

  test('what is put off comes back by itself, is counted apart, and lasts over a reload; filters are in the address; what has come is marked (R253)', async () => {
    await transfers('later', [90_000]);
    await question('later', 'Which colour?');
    const other = await refund(5_000);
    const { page } = await opens('later', '/#/?whose=others');
    await chip(page, 'Others’ 1').waitFor();
    await home(page).getByText('My parcel was broken').first().waitFor({ state: 'attached' });
    expect(await cards(page).count()).toBe(1);
    await chip(page, 'Others’ 1').click();
    await page.waitForFunction(() => location.hash === '#/');
    await chip(page, 'Approvals 2').click();
    expect(await page.evaluate(() => location.hash)).toBe('#/?show=approvals');
    await home(page).getByLabel('Agent').selectOption({ label: 'Cashier' });
    expect(await page.evaluate(() => location.hash)).toBe('#/?show=approvals&agent=cashier');
    expect(await cards(page).count()).toBe(1);
    await home(page).getByLabel('Agent').selectOption({ label: 'All agents' });
    await chip(page, 'Approvals 2').click();
    expect(await cards(page).count()).toBe(3);
    await page.waitForFunction(() => document.title.startsWith('(3) '));

    await home(page)
      .getByRole('button', { name: /^Snooze: Which colour/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Snooze' });
    await dialog.getByText('In an hour').waitFor();
    await dialog.getByRole('button', { name: /^In an hour/ }).click();
    await counted(page, 'Needs you 2');
    await page.getByRole('link', { name: /^Home\s*2 wait for you/ }).waitFor();
    await page.waitForFunction(() => document.title.startsWith('(2) '));
    await page.reload();
    await counted(page, 'Needs you 2');
    await chip(page, '1 snoozed').click();
    await cards(page)
      .first()
      .getByText(/ · back /)
      .waitFor();
    await chip(page, '1 snoozed').click();
    // The page’s clock is the laptop’s.
    await page.getByRole('button', { name: '+1 h' }).click();
    await counted(page, 'Needs you 3');
    expect(await chip(page, '1 snoozed').count()).toBe(0);

    // Nothing was new so far. What comes while one is elsewhere is.
    expect(await home(page).getByText('New', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'New conversation' }).click();
    await home(page).waitFor({ state: 'detached' });
    const next = await refund(7_000);
    await page.getByRole('link', { name: /^Home\s*4 wait for you/ }).click();
    await home(page).getByText('New', { exact: true }).waitFor();
    expect(await home(page).getByText('New', { exact: true }).count()).toBe(1);
    for (const { buyer, id } of [other, next]) await buyer.cancel(id).catch(() => undefined);
  });

  test('an approval is assigned to another of the group, who sees it and decides; several one after another; it is taken back (R253)', async () => {
    const first = await refund(31_000);
    const people = ['fay', 'fred', 'sam'].map((name) => ({
      name,
      groups: name === 'sam' ? [] : ['finance'],
      claims: {},
    }));
    const asOneOf = (name: string, path = '/', options = {}) =>
      comes(path, { colorScheme: 'light', viewport: { width: 1_440, height: 900 }, ...options }, (page) =>
        page.addInitScript(
          (kept) => {
            for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value);
          },
          { 'vigil.people': JSON.stringify(people), 'vigil.user': name },
        ),
      );
    const cardOf = (page: Page, { waiting }: typeof first) =>
      home(page).locator(`article[data-waits="${waiting.callbacks[0]!.id}"]`);
    async function unfolded(page: Page, one: typeof first) {
      const form = cardOf(page, one).getByRole('button', { name: /^Form/ });
      if ((await form.getAttribute('aria-expanded')) === 'false') await form.click();
      return cardOf(page, one);
    }
    const { page } = await asOneOf('fay');
    const card = await unfolded(page, first);
    await card.getByRole('button', { name: 'Assign…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Assign', exact: true });
    await dialog.getByRole('button', { name: 'Me', exact: true }).waitFor();
    // Who is not in the group is not offered. Who has not looked at their approvals is refused.
    expect(await dialog.getByRole('button', { name: 'sam' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'fred finance' }).click();
    await dialog.getByText(/^Not assigned: fred cannot decide about this now/).waitFor();
    expect(await barriers(page)).toEqual([]);

    const { page: theirs } = await asOneOf('fred');
    await unfolded(theirs, first);
    const { page: buyers } = await comes(`/#/c/${first.id}`, {}, (one) => signsInAs(one, () => 'buyer'));
    await dialog.getByRole('button', { name: 'fred finance' }).click();
    await dialog.waitFor({ state: 'detached' });
    await card.getByText(`Assigned to ${vigil().idOf('fred')}`, { exact: true }).waitFor();
    const isTold = () =>
      cardOf(theirs, first)
        .getByText(`Assigned to you by ${vigil().idOf('fay')}`, { exact: true })
        .waitFor();
    await isTold();
    await buyers.getByText(`Assigned to ${vigil().idOf('fred')} by ${vigil().idOf('fay')}`, { exact: true }).waitFor();

    await card.getByRole('button', { name: 'Take back' }).click();
    await cardOf(theirs, first).getByText('Assigned to you').waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.textContent === 'Assign…');

    // Somebody decides about one of several meanwhile.
    const second = await refund(32_000);
    for (const one of [first, second]) await cardOf(page, one).getByRole('checkbox').click();
    await bar(page).getByRole('button', { name: 'Assign 2…' }).click();
    await dialog.getByRole('button', { name: 'fred finance' }).waitFor();
    const member = await vigil().user('fred', ['finance']);
    await member.answer(second.id, second.waiting.callbacks[0]!.id, { approved: true });
    await second.buyer.finished(second.id);
    await dialog.getByRole('button', { name: 'fred finance' }).click();
    await dialog.getByText('1 of 2 assigned.').waitFor();
    await dialog.getByText('Not assigned: somebody else has decided about it, or it has ended.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await isTold();
    vigil().model.script([{ text: 'Settled.' }]);
    await cardOf(theirs, first).getByRole('button', { name: 'Approve', exact: true }).click();
    await sendNow(theirs);
    expect((await first.buyer.finished(first.id)).status).toBe('done');
  });

  test('of many, only what is seen is drawn (R253)', async () => {
    const user = await vigil().user('crowded');
    for (let conversation = 0; conversation < 4; conversation += 1) {
      const toolCalls = Array.from({ length: 10 }, (_, at) => ({
        id: `p${at}`,
        name: 'pay',
        arguments: { url: 'https://shop.example', cents: 10_001 + at + conversation * 100 },
      }));
      vigil().model.script([{ toolCalls }, { text: 'That is that.' }]);
      const { id } = await user.start('tester', `Pay them all, ${conversation}`);
      await user.until(id, ({ callbacks }) => callbacks.filter(({ status }) => status === 'pending').length === 10);
    }
    const { page } = await opens('crowded', '/', { viewport: { width: 1_440, height: 400 } });
    await counted(page, 'Needs you 40');
    await cards(page).nth(39).waitFor({ state: 'attached' });
    // Lines, not forms: about thirty elements each.
    expect(await cards(page).locator('form').count()).toBe(0);
    expect(await home(page).locator('*').count()).toBeLessThan(40 * 45);
    // What is not on the screen has no layout.
    const drawn = await cards(page).evaluateAll(
      (all) => all.filter((one) => one.checkVisibility({ contentVisibilityAuto: true })).length,
    );
    expect(drawn).toBeLessThan(30);
    expect(drawn).toBeGreaterThan(3);
    await page.getByRole('checkbox', { name: 'Select all' }).click();
    await bar(page).getByText('40 selected').waitFor();
    await bar(page).getByRole('button', { name: 'Approve 40…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve 40', exact: true }).waitFor();
  });
});
