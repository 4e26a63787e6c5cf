import type { Page } from 'playwright-core';
import { barriers, field, fitsEverywhere, phone, sendNow, visitedVigil } from './support/page/browser';
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
  const counted = (page: Page, name: string) => home(page).getByRole('button', { name, exact: true }).waitFor();
  const chip = (page: Page, name: string) => home(page).getByRole('button', { name, exact: true });
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
  test('several are approved together: previewed with their sum, one after another, each with its outcome; an edited one stays (R253)', async () => {
    const { user, id, waiting } = await transfers('bulk', [90_000, 62_050, 70_000, 60_000, 55_000]);
    await question('bulk', 'Where to?');
    const { page, show } = await opens('bulk');
    const sent = sentFrom(page);
    await counted(page, 'Needs you 6');
    // A long list has lines, and no form until one is unfolded.
    expect(
      await home(page)
        .getByRole('button', { name: /^Approve/ })
        .count(),
    ).toBe(0);
    await cards(page).first().getByText('Send $900.00 to Person A').waitFor();
    await fitsEverywhere({ page, show }, 'inbox-lines');
    await cards(page).nth(1).getByRole('button', { name: /^Form/ }).click();
    await cards(page).nth(1).getByRole('button', { name: 'Change…' }).click();
    await cards(page).nth(1).getByLabel('Amount').fill('100');

    await box(page, /^Select: Send \$900\.00/).click();
    await box(page, /^Select: Send \$700\.00/).click({ modifiers: ['Shift'] });
    await bar(page).getByText('3 selected').waitFor();
    await show('inbox-selected-light');
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
    await fitsEverywhere({ page, show }, 'inbox-outcomes');
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
    await show('inbox-offline-light');
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

  test('keys do what the sheet says: never in a field, with a modifier or from an input method; none decides twice (R253)', async () => {
    const { user, id } = await transfers('keys', [90_000, 80_000, 70_000, 60_000, 55_000, 51_000]);
    const asked = await question('keys', 'Which colour?');
    const { page, show } = await opens('keys', '/#/new');
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
    for (const key of ['Control+x', 'Alt+x', 'Shift+x', 'Meta+x']) await page.keyboard.press(key);
    const second = cards(page).nth(1);
    for (const taken of [{ isComposing: true }, { keyCode: 229 }])
      for (const key of ['x', 'a', 'd', 'Enter']) await second.dispatchEvent('keydown', { key, ...taken });
    expect(await bar(page).count()).toBe(0);
    await page.keyboard.press('x');
    await bar(page).getByText('1 selected').waitFor();
    await page.keyboard.press('Escape');
    await bar(page).waitFor({ state: 'detached' });

    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByText('Approve it; one that is folded asks first').waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await isOn(1);

    // A folded one asks with its sentence.
    await page.keyboard.press('a');
    const asks = page.getByRole('dialog', { name: 'Approve together' });
    await asks.getByText('Send $800.00 to Person B').waitFor();
    await show('inbox-asks-light');
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
    await show('inbox-changed-light');
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
    await chip(page, 'Mine 2').click();
    expect(await page.evaluate(() => location.hash)).toBe('#/?show=approvals&whose=mine');
    await page.reload();
    await cards(page).first().getByText('$900.00').first().waitFor();
    expect(await cards(page).count()).toBe(1);
    await chip(page, 'Approvals 2').click();
    await chip(page, 'Mine 2').click();
    await home(page).getByLabel('Agent').selectOption({ label: 'Cashier' });
    expect(await page.evaluate(() => location.hash)).toBe('#/?agent=cashier');
    await home(page).getByLabel('Agent').selectOption({ label: 'All agents' });
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
    const second = await refund(32_000);
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
    const { page, show } = await asOneOf('fay');
    const card = await unfolded(page, first);
    await card.getByRole('button', { name: 'Assign…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Assign', exact: true });
    await dialog.getByRole('button', { name: 'Me', exact: true }).waitFor();
    // Who is not in the group is not offered. Who has not looked at their approvals is refused.
    expect(await dialog.getByRole('button', { name: 'sam' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'fred finance' }).click();
    await dialog.getByText(/^Not assigned: fred cannot decide about this now/).waitFor();
    await fitsEverywhere({ page, show }, 'inbox-assign');

    const { page: theirs } = await asOneOf('fred');
    await unfolded(theirs, first);
    const { page: buyers } = await comes(`/#/c/${first.id}`, {}, (one) => signsInAs(one, () => 'buyer'));
    await dialog.getByRole('button', { name: 'fred finance' }).click();
    await dialog.waitFor({ state: 'detached' });
    await card.getByText(`Assigned to ${vigil().idOf('fred')}`, { exact: true }).waitFor();
    await cardOf(theirs, first)
      .getByText(`Assigned to you by ${vigil().idOf('fay')}`, { exact: true })
      .waitFor();
    await buyers.getByText(`Assigned to ${vigil().idOf('fred')} by ${vigil().idOf('fay')}`, { exact: true }).waitFor();

    await card.getByRole('button', { name: 'Take back' }).click();
    await cardOf(theirs, first).getByText('Assigned to you').waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.textContent === 'Assign…');
    await buyers.getByText('Assigned to').waitFor({ state: 'detached' });

    // Somebody decides about one of several meanwhile.
    const third = await refund(33_000);
    for (const one of [first, second, third]) await cardOf(page, one).getByRole('checkbox').click();
    await bar(page).getByRole('button', { name: 'Assign 3…' }).click();
    await dialog.getByRole('button', { name: 'fred finance' }).waitFor();
    const member = await vigil().user('fred', ['finance']);
    await member.answer(third.id, third.waiting.callbacks[0]!.id, { approved: true });
    await third.buyer.finished(third.id);
    await dialog.getByRole('button', { name: 'fred finance' }).click();
    await dialog.getByText('2 of 3 assigned.').waitFor();
    await dialog.getByText('Not assigned: somebody else has decided about it, or it has ended.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    for (const one of [first, second])
      await cardOf(theirs, one)
        .getByText(`Assigned to you by ${vigil().idOf('fay')}`, { exact: true })
        .waitFor();
    vigil().model.script([{ text: 'Settled.' }]);
    await cardOf(theirs, first).getByRole('button', { name: 'Approve', exact: true }).click();
    await sendNow(theirs);
    expect((await first.buyer.finished(first.id)).status).toBe('done');

    await second.buyer.cancel(second.id);
  });

  test('on a phone, one thumb does it: targets are large, and the bar is at the bottom (R253)', async () => {
    const { user, id } = await transfers('thumb', [90_000, 80_000, 70_000, 60_000, 58_000, 56_000, 54_000]);
    const { page, show } = await opens('thumb', '/', phone);
    await counted(page, 'Needs you 7');
    await page.getByRole('navigation', { name: 'Parts of the page' }).getByRole('button', { name: /Home/ }).waitFor();
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
    await box(page, /\$800\.00/).tap();
    await bar(page).waitFor();
    expect(await small()).toEqual([]);
    // Above the message field, wherever the list is scrolled to.
    const [below, above] = await Promise.all([field(page).boundingBox(), bar(page).boundingBox()]);
    expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y);
    expect(below!.y - (above!.y + above!.height)).toBeLessThan(120);
    await show('inbox-phone-selected-light');
    await bar(page).getByRole('button', { name: 'Approve 2…' }).tap();
    const preview = page.getByRole('dialog', { name: 'Approve together' });
    await preview.getByText('2 decisions, together $1,700.00.').waitFor();
    await show('inbox-phone-preview-light');
    expect(await barriers(page)).toEqual([]);
    await preview.getByRole('button', { name: 'Approve 2 · $1,700.00' }).tap();
    await preview.getByText('2 of 2 approved.').waitFor();
    await preview.getByRole('button', { name: 'Close', exact: true }).last().tap();
    await counted(page, 'Needs you 5');
    await cards(page).first().getByText('Send $700.00').tap();
    await cards(page).first().getByRole('button', { name: 'Approve $700.00' }).waitFor();
    expect((await small()).filter((one) => !one.includes('size-7'))).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await show('inbox-phone-open-dark');
    expect((await user.read(id)).callbacks.filter(({ status }) => status === 'pending')).toHaveLength(5);
  });

  test('200 are usable at once: only what is seen is drawn, and a key renders two of them (R253)', async () => {
    const amounts = Array.from({ length: 10 }, (_, at) => 10_001 + at);
    const user = await vigil().user('crowded');
    for (let conversation = 0; conversation < 20; conversation += 1) {
      const toolCalls = amounts.map((cents) => ({
        id: `p${cents}`,
        name: 'pay',
        arguments: { url: 'https://shop.example', cents: cents + conversation * 100 },
      }));
      vigil().model.script([{ toolCalls }, { text: 'That is that.' }]);
      const { id } = await user.start('tester', `Pay them all, ${conversation}`);
      await user.until(id, ({ callbacks }) => callbacks.filter(({ status }) => status === 'pending').length === 10);
    }
    const { page, show } = await opens('crowded', '/#/new');
    await page.getByRole('link', { name: /^Home\s*200 wait for you/ }).waitFor();
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const metrics = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      const of = (name: string) => metrics.find((one) => one.name === name)!.value;
      return { cpu: of('TaskDuration'), layouts: of('LayoutCount'), nodes: of('Nodes') };
    };
    const start = await metrics();
    await page.getByRole('link', { name: /^Home/ }).click();
    await counted(page, 'Needs you 200');
    await cards(page).nth(199).waitFor({ state: 'attached' });
    await page.keyboard.press('j');
    await page.waitForFunction(() => document.activeElement?.matches('article[data-waits]'));
    const shown = await metrics();
    // Lines, not forms: about thirty elements each.
    expect(await cards(page).locator('form').count()).toBe(0);
    expect(await page.evaluate(() => document.querySelectorAll('section[aria-label=Home] *').length)).toBeLessThan(
      200 * 45,
    );
    // What is not on the screen has no layout.
    const drawn = await page.evaluate(
      () =>
        [...document.querySelectorAll('article[data-waits]')].filter((one) =>
          one.checkVisibility({ contentVisibilityAuto: true }),
        ).length,
    );
    expect(drawn).toBeLessThan(60);
    expect(drawn).toBeGreaterThan(3);
    await show('inbox-200-light');
    // A key touches two of them: the one before, and the one after.
    const changed = await page.evaluate(async () => {
      const touched = new Set<Element>();
      const observer = new MutationObserver((records) => {
        for (const { target } of records) {
          const card = (target as Element).closest?.('article[data-waits]');
          if (card) touched.add(card);
        }
      });
      observer.observe(document.querySelector('section[aria-label=Home]')!, {
        subtree: true,
        childList: true,
        attributes: true,
      });
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }));
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      observer.disconnect();
      return touched.size;
    });
    expect(changed).toBe(2);
    for (let pressed = 0; pressed < 50; pressed += 1) await page.keyboard.press('j');
    const moved = await metrics();
    const figures = {
      drawn,
      openingCpuMs: Math.round((shown.cpu - start.cpu) * 1_000),
      nodes: shown.nodes - start.nodes,
      cpuMsPerKey: Math.round(((moved.cpu - shown.cpu) * 1_000) / 51),
      layoutsPerKey: Math.round((moved.layouts - shown.layouts) / 51),
    };
    // CPU, not time: on a busy machine all of it takes longer. An idle one needs a fraction.
    const isSmall = {
      opening: figures.openingCpuMs < 5_000,
      key: figures.cpuMsPerKey < 150,
      layouts: figures.layoutsPerKey < 8,
    };
    expect([figures, isSmall]).toEqual([figures, { opening: true, key: true, layouts: true }]);
    await page.getByRole('checkbox', { name: 'Select all' }).click();
    await bar(page).getByText('200 selected').waitFor();
    await bar(page).getByRole('button', { name: 'Approve 200…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve 200', exact: true }).waitFor();
    await show('inbox-200-preview-light');
  });
});
