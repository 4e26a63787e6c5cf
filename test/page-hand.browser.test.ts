import type { Locator, Page, Request } from 'playwright-core';
import { sendNow, visitedVigil } from './support/page/browser';
import { call } from './support/stories/transcript';

// An ordinary hand: it presses twice, and aims at what goes away; it types while something comes; it has no network. On every list whose
// rows go when they are pressed.

type Hand = 'mouse' | 'touch';
/** A slower press is a new one. */
const inertMs = 700;
const tries = 4;

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
/** A list whose rows go when their buttons are pressed. */
interface Listed {
  buttons: Locator;
  /** The request of such a button, if it is sent at once. The others wait, and can be taken back. */
  sends?: RegExp;
}

/** What others do with a list's rows. */
interface Elsewhere {
  refills: () => Promise<unknown>;
  ends: (row: string) => Promise<unknown>;
}

describe('an ordinary hand', () => {
  const { vigil, comes, comesAs, signsInAs } = visitedVigil();
  const wide = { viewport: { width: 1_440, height: 1_100 }, hasTouch: true, colorScheme: 'light' } as const;
  const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
  /** As many as the tries may end, and some that are left. */
  const rows = upTo(8);

  const home = (name: string) =>
    comes('/', wide, async (page) => {
      await signsInAs(page, () => name, ['finance']);
      await watches(page);
    });
  async function waits(name: string, agent: string, calls: { name: string; arguments: object }[]) {
    // Other conversations, which may go on meanwhile, have called already.
    vigil().model.script(({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? { text: 'That is that.' }
        : { toolCalls: calls.map((one, at) => ({ id: `c${at}`, ...one })) },
    );
    const user = await vigil().user(name, ['finance']);
    const { id } = await user.start(agent, 'Do all of it');
    return { user, id };
  }
  const isPending = ({ status }: { status: string }) => status === 'pending';
  async function payments(name: string, count: number) {
    const calls = upTo(count).map((at) => ({
      name: 'transfer',
      arguments: { to: `Person ${at}`, amount_cents: 60_000 + at * 100, purpose: 'Rent' },
    }));
    const begun = await waits(name, 'account-manager', calls);
    await begun.user.until(begun.id, ({ callbacks }) => callbacks.filter(isPending).length === count);
    return begun;
  }
  const reminders = upTo(3).map((at) => ({
    name: 'remind_later',
    arguments: { message: `Pot ${at}`, delay_seconds: at * 3_600, at: null },
  }));
  /** Presses twice at the place of the first button. */
  async function pressedTwice(page: Page, what: string, hand: Hand, gap: number, { buttons, sends }: Listed) {
    const sent: string[] = [];
    const notes = (request: Request) => {
      const line = `${request.method()} ${request.url()}`;
      if (sends?.test(line)) sent.push(line);
    };
    page.on('request', notes);
    for (let attempt = 1; ; attempt += 1) {
      if (sends) await receiptsOf(page).first().waitFor({ state: 'detached' });
      const place = await aimedAt(buttons.first());
      await press(page, hand, place);
      await page.waitForTimeout(gap);
      await press(page, hand, place);
      const { betweenMs } = await seenBy(page);
      // The receipt of what is sent at once is soon gone.
      if (!sends) await receiptsOf(page).first().waitFor();
      while (sends && sent.length === 0) await page.waitForTimeout(20);
      await page.waitForFunction(() => !document.querySelector('fieldset[data-receipt="sending"]'));
      const count = sends ? sent.splice(0).length : await takenBack(page);
      if (betweenMs >= inertMs - 50 && attempt < tries) continue;
      expect([what, hand, gap, count]).toEqual([what, hand, gap, 1]);
      break;
    }
    page.off('request', notes);
  }
  const receiptsOf = (page: Page) => page.locator('fieldset[data-receipt]');
  async function takenBack(page: Page): Promise<number> {
    const receipts = receiptsOf(page);
    // A timer has one in its card and one in the run's panel.
    const named = await receipts.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    while ((await receipts.count()) > 0) await receipts.first().getByRole('button', { name: /^Undo/ }).click();
    return new Set(named).size;
  }
  /** Somebody else ends the row at which the hand aims: the next one takes its place. @returns how many rows were reached. */
  async function aimed(page: Page, hand: Hand, gap: number, buttons: Locator, { refills, ends }: Elsewhere) {
    for (let attempt = 1; ; attempt += 1) {
      await refills();
      const place = await aimedAt(buttons.first());
      if (hand === 'mouse') await page.mouse.move(place.x, place.y);
      const before = await buttons.count();
      const row = buttons.first().locator('xpath=ancestor::*[@data-row!=""][1]');
      await ends((await row.getAttribute('data-row'))!);
      while ((await buttons.count()) >= before) await page.waitForTimeout(5);
      await page.waitForTimeout(gap);
      await press(page, hand, place);
      const { pressedAt, movedAt } = await seenBy(page);
      const count = await takenBack(page);
      if (pressedAt - movedAt < inertMs - 50 || attempt === tries) return count;
    }
  }

  test('a menu is whole when it opens, however slowly its parts load (R264)', async () => {
    const { page } = await home('menu-hand');
    await page.route('**/assets/*.js', (route) => setTimeout(() => void route.continue().catch(() => undefined), 300));
    await page.getByRole('button', { name: /Signed in as/ }).click();
    const item = page.getByRole('menuitem', { name: 'Settings…' });
    const place = async () => {
      await page
        .getByRole('menu')
        .evaluate((menu) => Promise.all(menu.getAnimations().map(({ finished }) => finished)));
      return item.boundingBox();
    };
    await item.waitFor();
    const before = await place();
    await page.getByRole('menuitem', { name: 'Two people side by side' }).waitFor();
    expect(await place()).toEqual(before);
  });

  test('two presses reach one row of each list of the home, and none that has just moved (R264)', async () => {
    // A sixth one would fold all.
    const most = 5;
    const begun = [await payments('home-hand', most)];
    const { user } = begun[0]!;
    const timed = await waits('home-hand', 'tester', reminders);
    await user.finished(timed.id);
    for (const at of upTo(6)) {
      vigil().model.script([{ status: 401 }]);
      const failed = await user.start('chat', `Summary ${at}`);
      await user.until(failed.id, ({ status }) => status === 'failed');
    }
    const { page } = await home('home-hand');
    const region = page.getByRole('region', { name: 'Home' });
    const approvals = region.getByRole('button', { name: /^Approve \$/ });
    /** As long as the machine is too slow for the hand. */
    const refills = async () => {
      const left = await approvals.count();
      if (left > 2) return;
      begun.push(await payments('home-hand', most - left));
      await approvals.nth(most - 1).waitFor();
    };
    const ends = async (row: string) => {
      const all = await Promise.all(begun.map(({ id }) => user.read(id)));
      const { id } = all.find(({ callbacks }) => callbacks.some((one) => one.id === row))!;
      await user.answer(id, row, { approved: false });
    };
    for (const [gap, hand] of [
      [50, 'mouse'],
      [170, 'touch'],
      [330, 'mouse'],
    ] as const) {
      await pressedTwice(page, 'approvals', hand, gap, { buttons: approvals });
      expect([gap, await aimed(page, hand, gap, approvals, { refills, ends })]).toEqual([gap, 0]);
    }
    const timers = { buttons: region.getByRole('button', { name: /^Cancel: Pot/ }) };
    await pressedTwice(page, 'timers', 'touch', 170, timers);
    vigil().model.script(() => ({ text: 'There is no news.' }));
    const failed = { buttons: region.getByRole('button', { name: /^Try again: / }), sends: /^POST .*\/retry$/ };
    await pressedTwice(page, 'failed runs', 'mouse', 170, failed);
  });

  test('two presses reach one row of each list of a conversation (R264)', async () => {
    const { user, id } = await waits('cards-hand', 'tester', [
      ...upTo(3).map((at) => ({ name: 'pay', arguments: { url: `https://shop${at}.example`, cents: 50_000 } })),
      ...rows.map((at) => ({ name: 'ask_user', arguments: { question: `Which of ${at}?` } })),
      ...reminders,
    ]);
    await user.until(id, ({ callbacks }) => callbacks.filter(isPending).length === 3 + rows.length);
    const { page } = await comesAs('cards-hand', id, wide, watches);
    const messages = page.getByRole('region', { name: 'Messages' });
    await messages.getByLabel(/^Answer: Which of 8/).waitFor();
    await pressedTwice(page, 'approvals', 'touch', 170, { buttons: messages.getByRole('button', { name: 'Approve' }) });
    await pressedTwice(page, 'timers', 'mouse', 170, {
      buttons: messages.getByRole('button', { name: /^Cancel: Pot/ }),
    });
    for (const at of rows) await messages.getByLabel(new RegExp(`^Answer: Which of ${at}`)).fill('This one');
    await pressedTwice(page, 'questions', 'touch', 170, {
      buttons: messages.getByRole('button', { name: 'Answer', exact: true }),
      sends: /^POST .*\/callbacks\//,
    });
  });

  test('a decision stays in its place as its receipt, is announced, taken back, sent once; a second Enter decides nothing (R264)', async () => {
    const { user, id } = await payments('receipts', 3);
    const { page } = await home('receipts');
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

  test('a sixth item folds nothing that is open, and moves nothing under a hand; what is typed stays, and is no command (R264)', async () => {
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

    // Letters after a field that is gone by itself are no commands, until the user has paused.
    await region.getByRole('button', { name: 'Deny…' }).first().click();
    await reason.pressSequentially('too ');
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

  test('without a network decisions are queued, taken back, kept over a reload, sent once, and refused if they are late (R264)', async () => {
    const { user, id } = await payments('traveller', 5);
    const { page } = await home('traveller');
    const region = page.getByRole('region', { name: 'Home' });
    for (const amount of ['603', '604']) await page.getByRole('checkbox', { name: new RegExp(`\\$${amount}`) }).click();
    await page.getByRole('button', { name: 'Approve 2…' }).click();
    const together = page.getByRole('dialog', { name: 'Approve together' });
    await together.getByText('2 decisions, together $1,207.00.').waitFor();
    // The hand is on the page, which loads what it may have to say.
    await page.mouse.move(700, 400);
    await page.waitForFunction(() => performance.getEntries().some(({ name }) => name.includes('/notices-')));
    await offline(page, true);
    await together.getByRole('button', { name: 'Approve 2 · $1,207.00' }).click();
    const receipts = page.locator('fieldset[data-receipt=queued]');
    await receipts.nth(1).waitFor();
    expect(await together.count()).toBe(0);
    for (const amount of ['601', '602']) await region.getByRole('button', { name: `Approve $${amount}.00` }).click();
    await receipts.nth(3).waitFor();
    await receipts
      .first()
      .getByText(/^Not sent yet/)
      .waitFor();
    for (const amount of ['601', '604']) {
      await region.getByRole('button', { name: new RegExp(`^Take back: Approved \\$${amount}`) }).click();
      await region.getByRole('button', { name: `Approve $${amount}.00` }).waitFor();
    }

    // Somebody else is first with one of them, and the page is loaded again before it hears of it.
    const late = (await user.read(id)).callbacks.find(({ prompt }) => prompt.includes('$603.00'))!;
    await user.answer(id, late.id, { approved: false });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/callbacks/')) sent.push(request.url());
    });
    await offline(page, false);
    await page.reload();
    await page
      .getByText(/^Not approved: /)
      .first()
      .waitFor();
    const { callbacks } = await user.until(id, (now) => now.callbacks.filter((one) => !isPending(one)).length === 2);
    expect(callbacks.map(({ outcome }) => (outcome as { approved?: boolean })?.approved)).toEqual([
      undefined,
      true,
      false,
      undefined,
      undefined,
    ]);
    const mayBeSent = callbacks.slice(1, 3).map((one) => expect.stringContaining(one.id));
    expect(sent.length).toBeGreaterThan(0);
    for (const url of sent) expect(mayBeSent).toContainEqual(url);
  });
});
