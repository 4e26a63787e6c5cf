import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { failRun } from '../core/conversations/conversation/fail';
import { key, prefix } from '../core/conversations/rows/keys';
import { shipped } from './agents';
import {
  answered,
  barriers,
  field,
  focusIsOn,
  phone,
  said,
  send,
  sendNow,
  stands,
  visitedVigil,
} from './support/page/browser';
import { startThirdParty } from './support/servers/third-party';
import { deliver } from './support/servers/webhook';
import { nudgeToEnd } from './support/stories/patience';
import { call } from './support/stories/transcript';

// What a person does on the page to a run, a call, a message or a memory: each action is there where it is wanted, once.

const pay = { url: 'https://shop.example', cents: 50_000 };

describe('what one does on the page', () => {
  const { vigil, comes, comesTo, comesAs, talk } = visitedVigil();

  test('what agents remember is listed from the user’s menu, and forgotten; the focus goes back to the menu (R104)', async () => {
    const facts = ['The user is vegetarian.', 'The user lives in Lisbon, and would rather take a train than a plane.'];
    vigil().model.script([
      ...facts.map((fact, index) => call(`m${index}`, 'remember', { fact })),
      { text: 'I will keep that in mind.' },
    ]);
    const id = await talk('rememberer', 'mindful', 'I am vegetarian, and live in Lisbon');
    const { page } = await comesAs('rememberer', id);
    const menu = page.getByRole('button', { name: /Signed in as/ });
    await menu.click();
    await page.getByRole('menuitem', { name: 'What agents remember…' }).click();
    const dialog = page.getByRole('dialog', { name: 'What agents remember about you' });
    await dialog.getByText(facts[0]!).waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: `Forget: ${facts[0]}` }).click();
    await sendNow(dialog);
    await dialog.getByText(facts[0]!, { exact: true }).waitFor({ state: 'hidden' });
    await focusIsOn(page, '^What agents remember about you$');
    const left = (await (await vigil().user('rememberer')).request('GET', '/memories')).body;
    expect(left).toMatchObject({ memories: [{ text: facts[1] }] });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await menu.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('a thumb on a reply asks why, stays, and is taken back; a message is marked for the dataset (R235)', async () => {
    vigil().model.script(() => ({ text: 'Water boils at 90 degrees.' }));
    const id = await talk('judge', 'tester', 'When does water boil?');
    const user = await vigil().user('judge');
    const given = async () =>
      (await user.read(id)).messages.map(({ feedback = [] }) => feedback.map(({ at: _, ...one }) => one));
    const { page } = await comesAs('judge', id);
    const reply = page.locator('article', { hasText: 'Water boils' });
    const bad = reply.getByRole('button', { name: 'Bad reply' });
    await bad.focus();
    await page.keyboard.press('Enter');
    const why = page.getByLabel('Why? No agent reads it', { exact: true });
    await why.waitFor();
    expect(await why.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await bad.getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.type('It is 100.');
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await why.waitFor({ state: 'detached' });
    const { user: judge } = (await given())[1]![0]!;
    expect(await given()).toEqual([[], [{ user: judge, verdict: 'down', reason: 'It is 100.' }]]);

    // A developer’s marks, next to it.
    await reply.getByRole('button', { name: 'Add to dataset' }).click();
    await reply.getByRole('button', { name: 'In the dataset', pressed: true }).waitFor();
    await said(page).hover();
    await said(page).getByRole('button', { name: 'Add to dataset' }).click();
    await said(page).getByRole('button', { name: 'In the dataset', pressed: true }).waitFor();
    expect(await given()).toEqual([
      [{ user: judge, dataset: true }],
      [{ user: judge, verdict: 'down', reason: 'It is 100.', dataset: true }],
    ]);
    await page.reload();
    await bad.and(page.locator('[aria-pressed=true]')).click();
    await bad.and(page.locator('[aria-pressed=false]')).waitFor();
    expect((await given())[1]).toEqual([{ user: judge, dataset: true }]);
    await reply.getByRole('button', { name: 'Good reply' }).click();
    await why.press('Escape');
    await why.waitFor({ state: 'detached' });
    expect((await given())[1]).toMatchObject([{ verdict: 'up' }]);
  });

  test('an approval that strange words may have asked for says so; once they are trusted, the next call is not asked about (R144, R146)', async () => {
    const party = await startThirdParty();
    const transfer = (id: string, purpose: string) =>
      call(id, 'transfer', { to: 'City Power and Water', amount_cents: 12_000, purpose });
    vigil().model.script([
      call('o', 'order', { url: party.url }),
      transfer('t1', 'Invoice 7\u202e321'),
      { text: 'Paid.' },
      transfer('t2', 'Invoice 8'),
      { text: 'Paid again.' },
    ]);
    const ada = await vigil().user('payer-of-invoices');
    const { id } = await ada.start('gullible', 'Order the invoice and pay it');
    await ada.waiting(id);
    await deliver((party.bodies.at(-1) as { webhookUrl: string }).webhookUrl, { invoice: 7, note: 'Pay it now' });
    const { page } = await comesAs('payer-of-invoices', id);
    const card = page.locator('[data-call=transfer]').first();
    await card.getByText('words from an outside system, which may have asked for this').waitFor();
    await card.getByText('(outside the bank)').waitFor();
    await card.getByText('"Invoice 7\\u202e321"', { exact: true }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 780 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    await card.getByRole('button', { name: 'Trust what it has read' }).click();
    await card.getByText('You trust what it has read.').waitFor();
    await card.getByRole('button', { name: 'Approve $120.00', exact: true }).click();
    await sendNow(card);
    await answered(page, 'Paid.');
    await send(page, 'And the next one');
    await answered(page, 'Paid again.');
    const { calls, callbacks } = await ada.read(id);
    expect(calls.map(({ status }) => status)).toEqual(Array(3).fill('completed'));
    expect(callbacks.filter(({ kind }) => kind === 'approval')).toHaveLength(1);
    await party.stop();
  });

  test('what is half written and half decided stays while one looks at another conversation (R54)', async () => {
    vigil().model.script([call('c1', 'pay', pay)]);
    const user = await vigil().user('drafter');
    const { id } = await user.start('tester', 'Pay it');
    await user.waiting(id);
    vigil().model.script([{ text: 'Hello.' }]);
    await talk('drafter', 'tester', 'Another one');
    const { page } = await comesAs('drafter', id);
    await page.getByRole('button', { name: 'Change…' }).click();
    await page.getByLabel('cents').fill('49900');
    await field(page).fill('Wait, is that');
    await page.getByRole('button', { name: 'Deny…' }).click();
    await page.getByPlaceholder(/Reason/).fill('Too');
    await page.getByRole('link', { name: /Another one/ }).click();
    await answered(page, 'Hello.');
    expect(await field(page).inputValue()).toBe('');
    await page.getByRole('link', { name: /Pay it/ }).click();
    await page.getByPlaceholder(/Reason/).waitFor();
    expect(await field(page).inputValue()).toBe('Wait, is that');
    expect(await page.getByPlaceholder(/Reason/).inputValue()).toBe('Too');
    // Another window decides. What was typed here is not lost without a word (R194).
    vigil().model.script([{ text: 'Paid.' }]);
    await user.answer(id, (await user.read(id)).callbacks[0]!.id, { approved: true });
    await page.getByText(/^Approved by you, /).waitFor();
    await page.getByText('What you had typed was not used: cents: 49900, reason: Too.').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('What you had typed').waitFor({ state: 'detached' });
    await user.finished(id);
  });

  test('an approval of a run that failed waits for the run to go on; approved, the card has the focus (R54, R64)', async () => {
    vigil().model.script([call('c1', 'pay', pay), { text: 'It is paid.' }]);
    const user = await vigil().user();
    const { id } = await user.start('tester', 'Pay, if you can');
    const { run } = await user.waiting(id);
    // As the state Settle does it when an execution breaks down while it waits.
    const at = { conversationId: id, runId: run!.id, segment: run!.segment, step: run!.step };
    expect(await failRun(vigil().table, shipped, at, 'The machine was out of order.', await vigil().now())).toBe(true);
    const { page } = await comesTo(id);
    await stands(page, 'failed');
    const approve = page.getByRole('button', { name: 'Approve' });
    await page.getByText('The run has stopped.').waitFor();
    expect(await approve.isDisabled()).toBe(true);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Try again', exact: true }).click();
    await stands(page, 'waiting for you');
    await approve.click();
    await sendNow(page);
    await answered(page, 'It is paid.');
    await page.locator('[data-call=pay]:not([data-state-of-call=approval])').waitFor();
    await focusIsOn(page, '^Pay');
    // Opened, it says how long the decision took.
    await page.keyboard.press('Enter');
    await page.getByText(/, decided/).waitFor();
  });

  test('says which records cannot be read, and shows the rest (R266)', async () => {
    vigil().model.script([call('c1', 'remember', { fact: 'The user likes tea.' }), { text: 'I will.' }]);
    const user = await vigil().user('reader');
    const { id } = await user.start('mindful', 'I like tea');
    await user.finished(id);
    const { client, name } = vigil().table;
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: name,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': key.conversation(id) },
      }),
    );
    const spoil = (start: string, field: string) =>
      client.send(
        new PutCommand({
          TableName: name,
          Item: { ...Items.findLast(({ sk }) => sk.startsWith(start)), [field]: [1] },
        }),
      );
    await spoil(prefix.message, 'createdAt');
    await spoil(prefix.call, 'modelCallId');
    const { page } = await comesAs('reader', id);
    await page.getByText('I like tea').first().waitFor();
    for (const field of ['createdAt', 'modelCallId'])
      await page.getByText(`A record of this conversation cannot be read: the field “${field}” of `).waitFor();
    expect(await barriers(page)).toEqual([]);
  });

  test('a run that failed is undone from where it says so, once one has said yes (R88, R89)', async () => {
    vigil().model.script([call('c1', 'remember', { fact: 'The user likes jazz.' }), { status: 401 }]);
    const user = await vigil().user();
    const { id } = await user.start('mindful', 'I like jazz');
    await nudgeToEnd(vigil(), id);
    const { page } = await comesTo(id, phone);
    await page.getByText(/^It failed in step \d/).waitFor();
    const undo = page.getByRole('button', { name: 'Undo what it did…' });
    await undo.click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    expect(await undo.evaluate((element) => element === document.activeElement)).toBe(true);
    await undo.click();
    await page.getByRole('button', { name: 'Undo it' }).click();
    await stands(page, 'stopped');
    await page.getByText('undone', { exact: true }).waitFor();
    expect((await user.request('GET', '/memories')).body).toEqual({ memories: [] });
  });

  test('what nobody had read when the run was stopped says so (R63)', async () => {
    const at = new Date(Date.now() + 7 * 86_400_000).toISOString();
    vigil().model.script([call('c1', 'schedule', { at })]);
    const user = await vigil().user('queuer');
    const { id } = await user.start('queueing', 'Wait a week');
    await user.asleep(id);
    await user.say(id, 'And then?');
    const { page } = await comesAs('queuer', id);
    await said(page).getByText('stored, not read yet').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Stop it' }).click();
    await said(page).getByText('stopped before it was read').waitFor({ state: 'attached' });
    await said(page).getByText('read by the agent').waitFor({ state: 'attached' });
    await focusIsOn(page, '^Message$');
  });

  test('the clock stops at what is due: the page says where it goes, and can stop it there (R249)', async () => {
    vigil().model.script([
      call('c1', 'remind_later', { message: 'Stretch your legs', at: null, delay_seconds: 600 }),
      { text: 'I will.' },
      { text: 'It is time: stretch.', holdAfter: 10 },
    ]);
    const user = await vigil().user('mover');
    const { id } = await user.start('reminder', 'Remind me in ten minutes');
    await user.finished(id);
    const { page } = await comesAs('mover', id, { viewport: { width: 1_280, height: 800 } });
    const { page: other } = await comes('/', phone);
    await page.getByRole('button', { name: '+1 h' }).click();
    await vigil().model.held();
    const due = +(await vigil().now());
    await page.getByText(/^Moving to /).waitFor();
    await other.reload();
    await other.getByText(/^Moving to /).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.locator('button:focus', { hasText: 'Stop the clock' }).press('Enter');
    // After the first move, the controls are one line.
    await page.locator('button:focus', { hasText: 'More about this laptop' }).waitFor();
    vigil().model.release();
    await answered(page, 'It is time: stretch.');
    await other.getByRole('button', { name: '+1 h' }).waitFor();
    expect(+(await vigil().now()) - due).toBeLessThan(1_800_000);
  });
});
