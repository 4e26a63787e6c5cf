import type { Locator, Page } from 'playwright-core';
import { fitsEverywhere, sendNow, visitedVigil } from './support/page/browser';
import { call } from './support/stories/transcript';

// An ordinary hand: it presses twice, and aims at what goes away; it types while something comes; it has no network. On every list whose
// rows go when they are pressed.

/** Between two presses, or between a colleague's decision and a press, in milliseconds. */
const gaps = [50, 170, 330] as const;
type Hand = 'mouse' | 'touch';
/** A slower press is a new one. */
const inertMs = 700;
const tries = 3;

/** Notes in the page when it was pressed, and when rows have last moved. */
const watches = (page: Page) =>
  page.addInitScript(() => {
    const seen = { pressedAt: 0, betweenMs: 0, movedAt: 0 };
    Object.assign(globalThis, { seen });
    addEventListener(
      'pointerdown',
      () => {
        const at = performance.now();
        Object.assign(seen, { betweenMs: at - seen.pressedAt, pressedAt: at });
      },
      true,
    );
    new MutationObserver(() => {
      seen.movedAt = performance.now();
    }).observe(document, { subtree: true, attributeFilter: ['data-moved'] });
  });
interface Seen {
  pressedAt: number;
  betweenMs: number;
  movedAt: number;
}
const seenBy = (page: Page) => page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);

/** Waits until a button takes presses. @returns where it is. */
async function aimedAt(button: Locator): Promise<{ x: number; y: number }> {
  await button.click({ trial: true });
  const { x, y, width, height } = (await button.boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
}
const press = (page: Page, hand: Hand, { x, y }: { x: number; y: number }) =>
  hand === 'mouse' ? page.mouse.click(x, y) : page.touchscreen.tap(x, y);
/** The row of a button, in the page's words. */
const rowOf = (button: Locator) =>
  button.evaluate((element) => {
    const row = element.closest<HTMLElement>('[data-callback], [data-row]:not([data-row=""])')!;
    return row.dataset.callback ?? row.dataset.row!;
  });

interface Opened {
  page: Page;
  /** The buttons that end their rows, from the top. */
  buttons: Locator;
  /** A colleague, or another window, ends a row. */
  elsewhere?: (row: string) => Promise<unknown>;
}
interface Listed {
  name: string;
  /** The request of such a button. */
  sends: RegExp;
  /** It is sent at once, and leaves its receipt. */
  isAtOnce?: true;
  opens: () => Promise<Opened>;
}

describe('an ordinary hand', () => {
  const { vigil, comes, comesAs, signsInAs } = visitedVigil();
  const wide = { viewport: { width: 1_440, height: 1_100 }, hasTouch: true, colorScheme: 'light' } as const;
  const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
  /** As many as all tries may end, and some that are left. */
  const rows = upTo(gaps.length * tries + 2);
  /** Where each press ends one. */
  const manyRows = upTo(16);

  const home = (name: string) =>
    comes('/', wide, async (page) => {
      await signsInAs(page, () => name, ['finance']);
      await watches(page);
    });
  const conversation = (name: string, id: string) => comesAs(name, id, wide, watches);
  async function waits(name: string, agent: string, calls: { name: string; arguments: object }[]) {
    vigil().model.script([
      { toolCalls: calls.map((one, at) => ({ id: `c${at}`, ...one })) },
      { text: 'That is that.' },
    ]);
    const user = await vigil().user(name, ['finance']);
    const { id } = await user.start(agent, 'Do all of it');
    return { user, id };
  }
  async function payments(name: string, count = rows.length) {
    const calls = rows.slice(0, count).map((at) => ({
      name: 'transfer',
      arguments: { to: `Person ${at}`, amount_cents: 60_000 + at * 100, purpose: 'Rent' },
    }));
    const begun = await waits(name, 'account-manager', calls);
    await begun.user.until(
      begun.id,
      ({ callbacks }) => callbacks.filter(({ status }) => status === 'pending').length === count,
    );
    return begun;
  }
  async function reminders(name: string) {
    const begun = await waits(
      name,
      'tester',
      rows.map((at) => ({
        name: 'remind_later',
        arguments: { message: `Pot ${at}`, delay_seconds: at * 3_600, at: null },
      })),
    );
    await begun.user.finished(begun.id);
    return begun;
  }
  const cancels = async ({ user, id }: Awaited<ReturnType<typeof reminders>>, row: string) => {
    const { timers, calls } = await user.read(id);
    const message = calls.find((one) => one.id === row)?.arguments as { message: string } | undefined;
    const timer = timers.find((one) => one.id === row || one.text === message?.message)!;
    return user.request('DELETE', `/conversations/${id}/timers/${timer.id}`);
  };
  /** What a dialog lists, and what another window has removed of it. */
  async function listed(page: Page, path: string, of: (left: number[]) => object) {
    let left = rows;
    await page.route(`**${path}`, (route) => route.fulfill({ json: of(left) }));
    await page.route(`**${path}/*`, (route) => {
      const gone = Number(/(\d+)$/.exec(route.request().url())?.[1]);
      left = left.filter((one) => one !== gone);
      return route.fulfill({ status: 204 });
    });
  }
  async function fromMenu(page: Page, item: string) {
    await page.getByRole('button', { name: /Signed in as/ }).click();
    await page.getByRole('menuitem', { name: item }).click();
    return page.getByRole('dialog');
  }
  const later = '2030-01-01T00:00:00.000Z';
  const madeFrom = { conversationId: 'c', callbackId: 'c', tool: 'transfer' };
  const standing = (at: number) => ({
    id: `s${at}`,
    version: 1,
    tool: 'transfer',
    agent: 'bank',
    same: { to: `Person ${at}` },
    mayDiffer: [],
    calls: 3,
    uses: [],
    createdAt: later,
    expiresAt: later,
    madeFrom,
  });

  const lists: Listed[] = [
    {
      name: 'approvals of the inbox',
      sends: /^POST .*\/callbacks\//,
      async opens() {
        const { user, id } = await payments('inbox-hand', 5);
        const { page } = await home('inbox-hand');
        const buttons = page.getByRole('region', { name: 'Home' }).getByRole('button', { name: /^Approve \$/ });
        return { page, buttons, elsewhere: (row) => user.answer(id, row, { approved: false }) };
      },
    },
    {
      name: 'approvals of a conversation',
      sends: /^POST .*\/callbacks\//,
      async opens() {
        const { user, id } = await payments('cards-hand', 5);
        const { page } = await conversation('cards-hand', id);
        const buttons = page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: /^Approve \$/ });
        return { page, buttons, elsewhere: (row) => user.answer(id, row, { approved: false }) };
      },
    },
    {
      name: 'questions',
      sends: /^POST .*\/callbacks\//,
      isAtOnce: true,
      async opens() {
        const { user, id } = await waits(
          'asked-hand',
          'tester',
          rows.map((at) => ({ name: 'ask_user', arguments: { question: `Which of ${at}?` } })),
        );
        await user.until(id, ({ callbacks }) => callbacks.filter(({ status }) => status === 'pending').length === 8);
        const { page } = await conversation('asked-hand', id);
        await page.getByLabel(/^Answer: Which of 8/).waitFor();
        for (const at of rows) await page.getByLabel(new RegExp(`^Answer: Which of ${at}`)).fill('This one');
        const buttons = page
          .getByRole('region', { name: 'Messages' })
          .getByRole('button', { name: 'Answer', exact: true });
        return { page, buttons };
      },
    },
    {
      name: 'timers of the home',
      sends: /^DELETE .*\/timers\//,
      async opens() {
        const begun = await reminders('home-timers');
        const { page } = await home('home-timers');
        const buttons = page.getByRole('region', { name: 'Home' }).getByRole('button', { name: /^Cancel: Pot/ });
        return { page, buttons, elsewhere: (row) => cancels(begun, row) };
      },
    },
    {
      name: 'timers of a conversation',
      sends: /^DELETE .*\/timers\//,
      async opens() {
        const begun = await reminders('card-timers');
        const { page } = await conversation('card-timers', begun.id);
        const buttons = page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: /^Cancel: Pot/ });
        return { page, buttons, elsewhere: (row) => cancels(begun, row) };
      },
    },
    {
      name: 'failed runs',
      sends: /^POST .*\/retry$/,
      isAtOnce: true,
      async opens() {
        const user = await vigil().user('failed-hand');
        for (const at of manyRows) {
          vigil().model.script([{ status: 401 }]);
          const { id } = await user.start('chat', `Summary ${at}`);
          await user.until(id, ({ status }) => status === 'failed');
        }
        vigil().model.script(() => ({ text: 'There is no news.' }));
        const { page } = await home('failed-hand');
        const buttons = page.getByRole('region', { name: 'Home' }).getByRole('button', { name: /^Try again: / });
        return { page, buttons, elsewhere: (row) => user.request('POST', `/conversations/${row}/retry`) };
      },
    },
    {
      name: 'memories',
      sends: /^DELETE .*\/memories\//,
      async opens() {
        const { page } = await home('memory-hand');
        const memory = (at: number) => ({ id: `m${at}`, text: `Fact ${at}`, conversationId: 'c', createdAt: later });
        await listed(page, '/memories', (left) => ({ memories: left.map(memory) }));
        const dialog = await fromMenu(page, 'What agents remember…');
        return { page, buttons: dialog.getByRole('button', { name: /^Forget: / }) };
      },
    },
    {
      name: 'standing approvals',
      sends: /^DELETE .*\/standing-approvals\//,
      isAtOnce: true,
      async opens() {
        const { page } = await home('standing-hand');
        await listed(page, '/standing-approvals', (left) => ({ approvals: left.map(standing) }));
        const dialog = await fromMenu(page, 'Who may do what for me…');
        return { page, buttons: dialog.getByRole('button', { name: /^End: / }) };
      },
    },
    {
      name: 'devices',
      sends: /^DELETE .*\/devices\//,
      isAtOnce: true,
      async opens() {
        const { page } = await home('device-hand');
        const device = (at: number) => ({
          id: `d${at}`,
          name: `Phone ${at}`,
          addedAt: later,
          until: later,
          isConfirmed: true,
        });
        await listed(page, '/devices', (left) => ({ publicKey: 'x', devices: left.map(device) }));
        const dialog = await fromMenu(page, 'Settings…');
        return { page, buttons: dialog.getByRole('button', { name: /^Remove Phone/ }) };
      },
    },
    {
      name: 'links',
      sends: /^DELETE .*\/links\//,
      isAtOnce: true,
      async opens() {
        const user = await vigil().user('link-hand');
        const { id } = await user.start('reminder');
        const { page } = await conversation('link-hand', id);
        const link = (at: number) => ({
          id: `l${at}`,
          role: 'member',
          once: false,
          createdAt: later,
          expiresAt: later,
          uses: at,
        });
        await listed(page, '/links', (left) => ({ links: left.map(link) }));
        await page.getByRole('main').getByRole('button', { name: 'More about this conversation' }).click();
        await page.getByRole('menuitem', { name: 'Share…' }).click();
        return { page, buttons: page.getByRole('dialog').getByRole('button', { name: 'Revoke' }) };
      },
    },
    {
      name: 'members',
      sends: /^DELETE .*\/members\?/,
      isAtOnce: true,
      async opens() {
        const teams = manyRows.map((at) => `team-${at}`);
        const user = await vigil().user('member-hand', teams);
        const { id } = await user.start('reminder');
        for (const team of teams)
          expect(
            await user.request('PUT', `/conversations/${id}/members`, { member: `group:${team}`, role: 'watcher' }),
          ).toMatchObject({ status: 200 });
        const { page } = await conversation('member-hand', id);
        await page.getByRole('main').getByRole('button', { name: 'More about this conversation' }).click();
        await page.getByRole('menuitem', { name: 'Share…' }).click();
        const remove = (member: string) =>
          user.request('DELETE', `/conversations/${id}/members?member=${encodeURIComponent(member)}`);
        return {
          page,
          buttons: page.getByRole('dialog').getByRole('button', { name: /^Remove / }),
          elsewhere: (row) => remove(row.replace('member ', '')),
        };
      },
    },
  ];

  test.each(lists)(
    'two presses reach one row of the $name, and none that has just moved (R264)',
    async ({ sends, isAtOnce, opens }) => {
      const { page, buttons, elsewhere } = await opens();
      const sent: string[] = [];
      page.on('request', (request) => {
        const line = `${request.method()} ${request.url()}`;
        if (sends.test(line)) sent.push(line);
      });
      const receipts = page.locator('fieldset[data-receipt]');
      /** What the presses have reached: it is taken back, or waited for. */
      async function reached(): Promise<number> {
        if (isAtOnce) {
          await page.waitForFunction(() => !document.querySelector('fieldset[data-receipt="sending"]'));
          return sent.splice(0).length;
        }
        // A timer has one in its card and one in the run's panel.
        const named = await receipts.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
        const count = new Set(named).size;
        while ((await receipts.count()) > 0) await receipts.first().getByRole('button', { name: /^Undo/ }).click();
        return count;
      }
      /** Plays something until the machine was fast enough for it, and no earlier receipt has gone meanwhile: that moves the rows. */
      async function inTime(least: number, play: () => Promise<{ ms: number; count: number }>): Promise<number> {
        for (let attempt = 1; ; attempt += 1) {
          if (isAtOnce) await receipts.first().waitFor({ state: 'detached' });
          const { ms, count } = await play();
          if ((ms < inertMs - 50 && count >= least) || attempt === tries) return count;
        }
      }
      for (const [nth, gap] of gaps.entries()) {
        const hand = nth % 2 === 0 ? 'mouse' : 'touch';
        for (const one of [hand, hand === 'mouse' ? 'touch' : 'mouse'] as const) {
          const count = await inTime(1, async () => {
            const place = await aimedAt(buttons.first());
            await press(page, one, place);
            await page.waitForTimeout(gap);
            await press(page, one, place);
            const { betweenMs } = await seenBy(page);
            return { ms: betweenMs, count: await reached() };
          });
          expect([gap, one, count]).toEqual([gap, one, 1]);
        }
        if (!elsewhere) continue;
        // Somebody else ends the row at which the hand aims: the next one takes its place.
        const count = await inTime(0, async () => {
          const place = await aimedAt(buttons.first());
          if (hand === 'mouse') await page.mouse.move(place.x, place.y);
          const row = await rowOf(buttons.first());
          const before = await buttons.count();
          await elsewhere(row);
          while ((await buttons.count()) >= before) await page.waitForTimeout(5);
          await page.waitForTimeout(gap);
          await press(page, hand, place);
          const { pressedAt, movedAt } = await seenBy(page);
          const result = { ms: pressedAt - movedAt, count: await reached() };
          expect(before).toBeGreaterThan(1);
          return result;
        });
        expect([gap, 'aimed', count]).toEqual([gap, 'aimed', 0]);
      }
      expect(sent).toEqual([]);
    },
  );

  test('a decision stays in its place as its receipt, is announced, taken back, sent once; a second Enter decides nothing (R264)', async () => {
    const { user, id } = await payments('receipts', 3);
    const { page, show } = await home('receipts');
    const region = page.getByRole('region', { name: 'Home' });
    const outcomes = async () =>
      (await user.read(id)).callbacks.map(({ outcome }) => (outcome as { approved?: boolean } | undefined)?.approved);
    const first = region.getByRole('button', { name: 'Approve $601.00' });
    const before = await aimedAt(first);
    await first.click();
    const receipt = region.getByRole('group', { name: /^Approved \$601\.00/ });
    const place = (await receipt.boundingBox())!;
    expect(before.y).toBeGreaterThan(place.y);
    expect(before.y).toBeLessThan(place.y + place.height);
    await page
      .locator('[aria-live=polite]')
      .getByText(/^Approved \$601\.00: /)
      .waitFor({ state: 'attached' });
    // The time stops while the focus is there.
    await receipt.getByRole('button', { name: /^Undo/ }).focus();
    await fitsEverywhere({ page, show }, 'hand-receipt');
    await receipt.getByRole('button', { name: /^Undo/ }).click();
    await receipt.waitFor({ state: 'detached' });
    expect(await outcomes()).toEqual([undefined, undefined, undefined]);

    // By keys: the focus is on the receipt, and Enter presses nothing.
    await first.focus();
    await page.keyboard.press('Enter');
    await receipt.waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('a');
    expect(await page.locator('fieldset[data-receipt]').count()).toBe(1);
    await sendNow(page);
    await user.until(id, ({ callbacks }) => callbacks.some(({ status }) => status === 'answered'));
    expect(await outcomes()).toEqual([true, undefined, undefined]);
    // A page that is left sends what it holds.
    await region.getByRole('button', { name: 'Deny…' }).first().click();
    await region.getByRole('textbox', { name: /^Reason/ }).press('Enter');
    await region.getByRole('group', { name: /^Denied/ }).waitFor();
    await page.goto('about:blank');
    await user.until(id, ({ callbacks }) => callbacks.filter(({ status }) => status === 'answered').length === 2);
    expect(await outcomes()).toEqual([true, false, undefined]);
  });

  test('a sixth item folds nothing that is open, and moves nothing under a hand; what is typed stays (R264)', async () => {
    const { user, id } = await payments('writer', 5);
    const { page } = await home('writer');
    const region = page.getByRole('region', { name: 'Home' });
    const cards = region.locator('article[data-waits]');
    await cards
      .nth(4)
      .getByRole('button', { name: /^Approve \$/ })
      .waitFor();
    await cards.nth(1).getByRole('button', { name: 'Deny…' }).click();
    const reason = region.getByRole('textbox', { name: /^Reason/ });
    await reason.pressSequentially('a dama');
    vigil().model.script([call('q', 'ask_user', { question: 'Which colour?' }), { text: 'I see.' }]);
    const other = await user.start('tester', 'Plan something');
    await cards.nth(5).waitFor();
    await page.keyboard.type('ged machine');
    expect(await reason.inputValue()).toBe('a damaged machine');
    expect(await region.getByRole('button', { name: /^Approve \$/ }).count()).toBe(4);
    // The newcomer is a line.
    expect(await cards.nth(5).locator('form').count()).toBe(0);

    // Somebody else decides about what is written in: it stays, and its user discards it.
    const row = (await cards.nth(1).getAttribute('data-waits'))!;
    await user.answer(id, row, { approved: false, reason: 'By hand.' });
    await region.getByText('Somebody else has decided about it, or it has ended.').waitFor();
    await page.keyboard.type(', twice');
    expect(await reason.inputValue()).toBe('a damaged machine, twice');
    expect(await region.getByRole('button', { name: 'Deny', exact: true }).isDisabled()).toBe(true);
    await region.getByRole('button', { name: 'Discard' }).click();
    await reason.waitFor({ state: 'detached' });
    const { callbacks } = await user.read(id);
    expect(callbacks.filter(({ status }) => status === 'answered')).toMatchObject([
      { outcome: { reason: 'By hand.' } },
    ]);
    await user.cancel(other.id);
  });

  test('letters after a field that is gone by itself are no commands, until the user has paused (R264)', async () => {
    await payments('typist', 2);
    const { page } = await home('typist');
    const region = page.getByRole('region', { name: 'Home' });
    await region.getByRole('button', { name: 'Deny…' }).first().click();
    await region.getByRole('textbox', { name: /^Reason/ }).pressSequentially('too ');
    // Whatever takes it away: it is not the user.
    await page.waitForTimeout(400);
    await page.evaluate(() => {
      (document.activeElement as HTMLElement).hidden = true;
    });
    await page.keyboard.type('add?jx');
    await page.keyboard.press('Enter');
    expect(await page.locator('fieldset[data-receipt], dialog[open], [role=toolbar]').count()).toBe(0);
    expect(await region.locator('article[aria-current]:focus').count()).toBe(0);
    await page.waitForTimeout(1_100);
    await page.keyboard.press('j');
    await region.locator('article[aria-current]:focus').waitFor();
  });

  const offline = async (page: Page, is: boolean) => {
    await page.context().setOffline(is);
    await page.waitForFunction((expected) => navigator.onLine !== expected, is);
  };

  test('without a network a decision is queued, taken back, kept over a reload, sent, and refused if it is late (R264)', async () => {
    const { user, id } = await payments('traveller', 3);
    const { page, show } = await home('traveller');
    const region = page.getByRole('region', { name: 'Home' });
    const answered = async () => (await user.read(id)).callbacks.filter(({ status }) => status === 'answered').length;
    const approve = (amount: string) => region.getByRole('button', { name: `Approve ${amount}` }).click();
    await region.getByRole('button', { name: 'Approve $603.00' }).waitFor();
    // The hand is on the page, which loads what it may have to say.
    await page.mouse.move(700, 400);
    await page.waitForFunction(() => performance.getEntries().some(({ name }) => name.includes('/notices-')));
    await offline(page, true);
    for (const amount of ['$601.00', '$602.00', '$603.00']) await approve(amount);
    const receipts = page.locator('fieldset[data-receipt=queued]');
    await receipts.nth(2).waitFor();
    await receipts
      .first()
      .getByText(/^Not sent yet/)
      .waitFor();
    await show('hand-offline');
    await region.getByRole('button', { name: /^Take back: Approved \$601\.00/ }).click();
    await region.getByRole('button', { name: 'Approve $601.00' }).waitFor();

    // Somebody else is first with one of them, and the page is loaded again before it hears of it.
    const late = (await user.read(id)).callbacks.find(({ prompt }) => prompt.includes('$603.00'))!;
    await user.answer(id, late.id, { approved: false });
    const kept = await page.evaluate(() =>
      Object.entries(localStorage)
        .filter(([key]) => key.startsWith('vigil.held.'))
        .map(([, value]) => value),
    );
    expect(kept).toHaveLength(1);
    await offline(page, false);
    await page.reload();
    await page
      .getByText(/^Not approved: /)
      .first()
      .waitFor();
    await user.until(id, ({ callbacks }) => callbacks.filter(({ status }) => status === 'answered').length === 2);
    expect(await answered()).toBe(2);
    expect((await user.read(id)).callbacks.map(({ outcome }) => (outcome as { approved?: boolean })?.approved)).toEqual(
      [undefined, true, false],
    );
  });

  test('without a network several decisions are queued in their places, and each can be taken back (R264)', async () => {
    const { user, id } = await payments('travellers', 5);
    const { page } = await home('travellers');
    for (const amount of ['601', '602']) await page.getByRole('checkbox', { name: new RegExp(`\\$${amount}`) }).click();
    await page.getByRole('button', { name: 'Approve 2…' }).click();
    const together = page.getByRole('dialog', { name: 'Approve together' });
    await together.getByText('2 decisions, together $1,203.00.').waitFor();
    await offline(page, true);
    await together.getByRole('button', { name: 'Approve 2 · $1,203.00' }).click();
    await page.locator('fieldset[data-receipt=queued]').nth(1).waitFor();
    expect(await together.count()).toBe(0);
    await page.getByRole('button', { name: /^Take back: Approved \$601\.00/ }).click();
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await offline(page, false);
    const { callbacks } = await user.until(id, (now) => now.callbacks.some(({ status }) => status === 'answered'));
    expect(callbacks.map(({ outcome }) => (outcome as { approved?: boolean })?.approved)).toEqual([
      undefined,
      true,
      undefined,
      undefined,
      undefined,
    ]);
    expect(sent.filter((url) => url.includes('/callbacks/'))).toEqual([expect.stringContaining(callbacks[1]!.id)]);
  });
});
