import type { Page } from 'playwright-core';
import { answered, barriers, fitsEverywhere, focusIsOn, sendNow, stands, visitedVigil } from './support/page/browser';
import { call } from './support/stories/transcript';

// Two levels of the page: what a user sees, and what "Inspect" shows a developer. And what lives looks alive.

const developerWords =
  /AwaitCallback|CallModel|GB-s|\b[a-z]+_[a-z]+\b|\d{4}-\d\d-\d\dT|[{}]|Table units|State transitions/;
const run = (page: Page) => page.locator('[aria-label=Run]');

describe('the two levels of the page', () => {
  const { vigil, comesTo, comesAs, signsInAs } = visitedVigil({
    variables: async () => ({ VIGIL_DEVELOPERS_GROUP: 'developers' }),
  });

  /** A conversation with four calls that are over, one that failed, and a reply. */
  async function busy(user: string): Promise<string> {
    vigil().model.script([
      {
        text: 'I look.',
        toolCalls: [
          { id: 'a', name: 'current_time', arguments: {} },
          { id: 'b', name: 'list_timers', arguments: {} },
        ],
      },
      call('c', 'current_time', {}),
      call('d', 'cancel_timer', { timer_id: 'x' }),
      { text: 'It is late.' },
    ]);
    const person = await vigil().user(user);
    const { id } = await person.start('reminder', 'What is the time?');
    await person.finished(id);
    return id;
  }

  test('a user sees finished calls as one line, in words, and no word of a developer; a developer may inspect (R254)', async () => {
    const id = await busy('reader');
    const { page, show } = await comesAs('reader', id, {
      viewport: { width: 1440, height: 900 },
      colorScheme: 'light',
    });
    await answered(page, 'It is late.');
    await fitsEverywhere({ page, show }, 'levels-user');
    const line = page.getByRole('button', { name: /^3 finished calls: Look at the clock ×2 · Look up timers/ });
    await line.waitFor();
    expect(await line.getAttribute('aria-expanded')).toBe('false');
    // A failed call stays a card.
    await page.locator('[data-call=cancel_timer][data-state-of-call=failed]').waitFor();
    await run(page).getByText('Cost of the models').waitFor();
    await run(page).getByText('Look up timers').waitFor();
    expect(await page.getByRole('button', { name: 'Inspect' }).count()).toBe(0);
    for (const part of [run(page), page.getByRole('main')]) expect(await part.innerText()).not.toMatch(developerWords);
    await line.focus();
    await page.keyboard.press('Enter');
    expect(await line.getAttribute('aria-expanded')).toBe('true');
    await page.locator('[data-call=list_timers] button').first().press('Enter');
    await page.locator('[data-call=cancel_timer] button').first().press('Enter');
    await page.getByRole('term').getByText('When').first().waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(developerWords);
    await show('levels-user-open-1440-light');
    expect(await barriers(page)).toEqual([]);
    // What an agent can do, neither.
    await page.getByRole('main').getByRole('link', { name: 'reminder' }).click();
    await page.getByRole('heading', { name: 'What it can do' }).waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(developerWords);
    await show('levels-user-agent-1440-light');
    await page.goBack();
    await answered(page, 'It is late.');
    // Not by a key, either.
    await page.keyboard.press('Control+.');
    await page.waitForTimeout(300);
    expect(await run(page).innerText()).not.toMatch(developerWords);
  });

  test('a user whose run gives no sign reads what is tried, why it failed and when it is tried again, and stops it (R255)', async () => {
    await vigil().fault({ function: 'CallModel', kind: 'error', at: 'before', times: 10_000 });
    const { id } = await (await vigil().user('patient')).start('reminder', 'Hello');
    const { page, show } = await comesAs('patient', id, { viewport: { width: 1440, height: 900 } });
    const lines = page.getByRole('region', { name: 'Messages' }).locator('[data-standstill]');
    await lines.getByText(/^No sign for \d+ s\./).waitFor();
    await lines.getByText(/^The model: attempt \d+/).waitFor();
    await lines.getByText(/Tried again by|Trying again/).waitFor();
    await show('levels-standstill-1440');
    for (const part of [run(page), page.getByRole('main')]) expect(await part.innerText()).not.toMatch(developerWords);
    expect(await barriers(page)).toEqual([]);
    await lines.getByRole('button', { name: 'Stop this run' }).click();
    await vigil().clearFaults();
    await stands(page, /^.*stopp/);
    await lines.waitFor({ state: 'detached' });
  });

  test('Inspect is a developer’s, is remembered, and has a key (R254)', async () => {
    const id = await busy('maker');
    const { page, show } = await comesTo(id, { viewport: { width: 1440, height: 900 } }, (page) =>
      signsInAs(page, () => 'maker', ['developers']),
    );
    await run(page).getByText('State transitions').waitFor();
    const inspect = page.getByRole('button', { name: 'Inspect' });
    expect(await inspect.getAttribute('aria-pressed')).toBe('true');
    await show('levels-developer-1440');
    expect(await barriers(page)).toEqual([]);
    await inspect.click();
    await run(page).getByText('State transitions').waitFor({ state: 'detached' });
    await page.reload();
    await run(page).getByText('Cost of the models').waitFor();
    expect(await inspect.getAttribute('aria-pressed')).toBe('false');
    expect(await run(page).innerText()).not.toMatch(developerWords);
    // It opens the panel as well.
    await page.getByRole('button', { name: 'Hide the run panel' }).click();
    await page.keyboard.press('Control+.');
    await run(page).getByText('State transitions').waitFor();
  });

  test('a timer is a card that is changed, paused and cancelled; its conversation never reads as done (R255)', async () => {
    const weekly = { task: 'Water the plants', cron: '0 9 * * 1', time_zone: null, every_seconds: null };
    vigil().model.script(({ messages }) =>
      messages.at(-1)!.role === 'tool' ? { text: 'Every Monday at 9.' } : call('c1', 'repeat', weekly),
    );
    const person = await vigil().user('gardener');
    const { id } = await person.start('reminder', 'Remind me every Monday to water the plants');
    await person.finished(id);
    const { page, show } = await comesAs('gardener', id, { viewport: { width: 1440, height: 900 } });
    const card = page.locator('[data-call=repeat]');
    await stands(page, /^.*next .* · Mon 9:00 weekly/);
    await page
      .locator('[data-resting=timer]')
      .getByText(/Comes again in \d/)
      .waitFor();
    await fitsEverywhere({ page, show }, 'levels-timer');
    await card.getByRole('button', { name: 'Change: Water the plants' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the timer' });
    const change = dialog.getByRole('button', { name: 'Change', exact: true });
    expect(await change.isDisabled()).toBe(true);
    await dialog.getByLabel('How often').first().selectOption('weekdays');
    await dialog.getByLabel('Time').fill('');
    await dialog.getByText('Enter a time.').waitFor();
    expect(await change.isDisabled()).toBe(true);
    await dialog.getByLabel('Time').fill('07:30');
    await dialog.getByLabel('What').fill('Water the roses');
    await show('levels-timer-change');
    expect(await barriers(page)).toEqual([]);
    await change.click();
    await stands(page, /next .* · Mon–Fri 7:30 weekly/);
    expect((await person.read(id)).timers[0]).toMatchObject({ rule: '30 7 * * 1-5', text: 'Water the roses' });
    await card.getByRole('button', { name: 'Pause: Water the roses' }).click();
    await stands(page, /paused · Mon–Fri 7:30 weekly/);
    await focusIsOn(page, '^Resume: Water the roses$');
    await card.getByText('Water the roses').waitFor();
    // The list, the finder and the panel say the same.
    await page
      .getByRole('navigation', { name: 'Conversations' })
      .getByText(/^paused · Mon–Fri 7:30/)
      .waitFor();
    await run(page)
      .getByText(/^paused · Mon–Fri 7:30/)
      .first()
      .waitFor();
    await page.keyboard.press('Control+k');
    await page
      .getByRole('option')
      .getByText(/paused · Mon–Fri 7:30/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await show('levels-timer-paused');
    expect(await page.locator('[data-resting]').count()).toBe(0);
    await card.getByRole('button', { name: 'Resume: Water the roses' }).click();
    await stands(page, /next .* · Mon–Fri 7:30 weekly/);
    await card.getByRole('button', { name: 'Cancel: Water the roses' }).click();
    await sendNow(card);
    await stands(page, 'done');
    await page.getByRole('button', { name: /^1 finished call: Set a recurring reminder/ }).waitFor();
    await focusIsOn(page, '^Messages$');
  });

  test('a conversation asleep says for how long, how far it is, and is woken and stopped there (R255)', async () => {
    const at = new Date((await vigil().now()).getTime() + 71_400_000).toISOString();
    vigil().model.script([call('c2', 'schedule', { at }), call('c3', 'schedule', { at }), { text: 'Awake.' }]);
    const person = await vigil().user('sleeper');
    const { id } = await person.start('reminder', 'Wake up later');
    await person.asleep(id);
    const { page, show } = await comesAs('sleeper', id, { viewport: { width: 1440, height: 900 } });
    await page
      .locator('[data-resting=run]')
      .getByText(/Asleep · wakes in 19 h (4\d|50) min/)
      .waitFor();
    await fitsEverywhere({ page, show }, 'levels-asleep');
    await page.locator('[data-resting=run]').getByRole('button', { name: 'Stop' }).waitFor();
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(1);
    await page.locator('[data-resting=run]').getByRole('button', { name: 'Wake now' }).click();
    // The agent goes back to sleep.
    await person.until(id, ({ status, run }) => status === 'sleeping' && run?.segment === 2);
    await page.locator('[data-resting=run]').getByRole('button', { name: 'Move the clock there' }).click();
    await answered(page, 'Awake.');
    await stands(page, 'done');
    await page.locator('[data-resting]').waitFor({ state: 'detached' });
  });

  test('a run whose model does not answer says why and until when, and “Retry now” asks the model at once (R202, R255)', async () => {
    vigil().model.script([{ status: 402 }, { text: 'Here I am.' }]);
    const person = await vigil().user('hasty');
    const { id } = await person.start('reminder', 'Are you there?');
    await person.until(id, ({ run }) => run?.modelWait !== undefined);
    const { page, show } = await comesAs('hasty', id, { viewport: { width: 1440, height: 900 } });
    await stands(page, /waiting for its model until/);
    const retry = page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Retry now' });
    await retry.waitFor();
    await fitsEverywhere({ page, show }, 'levels-outage');
    await run(page)
      .getByText(/has not answered since .+ It is asked again at /)
      .waitFor();
    // The clock does not move: only the button can bring the answer.
    await retry.press('Enter');
    await answered(page, 'Here I am.');
    await stands(page, 'done');
    await retry.waitFor({ state: 'detached' });
    const { run: ended, usage } = await person.finished(id);
    expect([ended!.segment, usage.modelCalls]).toEqual([2, 1]);
  });
});
