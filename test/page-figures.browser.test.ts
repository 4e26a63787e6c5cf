import { stands, visitedVigil } from './support/page/browser';
import { call } from './support/stories/transcript';

// What the page says in several places is the same in each: costs, steps, times. And it leaves no holes.

const desk = { colorScheme: 'light', viewport: { width: 1_280, height: 860 } } as const;

describe('the page agrees with itself', () => {
  const { vigil, comes, comesAs, signsInAs } = visitedVigil({
    variables: async () => ({ VIGIL_PRICES: JSON.stringify({ 'test-model': [1_000, 10_000] }) }),
  });

  test('what a run has cost is the same in its panel, on the home and in “What you use” (R254)', async () => {
    vigil().model.script([call('q', 'ask_user', { question: 'Where to?' })]);
    const user = await vigil().user('spender');
    const { id } = await user.start('tester', 'Plan a trip');
    await user.waiting(id);
    const { page } = await comes('/', desk, (page) => signsInAs(page, () => 'spender'));
    const amountIn = (text: string | null) => /\$[\d,.]+/.exec(text ?? '')?.[0];
    const month = page.getByText(/for models this month$/);
    await month.waitFor();
    const atHome = amountIn(await month.textContent());
    expect(atHome).toMatch(/^\$0*[\d,]*\.?\d*[1-9]/);
    await page.getByRole('button', { name: /Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'What you use…' }).click();
    const used = page.getByRole('dialog', { name: 'What you use' });
    const entry = used.locator('dl > div', { hasText: 'Cost of the models' }).last();
    await entry.waitFor();
    expect(amountIn(await entry.textContent())).toBe(atHome);
    await page.keyboard.press('Escape');
    await page.goto(`${new URL(page.url()).origin}/#/c/${id}`);
    const ofRun = page
      .getByRole('complementary', { name: 'Run' })
      .locator('dl > div', { hasText: 'Cost of the models' });
    await ofRun.waitFor();
    expect(amountIn(await ofRun.textContent())).toBe(atHome);
  });

  test('a timer’s hour is the reader’s, in the card, the header, the list and the home (R153, R255)', async () => {
    const weekdays = { task: 'Stretch', cron: '0 9 * * 1-5', time_zone: 'America/New_York', every_seconds: null };
    vigil().model.script([call('r', 'repeat', weekdays), { text: 'Every weekday at 9.' }]);
    const user = await vigil().user('newyorker');
    const { id } = await user.start('tester', 'Remind me every weekday at 9 to stretch');
    await user.finished(id);
    const { page } = await comesAs('newyorker', id, { ...desk, timezoneId: 'America/New_York' });
    await stands(page, /^.*next .*09:00.* · Mon–Fri 9:00/);
    expect(await page.locator('main header').textContent()).not.toContain('done');
    const card = page.locator('[data-call=repeat][data-state-of-call=timed]');
    await card.getByText(/09:00/).first().waitFor();
    await page.getByRole('navigation', { name: 'Conversations' }).getByText(/09:00/).first().waitFor();
    const run = page.getByRole('complementary', { name: 'Run' });
    await run.getByText(/09:00/).first().waitFor();
    expect(await page.locator('body').innerText()).not.toMatch(/09:00 UTC|14:00|13:00/);
    await page.getByRole('link', { name: /^Home/ }).click();
    await page.getByRole('region', { name: 'Home' }).getByText(/09:00/).first().waitFor();
  });
});
