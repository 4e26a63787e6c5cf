import type { Locator, Page } from 'playwright-core';
import { barriers, focusIsOn, goesTo, send, stands, visitedVigil } from './support/page/browser';
import { call } from './support/stories/transcript';

// The run beside the conversation: what it did and waited for over time, where it is in the state machine, what it cost. And, for
// developers, a run as it was, moment by moment, its values as trees, and what an agent is.

const main = (page: Page) => page.getByRole('main');
const panel = (page: Page) => page.locator('[aria-label=Run]');
const entries = (page: Page) => panel(page).getByRole('list', { name: 'Timeline of the run' }).first();
const kinds = (page: Page) =>
  entries(page)
    .getByRole('listitem')
    .evaluateAll((items) => items.map((item) => (item as HTMLElement).dataset.entry));
const figure = (page: Page, name: string) =>
  panel(page).getByRole('term').getByText(name, { exact: true }).first().locator('xpath=following::dd[1]');
const isIn = (page: Page, state: string) =>
  panel(page)
    .getByRole('img', { name: `Current state: ${state};` })
    .waitFor();
const isAtStep = (page: Page, words: string) =>
  page.getByRole('heading', { level: 1, name: `Replay: step ${words}` }).waitFor();
const slider = (page: Page) => page.getByRole('slider', { name: 'Moment' });
const place = async (page: Page) => (await slider(page).getAttribute('aria-valuetext')) ?? '';

/** Goes through the moments by the keyboard until something is shown. */
async function until(page: Page, what: Locator): Promise<void> {
  for (let before = await place(page); (await what.count()) === 0; before = await place(page)) {
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(
      (old) => document.querySelector('input[type=range]')?.getAttribute('aria-valuetext') !== old,
      before,
    );
  }
}

describe('a run on the page', () => {
  const { vigil, comesTo } = visitedVigil();

  test('replayed, each moment shows the rows as they were; its values are trees for the keyboard; it leads to its agent (R22, R88, R93, R163)', async () => {
    // A run that fails twice, asks and ends; and one that arranges something, asks, and is stopped and undone.
    vigil().model.script([
      {
        toolCalls: [
          ...call('m1', 'misbehave', { way: 'throw twice' }).toolCalls!,
          ...call('m2', 'misbehave', { way: 'tell' }).toolCalls!,
          ...call('l1', 'large_result', { kilobytes: 20 }).toolCalls!,
        ],
      },
      { text: 'Let me ask.', ...call('q1', 'ask_user', { question: 'Which day?' }) },
      { text: 'Monday it is.' },
      call('r1', 'remind_later', { message: 'Stretch', at: null, delay_seconds: 86_400 }),
      call('q2', 'ask_user', { question: 'Anything else?' }),
    ]);
    const user = await vigil().user();
    const { id } = await user.start('tester', 'Plan my week');
    await vigil().advanceUntil(async () => (await user.read(id)).status === 'waiting');
    const asked = async () => {
      const { callbacks } = await user.waiting(id);
      return callbacks.find(({ status }) => status === 'pending')!.id;
    };
    await user.answer(id, await asked(), { answer: 'Monday' });
    const { run } = await user.finished(id);

    const { page } = await comesTo(id, { permissions: ['clipboard-read', 'clipboard-write'] });
    await entries(page)
      .getByRole('button', { name: /tool: misbehave 3 attempts/ })
      .click();
    await entries(page).getByText('"throw twice"').waitFor();
    await entries(page)
      .getByRole('button', { name: /tool: misbehave failed/ })
      .waitFor();
    await user.say(id, 'Remind me to stretch');
    await asked();
    await user.cancel(id);
    const second = (await user.finished(id)).run!;

    await goesTo(page, `${id}/replay/${run!.id}`);
    await isAtStep(page, '1 of 3');
    await focusIsOn(page, 'Moment');
    expect(await place(page)).toContain('The model is asked');
    const inState = (state: string) => main(page).locator(`[data-state-of-call=${state}]`);
    expect(await main(page).locator('[data-state-of-call]').count()).toBe(0);
    await main(page).getByRole('img', { name: 'writing' }).waitFor();
    await until(page, inState('retrying'));
    expect(await place(page)).toContain('misbehave: attempt 1 failed');
    await until(page, inState('question'));
    await isAtStep(page, '2 of 3');
    // Nothing that came later is there. A question of the past is no form.
    expect(await main(page).getByText('Monday it is.').count()).toBe(0);
    await main(page).getByText('Which day?').first().waitFor();
    expect(await main(page).getByRole('textbox').count()).toBe(0);
    await isIn(page, 'AwaitCallback');
    await panel(page).getByText('Let me ask.').waitFor();
    await panel(page)
      .getByText(/\d+ tokens/)
      .first()
      .waitFor();
    expect(await barriers(page)).toEqual([]);

    // The address names the moment. Nothing of the second run is there, at the end of the first one.
    const there = await place(page);
    await page.waitForFunction((run) => new RegExp(`/replay/${run}/2\\.\\d+$`).test(location.hash), run!.id);
    await page.reload();
    await isAtStep(page, '2 of 3');
    expect(await place(page)).toBe(there);
    await until(page, main(page).getByText('Monday it is.'));
    await isAtStep(page, '3 of 3');
    expect(await inState('question').count()).toBe(0);
    expect(await main(page).getByText('Remind me to stretch').count()).toBe(0);
    await page.keyboard.press('Shift+ArrowLeft');
    await isAtStep(page, '3 of 3');
    await page.keyboard.press('Shift+ArrowLeft');
    await isAtStep(page, '2 of 3');

    // A long result is read as a whole when it is asked for.
    await goesTo(page, `${id}/replay/${run!.id}/1.99`);
    const long = panel(page).locator('pre').filter({ hasText: 'lorem ipsum' });
    expect((await long.textContent())!.length).toBe(2_001);
    await panel(page).getByRole('button', { name: 'Show all' }).click();
    await panel(page).getByRole('button', { name: 'Show all' }).waitFor({ state: 'detached' });
    expect((await long.textContent())!.length).toBe(20_000);
    await page.keyboard.press('Escape');
    await stands(page, 'stopped');
    expect(new URL(page.url()).hash).toBe(`#/c/${id}`);

    // The other run, which was rolled back, plays by itself until all is undone. The run before is over at its beginning.
    await panel(page).getByRole('link', { name: 'Replay step by step' }).first().click();
    await isAtStep(page, '1 of 2');
    await main(page).getByText('Monday it is.').waitFor();
    await page.getByRole('button', { name: 'Play' }).press('Enter');
    await page.getByRole('status').getByText('remind later: undone').waitFor();
    await page.getByRole('button', { name: 'Play' }).waitFor();
    const stateOf = (tool: string) =>
      main(page).locator(`[data-call=${tool}]`).last().getAttribute('data-state-of-call');
    expect([await stateOf('remind_later'), await stateOf('ask_user')]).toEqual(['undone', 'cancelled']);
    await page.getByRole('button', { name: 'Previous step' }).click();
    await isAtStep(page, '2 of 2');
    await main(page).locator('[data-call=remind_later][data-state-of-call=done]').waitFor();

    // Input and output are trees, whose values are copied with their paths.
    await goesTo(page, `${id}/replay/${second.id}/1.99`);
    const tree = panel(page).getByRole('tree', { name: 'input' });
    await tree.getByRole('treeitem').first().focus();
    const step = await place(page);
    await page.keyboard.press('ArrowLeft');
    expect(await tree.getByRole('treeitem').count()).toBe(1);
    await tree.getByText('{3 fields}').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await focusIsOn(page, '"message": "Stretch"');
    // The tree's arrows do not move the replay.
    expect(await place(page)).toBe(step);
    await panel(page).getByText('$.message', { exact: true }).waitFor();
    const copies = async (name: string) => {
      await panel(page).getByRole('button', { name }).first().click();
      await panel(page).getByText(`${name}: copied`).waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    expect(await copies('Copy value')).toBe('Stretch');
    expect(JSON.parse(await copies('Copy JSON'))).toMatchObject({ delay_seconds: 86_400 });

    // The agent's page says what it is for and may do, and leads to the agents that it reaches.
    await goesTo(page, id);
    await main(page).getByRole('link', { name: 'tester' }).click();
    await page.getByRole('heading', { level: 1, name: 'tester' }).waitFor();
    const pay = page.locator('[data-tool=pay]');
    await pay.getByText('needs an approval').waitFor();
    await pay.getByRole('button', { name: 'Input of pay' }).press('Enter');
    await pay.getByRole('tree', { name: 'Input of pay' }).getByText('"properties":').waitFor();
    await page.goto(`${new URL(page.url()).origin}/#/agents/bank`);
    await page.getByText('You are the front desk of a bank.').waitFor();
    await page.getByRole('link', { name: 'Loan advisor' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Loan advisor' }).waitFor();
    await page.goto(`${new URL(page.url()).origin}/#/new`);
    await page.getByRole('link', { name: /^About / }).waitFor();
  });

  // Its clock may still be moving at the end.
  test('asleep for three days, what it did before is seen; an entry opens; woken by the clock, it is all there (R91, R92, R93, R117, R118, R200)', async () => {
    const at = new Date((await vigil().now()).getTime() + 3 * 86_400_000).toISOString();
    const details = { prompt_tokens_details: { cached_tokens: 9_000, cache_write_tokens: 500 } };
    const usage = { prompt_tokens: 10_000, completion_tokens: 5, total_tokens: 10_005, ...details };
    vigil().model.script([
      call('c1', 'current_time', {}),
      { text: 'I will remind you.', ...call('c2', 'schedule', { at }) },
      call('c3', 'reminder', { message: 'Stretch' }),
      { text: 'I have reminded you.', usage },
      { text: 'You are welcome.' },
    ]);
    const user = await vigil().user();
    const { id } = await user.start('reminder', 'Remind me in three days to stretch');
    await user.asleep(id);
    const { page } = await comesTo(id, { colorScheme: 'light' });
    await isIn(page, 'Sleep');
    await entries(page).getByText('schedule').waitFor();
    expect(await kinds(page)).toEqual(['model', 'tool', 'model', 'wait']);
    await panel(page).getByRole('img', { name: 'Not to scale: 3 d' }).waitFor();
    // Three bars of a few milliseconds beside a wait of three days, and each is as wide as one can see.
    const widths = await entries(page)
      .locator('rect')
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
    expect(Math.min(...widths)).toBeGreaterThan(2.5);
    // How the three share the room is the machine's affair.
    expect(widths[0]! + widths[1]! + widths[2]!).toBeGreaterThan(50);

    await entries(page)
      .getByRole('button', { name: /model: Model · reminder , step 1/ })
      .press('Enter');
    await entries(page)
      .getByText(/\d+(\.\d)?k? in · \d+ out/)
      .waitFor();
    await entries(page)
      .getByRole('button', { name: /schedule/ })
      .click();
    await entries(page).getByText('"at":').waitFor();
    expect(await barriers(page)).toEqual([]);

    await page.getByRole('button', { name: 'next wake-up' }).click();
    await stands(page, 'done');
    await isIn(page, 'Done');
    await entries(page).getByRole('listitem').nth(6).waitFor();
    expect(await kinds(page)).toEqual(['model', 'tool', 'model', 'wait', 'model', 'tool', 'model']);
    await figure(page, 'State transitions').getByText('12', { exact: true }).waitFor();
    expect(await figure(page, 'Model calls').textContent()).toBe('4');
    // Read for a tenth of the price, and written for a quarter more.
    expect(await figure(page, 'From the cache').textContent()).toBe('9.0k in · $0.0008 saved');
    expect(await figure(page, 'Total').textContent()).toMatch(/^\$0\.0\d{3}$/);

    await send(page, 'Thank you');
    await panel(page).getByText('All 2 runs').waitFor();
    await panel(page)
      .getByText(/^done, /)
      .click();
    await panel(page).getByText('schedule').waitFor();
  });
});
