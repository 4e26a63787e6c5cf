import type { Page } from 'playwright-core';
import { answered, focusIsOn, stands, visitedVigil } from './support/page/browser';
import { call } from './support/stories/transcript';

// The main stories by the keyboard alone: one sees where the focus is, and it is never lost. A screen reader says what matters first.

/** What has the focus: its names, and what is wrong with it. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement as HTMLInputElement | null;
    if (!at || at === document.body) return { names: [], problem: 'The focus is lost.' };
    const names = [at.ariaLabel, at.labels?.[0]?.textContent?.trim(), at.textContent?.trim()].filter(
      (one): one is string => Boolean(one),
    );
    const accent = document.createElement('i');
    accent.style.color = 'var(--accent)';
    document.body.append(accent);
    const { color } = getComputedStyle(accent);
    accent.remove();
    const isMarked = (element: Element | null): boolean => {
      if (!element) return false;
      const { outlineStyle, outlineWidth, borderTopColor, borderTopWidth } = getComputedStyle(element);
      const hasBorder = borderTopColor === color && parseFloat(borderTopWidth) > 0;
      return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || hasBorder;
    };
    // A field may be marked by the frame around it, a radio by its label.
    const marked = [at, at.parentElement, at.parentElement?.parentElement ?? null].some(isMarked);
    const { top, bottom, left, right } = at.getBoundingClientRect();
    const seen = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
    const isTarget = at.tabIndex >= 0;
    if (isTarget && !marked)
      return { names, problem: `One does not see that this has the focus: ${at.outerHTML.slice(0, 200)}` };
    return {
      names,
      problem: seen ? undefined : `It has the focus, but is not on the screen: ${at.outerHTML.slice(0, 200)}`,
    };
  });

/** Hands that only type. What has the focus is checked after each key, and again when the page has changed. */
function keyboard(page: Page) {
  /** What is removed gives the focus back a moment later, or when the next part is loaded. */
  const check = async () => {
    const end = Date.now() + 20_000;
    for (;;) {
      const { names, problem } = await focused(page);
      if (problem && Date.now() < end) await page.waitForTimeout(50);
      else {
        expect(problem).toBeUndefined();
        return names;
      }
    }
  };
  const press = async (key: string) => {
    await page.keyboard.press(key);
    return check();
  };
  const isOn = (names: string[], wanted: string | RegExp) =>
    names.some((name) => (typeof wanted === 'string' ? name === wanted : wanted.test(name)));
  return {
    check,
    press,
    /** Presses a key until the focus is there. */
    async to(key: string, wanted: string | RegExp) {
      const passed: string[][] = [];
      for (let names = await check(); passed.length < 80; names = await press(key)) {
        if (isOn(names, wanted)) return;
        passed.push(names);
      }
      throw new Error(`${key} never comes to ${wanted}: ${JSON.stringify(passed)}`);
    },
    async type(text: string) {
      await page.keyboard.type(text);
      await check();
    },
  };
}

describe('by the keyboard alone', () => {
  const { vigil, comes, signsInAs } = visitedVigil();
  const opens = (name: string, path = '/') =>
    comes(path, { colorScheme: 'light', viewport: { width: 1_440, height: 900 } }, async (page) => {
      await signsInAs(page, () => name, ['finance']);
      // Nothing is pressed by a mouse.
      await page.addInitScript(() => addEventListener('mousedown', () => console.error('a mouse'), true));
    });

  test('a reminder: from the first word to another time for it; paused, it reads so everywhere, and never as done (R85, R255)', async () => {
    const weekly = { task: 'Water the plants', cron: '0 9 * * 1', time_zone: null, every_seconds: null };
    vigil().model.script(({ messages }) =>
      messages.at(-1)!.role === 'tool' ? { text: 'Every Monday at 9.' } : call('c1', 'repeat', weekly),
    );
    const { page } = await opens('gardener');
    const { to, type, press, check } = keyboard(page);
    await page.getByRole('heading', { level: 1, name: 'Agents that wait' }).waitFor();
    await page.getByRole('radio', { name: /^Reminder/ }).waitFor();
    await check();
    await to('Shift+Tab', /^Agent for the message/);
    await type('Reminder');
    await to('Tab', 'Message');
    await type('Remind me every Monday to water the plants');
    await press('Enter');
    await answered(page, 'Every Monday at 9.');
    await stands(page, /^.*next .* · Mon 9:00 weekly/);
    await page
      .locator('[data-resting=timer]')
      .getByText(/Comes again in \d/)
      .waitFor();
    await check();
    await to('Shift+Tab', 'Change: Water the plants');
    await press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Change the timer' });
    await dialog.waitFor();
    const change = dialog.getByRole('button', { name: 'Change', exact: true });
    expect(await change.isDisabled()).toBe(true);
    await to('Tab', 'How often');
    await type('Mon');
    await to('Tab', 'Time');
    await press('Delete');
    await dialog.getByText('Enter a time.').waitFor();
    expect(await change.isDisabled()).toBe(true);
    await type('0730');
    await to('Tab', 'Change');
    await press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await stands(page, /next .* · Mon–Fri 7:30 weekly/);
    // Back where it was opened.
    await to('Tab', 'Change: Water the plants');
    // The dialog that one leaves changes nothing.
    await press('Enter');
    await dialog.waitFor();
    await press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await to('Tab', 'Change: Water the plants');

    await to('Tab', 'Pause: Water the plants');
    await press('Enter');
    const paused = /^paused · Mon–Fri 7:30/;
    await stands(page, /paused · Mon–Fri 7:30 weekly/);
    await focusIsOn(page, '^Resume: Water the plants$');
    await page.getByRole('navigation', { name: 'Conversations' }).getByText(paused).waitFor();
    await page.locator('[aria-label=Run]').getByText(paused).first().waitFor();
    expect(await page.locator('[data-resting]').count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page
      .getByRole('option')
      .getByText(/paused · Mon–Fri 7:30/)
      .first()
      .waitFor();
    await press('Escape');
    await to('Tab', 'Resume: Water the plants');
    await press('Enter');
    await stands(page, /next .* · Mon–Fri 7:30 weekly/);

    await to('Tab', 'Cancel: Water the plants');
    await press('Enter');
    await to('Tab', /^Send now/);
    await press('Enter');
    await stands(page, 'done');
    await page.getByRole('button', { name: /^1 finished call: Set a recurring reminder/ }).waitFor();
    await focusIsOn(page, '^Messages$');
    await check();
  });

  test('a question, a run that is stopped, and an approval with another amount, of which a screen reader hears amount and receiver first (R54, R85, R251)', async () => {
    const { model } = vigil();
    const at = new Date((await vigil().now()).getTime() + 86_400_000).toISOString();
    const user = await vigil().user('payer', ['finance']);
    model.script([call('t', 'transfer', { to: 'Grace Hopper', amount_cents: 90_000, purpose: 'Rent' })]);
    const { id } = await user.start('account-manager', 'Pay the rent');
    await user.waiting(id);
    model.script([
      call('q', 'ask_user', { question: 'Where to?' }),
      call('s', 'schedule', { at }),
      { text: 'It begins. And it ends.', holdAfter: 'It begins.'.length },
    ]);
    // No agent that the home page offers both asks and sleeps.
    const trip = await user.start('tester', 'Plan a trip');
    await user.waiting(trip.id);
    const { page } = await opens('payer', `/#/c/${trip.id}`);
    const { to, type, press, check } = keyboard(page);
    await stands(page, 'waiting for you');
    await page.getByRole('button', { name: 'Answer', exact: true }).waitFor();
    await check();
    await to('Shift+Tab', 'Answer: Where to?');
    await type('To Lisbon');
    await press('Enter');
    await stands(page, 'asleep until');
    await check();
    // Asleep, it asks before it stops.
    await to('Tab', 'Stop');
    await press('Enter');
    await page.getByRole('button', { name: 'Stop it' }).waitFor();
    await check();
    await press('Escape');
    await page.getByRole('button', { name: 'Stop it' }).waitFor({ state: 'detached' });
    await check();
    await to('Tab', 'Message');
    await type('Go on');
    await press('Enter');
    await model.held();
    await stands(page, 'running');
    await to('Tab', 'Stop');
    await press('Enter');
    await stands(page, 'stopped');
    model.release();
    await check();
    await to('Tab', 'Message');

    // In the inbox and in the conversation.
    const hears = async () => {
      const form = page.getByRole('main').getByRole('form', { name: /^Send \$900\.00 to Grace Hopper/ });
      const description = await form
        .getByRole('button', { name: 'Approve $900.00', exact: true })
        .evaluate((button) => button.ariaDescribedByElements?.map(({ textContent }) => textContent).join());
      expect(description).toMatch(/^Send \$900\.00 to Grace Hopper/);
    };
    const opened = (hash: string) => page.goto(`${new URL(page.url()).origin}/${hash}`);
    await opened('#/');
    await hears();
    await page.getByRole('article', { name: /^Send \$900\.00 to "?Grace Hopper/ }).waitFor();
    await opened(`#/c/${id}`);
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Approve $900.00' }).waitFor();
    await hears();
    model.script([{ text: 'It is on its way.' }]);
    await to('Shift+Tab', 'Change…');
    // What has just come takes no press.
    const amount = page.getByLabel(/^Amount/);
    do await press('Enter');
    while (
      !(await amount.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => false,
      ))
    );
    await to('Shift+Tab', /^Amount/);
    await press('Control+a');
    await type('700.50');
    await to('Tab', 'Approve $700.50 as edited');
    await press('Enter');
    await to('Tab', /^Send now/);
    await press('Enter');
    await answered(page, 'It is on its way.');
    await check();
    expect((await user.finished(id)).callbacks[0]).toMatchObject({ outcome: { approved: true } });
    const [transfer] = (await user.read(id)).calls;
    expect(transfer!.arguments).toMatchObject({ amount_cents: 70_050, to: 'Grace Hopper' });
  });
});
