import { pending } from '../local/pending';
import { barriers, goesTo, sendNow, stands, visitedVigil } from './support/page/browser';
import { startThirdParty } from './support/servers/third-party';
import { call } from './support/stories/transcript';

// The home: what waits, in all conversations, and what one does about it in place. What it says in several places is the same in each.

const desk = { viewport: { width: 1_280, height: 860 } } as const;

const pay = { url: 'https://shop.example', cents: 50_000 };

describe('the home', () => {
  const { vigil, comes, comesAs, signsInAs } = visitedVigil({
    variables: async () => ({ VIGIL_PRICES: JSON.stringify({ 'test-model': [10, 100] }) }),
  });

  test('has what waits in all conversations, also what comes while it is open; each is answered, cancelled or retried in place (R156, R250)', async () => {
    const user = await vigil().user('homer');
    const day = 86_400_000;
    const at = new Date((await vigil().now()).getTime() + day).toISOString();
    const started = async (
      agent: string,
      text: string,
      script: Parameters<ReturnType<typeof vigil>['model']['script']>[0],
    ) => {
      vigil().model.script(script);
      return (await user.start(agent, text)).id;
    };
    const broken = await started('chat', 'Summarise the news', [{ status: 401 }]);
    await user.until(broken, ({ status }) => status === 'failed');
    const every = { task: 'Water the plants', cron: null, time_zone: null, every_seconds: 7_200 };
    const recurring = await started('tester', 'Remind me to water the plants', [
      call('r', 'repeat', every),
      { text: 'Every two hours.' },
    ]);
    await user.finished(recurring);
    const sleeps = await started('tester', 'Look at the garden tomorrow', [call('s', 'schedule', { at })]);
    await user.asleep(sleeps);
    const asks = await started('tester', 'Plan a trip', [
      call('q', 'ask_user', { question: 'Where would you like to go?' }),
    ]);
    await user.waiting(asks);
    const pays = await started('tester', 'Pay the shop', [call('p', 'pay', pay)]);
    await user.waiting(pays);

    // A browser's clock may be wrong: the page takes the time from the API.
    const { page } = await comesAs('homer', 'none', { viewport: { width: 1_440, height: 1_200 } }, (ahead) =>
      ahead.addInitScript(() => {
        const now = Date.now.bind(Date);
        const late = () => now() + 86_400_000;
        globalThis.Date = class extends Date {
          static override now = late;
          constructor(...given: [number]) {
            super(...(given.length > 0 ? given : ([late()] as [number])));
          }
        } as DateConstructor;
      }),
    );
    await page.getByRole('link', { name: /^Home/ }).click();
    const home = page.getByRole('region', { name: 'Home' });
    const counted = (name: string) => home.getByRole('button', { name, exact: true }).waitFor();
    for (const name of ['Needs you 2', 'Upcoming 2', 'Running 0', 'Failed 1']) await counted(name);
    await home
      .getByText(/^The model rejected|401|key/i)
      .first()
      .waitFor();
    // At rest, and alive: the list says when it comes next.
    await page.getByRole('link', { name: /Remind me to water the plants.*next .* every 2 h/s }).waitFor();
    await page.waitForFunction(() => document.title.startsWith('(2) '));
    const list = page.getByRole('navigation', { name: 'Conversations' });
    await list.getByRole('link', { name: /Look at the garden tomorrow.*asleep until/s }).waitFor();
    await list.getByText('Today', { exact: true }).waitFor();
    expect(await list.getByText('Yesterday', { exact: true }).count()).toBe(0);
    expect(await page.getByText('waking up').count()).toBe(0);

    // Pushed while it is open.
    const next = await started('tester', 'Remind me of the oven', [
      call('l', 'remind_later', { message: 'Turn off the oven', delay_seconds: 3_600, at: null }),
      { text: 'In an hour.' },
    ]);
    await user.finished(next);
    await counted('Upcoming 3');
    await home.getByRole('button', { name: 'Cancel: Turn off the oven' }).click();
    await sendNow(home);
    await counted('Upcoming 2');
    expect((await user.read(next)).timers).toMatchObject([{ status: 'cancelled' }]);

    // Only some of it.
    await home.getByRole('button', { name: 'Failed 1' }).click();
    await home.getByRole('article').first().waitFor({ state: 'detached' });
    await home.getByRole('button', { name: 'Failed 1' }).click();
    await home.getByLabel('Agent').selectOption('chat');
    await counted('Needs you 0');
    await home.getByLabel('Agent').selectOption({ label: 'All agents' });

    vigil().model.script([{ text: 'To Lisbon, then.' }]);
    const question = home.getByRole('article', { name: 'Question' });
    await question.getByLabel(/^Answer: Where/).fill('Lisbon');
    await question.getByRole('button', { name: 'Answer' }).click();
    await counted('Needs you 1');
    expect(await user.finished(asks)).toMatchObject({ status: 'done' });

    vigil().model.script([{ text: 'Not paid.' }]);
    const approval = home.getByRole('article', { name: 'pay' });
    await approval.getByRole('button', { name: 'Deny…' }).click();
    await approval.getByRole('textbox', { name: /^Reason/ }).fill('Too dear');
    await approval.getByRole('button', { name: 'Deny', exact: true }).click();
    await sendNow(home);
    await counted('Needs you 0');
    expect((await user.finished(pays)).callbacks).toMatchObject([{ outcome: { approved: false, reason: 'Too dear' } }]);

    vigil().model.script([{ text: 'There is no news.' }]);
    await home.getByRole('button', { name: 'Try again: Summarise the news' }).click();
    await counted('Failed 0');
    expect(await user.finished(broken)).toMatchObject({ status: 'done' });

    await home.getByRole('button', { name: 'Cancel: Look at the garden tomorrow' }).click();
    await page.getByRole('button', { name: 'Stop it' }).click();
    await counted('Upcoming 1');
    expect(await user.finished(sleeps)).toMatchObject({ status: 'cancelled' });

    // A paused timer stays, and does not fire.
    await home.getByRole('button', { name: 'Pause: Water the plants' }).click();
    await home.getByText('paused · every 2 h').waitFor();
    expect((await user.read(recurring)).timers).toMatchObject([{ status: 'paused' }]);
    await home.getByRole('button', { name: 'Resume: Water the plants' }).click();
    await home.getByRole('button', { name: 'Pause: Water the plants' }).waitFor();
    expect((await user.read(recurring)).timers).toMatchObject([{ status: 'active', fired: 0 }]);
    vigil().model.script([{ text: 'Water them now.' }]);
    await home.getByRole('button', { name: 'Run now: Water the plants' }).click();
    // It is done before that as well.
    const watered = await user.until(
      recurring,
      ({ status, messages }) => status === 'done' && messages.at(-1)!.text === 'Water them now.',
    );
    expect(watered.messages.slice(-2)).toMatchObject([
      { role: 'system', author: 'repeat', text: expect.stringMatching(/^🔁 Run by hand at .* Water the plants$/) },
      { role: 'assistant', text: 'Water them now.' },
    ]);

    await home.getByRole('button', { name: 'Cancel: Water the plants' }).click();
    await sendNow(home);
    await home.waitFor({ state: 'detached' });
    await page.getByText('Agents that wait').waitFor();
    // Five have come to their ends since, on other pages than this one.
    await page.waitForFunction(() => document.title === '(5) Vigil');
  });

  test('a call that fails says which attempt, why, and that it is tried again; the timeline keeps what failed (R157)', async () => {
    const gate = pending<void>();
    const party = await startThirdParty({
      answering: async () => (party.requests.length > 1 ? gate.promise : undefined),
    });
    party.failNext(500);
    vigil().model.script([call('h', 'hit', { url: party.url }), { status: 500 }, { text: 'It is hit.' }]);
    const user = await vigil().user('patient');
    // The page is there before the call, which does not wait for it.
    const { page } = await comesAs('patient', 'none', {
      colorScheme: 'light',
      viewport: { width: 1_440, height: 860 },
    });
    const { id } = await user.start('tester', 'Hit it');
    await goesTo(page, id);
    const card = page.locator('[data-call=hit]');
    await card.getByText('running · attempt 2 of 4').waitFor();
    await card.getByText(/^The attempt failed: Error\. (Trying again|Tried again by)/).waitFor();
    expect(await barriers(page)).toEqual([]);
    gate.resolve();
    expect(await user.finished(id)).toMatchObject({ status: 'done' });
    const timeline = page.getByRole('list', { name: 'Timeline of the run' });
    await timeline.getByRole('button', { name: /hit.*2 attempts/ }).waitFor();
    await timeline.getByRole('button', { name: /Model.*2 attempts/ }).waitFor();
    await page.getByRole('button', { name: /^1 finished call/ }).click();
    await card.getByRole('button').first().click();
    await card.getByText('The attempt failed: Error.').waitFor();
    await party.stop();
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
