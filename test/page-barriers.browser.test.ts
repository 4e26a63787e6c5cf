import type { Page } from 'playwright-core';
import { answered, barriers, everyImpact, goesTo, send, sendNow, stands, visitedVigil } from './support/page/browser';
import { png } from './support/sample-files';
import { call } from './support/stories/transcript';

// axe finds nothing in any view, and nothing is wider than the window: light on a desk, dark on a phone, with dialogs and menus open.

const sizes = [
  ['light', 1_280],
  ['dark', 390],
] as const;
const found: string[] = [];

/** Checks what the page shows, and leaves it as it was. */
async function check(page: Page, view: string, only: readonly (typeof sizes)[number][] = sizes): Promise<void> {
  for (const [colorScheme, width] of only) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 860 });
    for (const barrier of await barriers(page, everyImpact))
      found.push(`${view}, ${colorScheme}, ${width}: ${barrier}`);
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
      found.push(`${view}: wider than ${width}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1_280, height: 860 });
}

const goes = (page: Page, hash: string) => page.goto(`${new URL(page.url()).origin}/${hash}`);
const text = `# Title\n\nA [link](https://example.org) and $x^2$.\n\n\`\`\`ts\n${'const one = 1;\n'.repeat(40)}\`\`\`\n\n| City | ${'Column | '.repeat(12)}\n|---|${'---|'.repeat(12)}\n| Kyoto | ${'words | '.repeat(12)}\n\n${'A long paragraph. '.repeat(700)}`;

describe('no barrier', () => {
  const { vigil, comes, signsInAs } = visitedVigil();
  const groups = ['finance'];

  test('is in any view: cards, the home, the inbox, an agent’s page, dialogs, menus, and where nothing is (R85, R162)', async () => {
    const { model } = vigil();
    const user = await vigil().user('cards', groups);
    const { page } = await comes('/', { colorScheme: 'light', viewport: { width: 1_280, height: 860 } }, (page) =>
      signsInAs(page, () => 'cards', groups),
    );
    await page.getByRole('heading', { level: 1, name: 'Agents that wait' }).waitFor();
    await check(page, 'empty home');
    const shown = async (view: string, id: string, words: string) => {
      await goesTo(page, id);
      await page.getByRole('main').getByText(words).last().waitFor();
      await check(page, view);
    };

    // Long words, folded calls, a failed call and a file of one's own.
    model.script([
      { text, toolCalls: ['a', 'b'].map((id) => ({ id, name: 'current_time', arguments: {} })) },
      call('c', 'misbehave', { way: 'tell' }),
      { text: 'That was all.' },
    ]);
    const { id: words } = await user.start('tester');
    await goesTo(page, words);
    const picker = page.locator('input[type=file]');
    await picker.waitFor({ state: 'attached' });
    await picker.setInputFiles([{ name: 'a.png', mimeType: 'image/png', buffer: png(40, 40) }]);
    await page.getByRole('button', { name: 'Remove a.png' }).waitFor();
    await check(page, 'draft with a file');
    await send(page, `Look at this. ${'Pasted words. '.repeat(300)}`);
    await answered(page, 'That was all.');
    await stands(page, 'done');
    await page.reload();
    await page.getByRole('button', { name: 'Show more' }).nth(1).waitFor();
    await page.getByRole('button', { name: /finished calls/ }).click();
    await page.locator('[data-call=misbehave] button').first().click();
    await check(page, 'words, folds and calls');
    await page.getByRole('button', { name: 'a.png', exact: false }).first().click();
    await page.getByRole('dialog').waitFor();
    await check(page, 'viewer');
    await page.keyboard.press('Escape');

    // A timer, and a question.
    const every = { task: 'Water the plants', cron: '0 9 * * 1', time_zone: null, every_seconds: null };
    model.script([call('r', 'repeat', every), call('q', 'ask_user', { question: 'Which plants?' })]);
    const timed = (await user.start('tester', 'Water the plants')).id;
    await user.waiting(timed);

    // Two approvals, and a run that failed.
    const transfer = (at: number) => ({ to: at ? 'Ada' : 'Grace', amount_cents: 60_000 + at * 1_000, purpose: 'Rent' });
    const toolCalls = [0, 1].map((at) => ({ id: `t${at}`, name: 'transfer', arguments: transfer(at) }));
    model.script([{ toolCalls }]);
    const pays = (await user.start('account-manager', 'Pay the rent')).id;
    await user.until(pays, ({ callbacks }) => callbacks.filter(({ status }) => status === 'pending').length === 2);
    model.script([{ status: 401 }]);
    const failed = (await user.start('chat', 'Fail, please')).id;
    await user.until(failed, ({ status }) => status === 'failed');

    await page.getByRole('link', { name: /^Home/ }).click();
    const home = page.getByRole('region', { name: 'Home' });
    for (const name of ['Needs you 3', 'Upcoming 1', 'Failed 1'])
      await home.getByRole('button', { name, exact: true }).waitFor();
    await check(page, 'home');
    await page.getByRole('checkbox', { name: /^Select: Send \$600/ }).click();
    await page.getByRole('checkbox', { name: /^Select: Send \$610/ }).click();
    await check(page, 'inbox with a selection');
    const bar = page.getByRole('toolbar', { name: 'Selected' });
    for (const name of ['Approve 2…', 'Deny 2…']) {
      await bar.getByRole('button', { name }).click();
      await page.getByRole('dialog').waitFor();
      await check(page, name);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: /^Snooze: Which plants/ }).click();
    await page.getByRole('dialog').waitFor();
    await check(page, 'snooze');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await home.locator('article[data-waits]').first().focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await check(page, 'keys');
    await page.keyboard.press('Escape');

    // The cards of conversations.
    await shown('timer and question', timed, 'Which plants?');
    await page
      .getByRole('button', { name: /^Change/ })
      .first()
      .click();
    await check(page, 'a timer that is changed');

    model.script([{ text: 'Neither, then.' }]);
    await shown('approval', pays, 'Send $600.00 to Grace');
    const card = page.getByRole('main').locator('[data-call=transfer]').first();
    await card.getByRole('button', { name: 'Change…' }).click();
    await card.getByLabel('Amount').fill('x');
    await check(page, 'approval that is changed');
    await card.getByRole('button', { name: 'Keep as asked' }).click();
    await card.getByRole('button', { name: 'Always allow…' }).click();
    await check(page, 'approval for later ones');
    await card.getByRole('button', { name: 'Deny…' }).click();
    await check(page, 'denial');
    await card.getByRole('button', { name: 'Deny', exact: true }).click();
    await check(page, 'receipt of a denial');
    await sendNow(page);
    await page.getByRole('button', { name: 'Approve $610.00' }).click();
    await sendNow(page);
    await answered(page, 'Neither, then.');
    await check(page, 'decided approvals');

    // Asleep, stopped with calls undone, failed, and handed off.
    const at = new Date((await vigil().now()).getTime() + 86_400_000).toISOString();
    model.script([call('s', 'schedule', { at })]);
    const sleeps = (await user.start('tester', 'Wait a day')).id;
    await user.asleep(sleeps);
    await shown('asleep', sleeps, 'wakes in');
    model.script([
      call('l', 'remind_later', { message: 'Stretch', at: null, delay_seconds: 86_400 }),
      call('m', 'ask_user', { question: 'And then?' }),
    ]);
    const stopped = (await user.start('tester', 'Remind me')).id;
    await user.waiting(stopped);
    await user.cancel(stopped);
    await user.finished(stopped);
    await shown('undone', stopped, 'undone');
    await goesTo(page, failed);
    await stands(page, 'failed');
    await check(page, 'failed');
    model.script([
      call('h', 'hand_off_to_account_manager', { reason: 'A transfer.' }),
      call('i', 'current_time', {}),
      { text: 'Handed over.' },
    ]);
    const handed = (await user.start('bank', 'Hand me over')).id;
    await user.finished(handed);
    await shown('hand-off', handed, 'Handed over.');

    // The run on a phone, a replay, and the menu and the dialogs of a conversation.
    const phone = sizes.slice(1);
    const tab = async (name: string) => {
      await page.setViewportSize({ width: 390, height: 860 });
      await page.getByRole('navigation', { name: 'Parts of the page' }).getByText(name).click();
    };
    await tab('Run');
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await check(page, 'run', phone);
    await tab('List');
    await check(page, 'list', phone);
    await tab('Chat');
    await page.setViewportSize({ width: 1_280, height: 860 });
    const more = page.getByRole('button', { name: 'More about this conversation' });
    await more.click();
    await page.getByRole('menuitem', { name: 'Rename…' }).waitFor();
    await check(page, 'menu', sizes.slice(0, 1));
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await page.getByRole('dialog').waitFor();
    await check(page, 'rename');
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Run' }).getByRole('link', { name: 'Replay step by step' }).click();
    await page.getByRole('slider').waitFor();
    await check(page, 'replay');

    // A deletion asks nothing: it can be taken back for a while.
    await goesTo(page, words);
    await more.click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    // The notice stays while it is looked at.
    await undo.focus();
    await check(page, 'deletion');
    await undo.click();
    await undo.waitFor({ state: 'detached' });

    // Where nothing is, and what opens over all.
    for (const [hash, words] of [
      ['#/new', 'Agents that wait'],
      ['#/agents/tester', 'Goes wherever a test sends it.'],
      ['#/agents/pirate', 'There is no agent'],
      ['#/nowhere', 'There is nothing at this address'],
      ['#/c/nowhere', 'Conversation not found'],
    ] as const) {
      await goes(page, hash);
      await page.getByRole('main').getByText(words).first().waitFor();
      await check(page, hash);
    }
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/^Find a conversation/).fill('plants');
    await page.getByRole('option').first().waitFor();
    await check(page, 'finder');
    await page.keyboard.press('Escape');
    const menu = page.getByRole('button', { name: /Signed in as/ });
    await menu.click();
    await page.getByRole('menuitem').first().waitFor();
    await check(page, 'the user’s menu', sizes.slice(0, 1));
    await page.keyboard.press('Escape');
    for (const name of ['What agents remember…', 'Who may do what for me…', 'What you use…', 'Settings…', 'People…']) {
      await menu.click();
      await page.getByRole('menuitem', { name }).click();
      await page.getByRole('dialog').waitFor();
      await page.waitForTimeout(500);
      await check(page, name);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    expect(found).toEqual([]);
  });
});
