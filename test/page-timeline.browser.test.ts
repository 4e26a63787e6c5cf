import type { Page } from 'playwright-core';
import { barriers, send, stands, visitedVigil } from './support/page/browser';
import { nudgeToEnd } from './support/stories/patience';
import { call } from './support/stories/transcript';

// The run beside the conversation: what it did and waited for over time, where it is in the state machine, what it cost.

const run = (page: Page) => page.locator('[aria-label=Run]');
const entries = (page: Page) => run(page).getByRole('list', { name: 'Timeline of the run' }).first();
const kinds = (page: Page) =>
  entries(page)
    .getByRole('listitem')
    .evaluateAll((items) => items.map((item) => (item as HTMLElement).dataset.entry));
const figure = (page: Page, name: string) =>
  run(page).getByRole('term').getByText(name, { exact: true }).first().locator('xpath=following::dd[1]');
const isIn = (page: Page, state: string) =>
  run(page)
    .getByRole('img', { name: `Current state: ${state};` })
    .waitFor();

describe('the run beside the conversation', () => {
  const { vigil, comesTo } = visitedVigil();

  /** A reminder that sleeps for three days. */
  async function sleeper(): Promise<string> {
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
    return id;
  }

  test('asleep for three days, what it did before is seen; an entry opens; woken by the clock, it is all there (R91, R92, R93, R117, R118, R200)', async () => {
    const id = await sleeper();
    const { page, show } = await comesTo(id, { colorScheme: 'light' });
    await isIn(page, 'Sleep');
    await entries(page).getByText('schedule').waitFor();
    expect(await kinds(page)).toEqual(['model', 'tool', 'model', 'wait']);
    await run(page).getByRole('img', { name: 'Not to scale: 3 d' }).waitFor();
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
    await show('timeline-open-light');
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
    await run(page).getByText('All 2 runs').waitFor();
    await run(page)
      .getByText(/^done, /)
      .click();
    await run(page).getByText('schedule').waitFor();
    await show('timeline-two-runs-light');
  });

  test('a tool that was tried again says how often, and a failed one that it failed (R22, R93)', async () => {
    vigil().model.script([
      call('m1', 'misbehave', { way: 'throw twice' }),
      call('m2', 'misbehave', { way: 'tell' }),
      { text: 'That went badly, then worse.' },
    ]);
    const { id } = await (await vigil().user()).start('tester', 'Misbehave');
    await nudgeToEnd(vigil(), id);
    const { page, show } = await comesTo(id, { colorScheme: 'dark' });
    await entries(page)
      .getByRole('button', { name: /tool: misbehave 3 attempts/ })
      .click();
    await entries(page).getByText('"throw twice"').waitFor();
    await entries(page)
      .getByRole('button', { name: /tool: misbehave failed/ })
      .waitFor();
    await show('timeline-attempts-dark');
    expect(await barriers(page)).toEqual([]);
  });
});
