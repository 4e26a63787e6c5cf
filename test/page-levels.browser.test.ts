import type { Page } from 'playwright-core';
import { answered, barriers, fitsEverywhere, send, stands, visitedVigil } from './support/page/browser';
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

  test('a user sees finished calls as one line, in words, and no word of a developer; a developer inspects, which is remembered, and has a key (R254)', async () => {
    const id = await busy('reader');
    const size = { viewport: { width: 1440, height: 900 }, colorScheme: 'light' } as const;
    const { page, show, leave } = await comesAs('reader', id, size);
    await answered(page, 'It is late.');
    const line = page.getByRole('button', { name: /^3 finished calls: Look at the clock ×2 · Look up timers/ });
    await line.waitFor();
    expect(await line.getAttribute('aria-expanded')).toBe('false');
    // A failed call stays a card.
    await page.locator('[data-call=cancel_timer][data-state-of-call=failed]').waitFor();
    await run(page).getByText('Cost of the models').waitFor();
    await run(page).getByText('Look up timers').waitFor();
    expect(await page.getByRole('button', { name: 'Inspect' }).count()).toBe(0);
    await line.focus();
    await page.keyboard.press('Enter');
    expect(await line.getAttribute('aria-expanded')).toBe('true');
    await page.locator('[data-call=list_timers] button').first().press('Enter');
    await page.locator('[data-call=cancel_timer] button').first().press('Enter');
    await page.getByRole('term').getByText('When').first().waitFor();
    // Not by a key, either.
    await page.keyboard.press('Control+.');
    await fitsEverywhere({ page, show }, 'levels-user');
    for (const part of [run(page), page.getByRole('main')]) expect(await part.innerText()).not.toMatch(developerWords);
    // What an agent can do, neither.
    await page.getByRole('main').getByRole('link', { name: 'reminder' }).click();
    await page.getByRole('heading', { name: 'What it can do' }).waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(developerWords);
    await leave();

    const { page: theirs } = await comesTo(id, size, (page) => signsInAs(page, () => 'reader', ['developers']));
    await run(theirs).getByText('State transitions').waitFor();
    const inspect = theirs.getByRole('button', { name: 'Inspect' });
    expect(await inspect.getAttribute('aria-pressed')).toBe('true');
    expect(await barriers(theirs)).toEqual([]);
    await inspect.click();
    await run(theirs).getByText('State transitions').waitFor({ state: 'detached' });
    await theirs.reload();
    await run(theirs).getByText('Cost of the models').waitFor();
    expect(await inspect.getAttribute('aria-pressed')).toBe('false');
    // It opens the panel as well.
    await theirs.getByRole('button', { name: 'Hide the run panel' }).click();
    await theirs.keyboard.press('Control+.');
    await run(theirs).getByText('State transitions').waitFor();
  });

  test('a user whose run gives no sign reads what is tried, why it failed and when it is tried again, and stops it (R255)', async () => {
    await vigil().fault({ function: 'CallModel', kind: 'error', at: 'before', times: 10_000 });
    const { id } = await (await vigil().user('patient')).start('reminder', 'Hello');
    const { page } = await comesAs('patient', id, { viewport: { width: 1440, height: 900 } });
    const lines = page.getByRole('region', { name: 'Messages' }).locator('[data-standstill]');
    await lines.getByText(/^No sign for \d+ s\./).waitFor();
    await lines.getByText(/^The model: attempt \d+/).waitFor();
    await lines.getByText(/Tried again by|Trying again/).waitFor();
    for (const part of [run(page), page.getByRole('main')]) expect(await part.innerText()).not.toMatch(developerWords);
    expect(await barriers(page)).toEqual([]);
    await lines.getByRole('button', { name: 'Stop this run' }).click();
    await vigil().clearFaults();
    await stands(page, /^.*stopp/);
    await lines.waitFor({ state: 'detached' });
  });

  test('a conversation asleep says for how long, and is woken and stopped there; one whose model does not answer says why and until when, and “Retry now” asks at once (R202, R255)', async () => {
    const at = new Date((await vigil().now()).getTime() + 71_400_000).toISOString();
    vigil().model.script([call('c2', 'schedule', { at }), call('c3', 'schedule', { at }), { text: 'Awake.' }]);
    const person = await vigil().user('sleeper');
    const { id } = await person.start('reminder', 'Wake up later');
    await person.asleep(id);
    const { page } = await comesAs('sleeper', id, { viewport: { width: 1440, height: 900 } });
    const resting = page.locator('[data-resting=run]');
    await resting.getByText(/Asleep · wakes in 19 h (4\d|50) min/).waitFor();
    await resting.getByRole('button', { name: 'Stop' }).waitFor();
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(1);
    await resting.getByRole('button', { name: 'Wake now' }).click();
    // The agent goes back to sleep.
    await person.until(id, ({ status, run }) => status === 'sleeping' && run?.segment === 2);
    await resting.getByRole('button', { name: 'Move the clock there' }).click();
    await answered(page, 'Awake.');
    await stands(page, 'done');
    await page.locator('[data-resting]').waitFor({ state: 'detached' });

    const { modelCalls } = (await person.read(id)).usage;
    vigil().model.script([{ status: 402 }, { text: 'Here I am.' }]);
    await send(page, 'Are you there?');
    await person.until(id, ({ run }) => run?.modelWait !== undefined);
    await stands(page, /waiting for its model until/);
    const retry = page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Retry now' });
    await retry.waitFor();
    expect(await barriers(page)).toEqual([]);
    await run(page)
      .getByText(/has not answered since .+ It is asked again at /)
      .waitFor();
    // The clock does not move: only the button can bring the answer.
    await retry.press('Enter');
    await answered(page, 'Here I am.');
    await stands(page, 'done');
    await retry.waitFor({ state: 'detached' });
    const { run: ended, usage } = await person.finished(id);
    expect([ended!.segment, usage.modelCalls]).toEqual([2, modelCalls + 1]);
  });
});
