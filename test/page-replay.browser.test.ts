import type { Page } from 'playwright-core';
import { barriers, focusIsOn, stands, visitedVigil } from './support/page/browser';
import { call } from './support/stories/transcript';

// For developers: a run as it was, moment by moment, its values as trees, and what an agent is.

const main = (page: Page) => page.getByRole('main');
const panel = (page: Page) => page.locator('[aria-label=Run]');
const isAtStep = (page: Page, words: string) =>
  page.getByRole('heading', { level: 1, name: `Replay: step ${words}` }).waitFor();
const slider = (page: Page) => page.getByRole('slider', { name: 'Moment' });
const place = async (page: Page) => (await slider(page).getAttribute('aria-valuetext')) ?? '';

/** What a moment shows: the step, what happened, and the states of the calls. */
async function shown(page: Page) {
  const states = await main(page)
    .locator('[data-state-of-call]')
    .evaluateAll((cards) => cards.map((card) => (card as HTMLElement).dataset.stateOfCall));
  return { at: await place(page), states, answers: await main(page).locator('article[data-status]').allTextContents() };
}

/** Goes through all moments by the keyboard. */
async function walk(page: Page) {
  const seen = [await shown(page)];
  for (;;) {
    const before = await place(page);
    await page.keyboard.press('ArrowRight');
    if (
      (await slider(page).inputValue()) === (await slider(page).getAttribute('max')) &&
      (await place(page)) === before
    )
      return seen;
    await page.waitForFunction(
      (old) => document.querySelector('input[type=range]')?.getAttribute('aria-valuetext') !== old,
      before,
    );
    seen.push(await shown(page));
  }
}

/** Returns the states of the nth call in order, without repeats. */
const statesOf = (seen: Awaited<ReturnType<typeof walk>>, nth: number) =>
  seen.map(({ states }) => states[nth]).filter((state, index, all) => state && state !== all[index - 1]);

describe('a replay', () => {
  const { vigil, comesTo } = visitedVigil();
  let id: string;
  let runs: string[];

  /** A run that fails twice, asks and ends; and one that arranges something, asks, and is stopped and undone. */
  beforeAll(async () => {
    vigil().model.script([
      {
        toolCalls: [
          ...call('m1', 'misbehave', { way: 'throw twice' }).toolCalls!,
          ...call('l1', 'large_result', { kilobytes: 20 }).toolCalls!,
        ],
      },
      { text: 'Let me ask.', ...call('q1', 'ask_user', { question: 'Which day?' }) },
      { text: 'Monday it is.' },
      call('r1', 'remind_later', { message: 'Stretch', at: null, delay_seconds: 86_400 }),
      call('q2', 'ask_user', { question: 'Anything else?' }),
    ]);
    const user = await vigil().user();
    ({ id } = await user.start('tester', 'Plan my week'));
    await vigil().advanceUntil(async () => (await user.read(id)).status === 'waiting');
    const answer = async () => {
      const { callbacks } = await user.waiting(id);
      return callbacks.find(({ status }) => status === 'pending')!.id;
    };
    await user.answer(id, await answer(), { answer: 'Monday' });
    await user.finished(id);
    await user.say(id, 'Remind me to stretch');
    await answer();
    await user.cancel(id);
    const { messages } = await user.finished(id);
    runs = [...new Set(messages.flatMap(({ runId }) => runId ?? []))];
  });

  test('each moment shows the rows as they were: a failed and retried call, a question, and the end (R163)', async () => {
    const { page, show } = await comesTo(`${id}/replay/${runs[0]}`, { colorScheme: 'light' });
    await isAtStep(page, '1 of 3');
    await focusIsOn(page, 'Moment');
    expect(await shown(page)).toMatchObject({ states: [], at: expect.stringContaining('The model is asked') });
    await main(page).getByRole('img', { name: 'writing' }).waitFor();
    const seen = await walk(page);
    expect(statesOf(seen, 0)).toEqual(expect.arrayContaining(['retrying', 'done']));
    expect(statesOf(seen, 0).at(-1)).toBe('done');
    expect(statesOf(seen, 2)).toEqual(expect.arrayContaining(['question', 'done']));
    expect(seen.map(({ at }) => at).join('\n')).toMatch(
      /misbehave: attempt 1 failed[\s\S]*attempt 2 failed[\s\S]*completed/,
    );
    // Nothing that came later is there before, and nothing of the second run at all.
    expect(seen.slice(0, -1).every(({ answers }) => !answers.join().includes('Monday it is.'))).toBe(true);
    expect(seen.at(-1)!.answers.join()).toContain('Monday it is.');
    await isAtStep(page, '3 of 3');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Shift+ArrowLeft');
    await isAtStep(page, '2 of 3');
    while (!(await main(page).locator('[data-state-of-call=question]').count()))
      await page.keyboard.press('ArrowRight');
    // A question of the past is no form.
    await main(page).getByText('Which day?').first().waitFor();
    expect(await main(page).getByRole('textbox').count()).toBe(0);
    await panel(page).getByRole('img', { name: 'Current state: AwaitCallback;' }).waitFor();
    await panel(page).getByText('Let me ask.').waitFor();
    await panel(page)
      .getByText(/\d+ tokens/)
      .first()
      .waitFor();
    await show('replay-question-light');
    expect(await barriers(page)).toEqual([]);

    // The address names the moment.
    const there = await place(page);
    await page.waitForFunction((run) => new RegExp(`/replay/${run}/2\\.\\d+$`).test(location.hash), runs[0]);
    await page.reload();
    await isAtStep(page, '2 of 3');
    expect(await place(page)).toBe(there);
    await page.keyboard.press('Escape');
    await stands(page, 'stopped');
    expect(new URL(page.url()).hash).toBe(`#/c/${id}`);
  });

  test('from the run’s panel to a run that was rolled back, which plays by itself until all is undone (R163, R88)', async () => {
    const { page, show } = await comesTo(id, { colorScheme: 'dark' });
    await panel(page).getByRole('link', { name: 'Replay step by step' }).first().click();
    await isAtStep(page, '1 of 2');
    // The run before is over at its beginning.
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
    await show('replay-undone-dark');
    expect(await barriers(page)).toEqual([]);
    await page.goBack();
    await stands(page, 'stopped');
  });

  test('input and output are trees for the keyboard, whose values are copied with their paths (R163)', async () => {
    const { page, show } = await comesTo(`${id}/replay/${runs[1]}/1.99`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
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
    await panel(page).getByRole('button', { name: 'Copy value' }).click();
    await panel(page).getByText('Copy value: copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Stretch');
    await panel(page).getByRole('button', { name: 'Copy JSON' }).first().click();
    await panel(page).getByText('Copy JSON: copied').waitFor();
    expect(JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))).toMatchObject({
      delay_seconds: 86_400,
    });
    await show('replay-tree');

    // A long result is read as a whole when it is asked for.
    await page.goto(`${new URL(page.url()).origin}/#/c/${id}/replay/${runs[0]}/1.99`);
    const long = panel(page).locator('pre').filter({ hasText: 'lorem ipsum' });
    expect((await long.textContent())!.length).toBe(2_001);
    await panel(page).getByRole('button', { name: 'Show all' }).click();
    await panel(page).getByRole('button', { name: 'Show all' }).waitFor({ state: 'detached' });
    expect((await long.textContent())!.length).toBe(20_000);
  });

  test('an agent’s page says what it is for, may do and must keep to, and leads to the agents that it reaches (R163)', async () => {
    const { page, show } = await comesTo(id, { colorScheme: 'light' });
    await main(page).getByRole('link', { name: 'tester' }).click();
    await page.getByRole('heading', { level: 1, name: 'tester' }).waitFor();
    const pay = page.locator('[data-tool=pay]');
    await pay.getByText('needs an approval').waitFor();
    await pay.getByRole('button', { name: 'Input of pay' }).press('Enter');
    await pay.getByRole('tree', { name: 'Input of pay' }).getByText('"properties":').waitFor();
    await show('agent-tester-light');
    expect(await barriers(page)).toEqual([]);

    await page.goto(`${new URL(page.url()).origin}/#/agents/bank`);
    await page.getByText('You are the front desk of a bank.').waitFor();
    await page.getByRole('link', { name: 'Loan advisor' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Loan advisor' }).waitFor();
    await page.goto(`${new URL(page.url()).origin}/#/agents/pirate`);
    await page.getByText('There is no agent "pirate".').waitFor();
    await page.goto(`${new URL(page.url()).origin}/#/new`);
    await page.getByRole('link', { name: /^About / }).waitFor();
  });
});
