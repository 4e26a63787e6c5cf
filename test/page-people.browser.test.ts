import type { Page, Route } from 'playwright-core';
import { userId } from '../local/http-api/identity';
import {
  answered,
  barriers,
  field,
  fitsEverywhere,
  focusIsOn,
  phone,
  send,
  sendNow,
  stands,
  type Visitor,
  visitedVigil,
} from './support/page/browser';
import { call } from './support/stories/transcript';

// Two people in one conversation, each with a page of their own.

const begun = 'The ferry leaves at nine from the old';
const rest = ' harbour, every day but Sunday.';

const article = (page: Page, who: string) => page.getByRole('article', { name: who });

describe('two people', () => {
  const { vigil, comesAs, comes, signsInAs, talk } = visitedVigil({
    variables: async () => ({ VIGIL_EMBED_MESSAGES: 'on' }),
  });
  const nameOf = (name: string) => vigil().idOf(name);
  const share = async (page: Page) => {
    await page.getByRole('main').getByRole('button', { name: 'More about this conversation' }).click();
    await page.getByRole('menuitem', { name: 'Share…' }).click();
    await page.getByRole('dialog', { name: 'Share this conversation' }).waitFor();
  };
  const close = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  const seenBy = (page: Page, who: string) => page.locator('[data-seen-by]', { hasText: who });

  test('share a conversation by a link, write, see each other, mention, stop; one is removed and learns it (R225, R226)', async () => {
    const { model } = vigil();
    model.begin({ script: () => ({ text: 'Hello to both of you.' }) });
    const id = await talk('ada', 'account-manager', 'Plan our trip');
    const [ada, ben] = [nameOf('ada'), nameOf('ben')];
    const her = await comesAs('ada', id);
    await stands(her.page, 'done');

    // Ada makes a link, and Ben uses it.
    await share(her.page);
    await her.page.getByRole('button', { name: 'Make a link' }).click();
    const address = her.page.getByLabel('The address of the link', { exact: true });
    await address.waitFor();
    await fitsEverywhere(her, 'people-share');
    const link = new URL(await address.inputValue());
    await close(her.page);
    const secret = link.hash.split('/').at(-1)!;
    const asked: string[] = [];
    const his = await comes(`/${link.hash}`, {}, async (page) => {
      page.on('request', (request) => asked.push(request.url()));
      await signsInAs(page, () => 'ben');
    });
    await his.page.getByRole('dialog', { name: 'The owner is asked' }).waitFor();
    expect(his.page.url()).not.toContain(secret);
    expect(asked.some((url) => url.includes(secret))).toBe(false);
    await his.page.getByRole('button', { name: 'Close' }).click();
    await her.page.getByText('has a link and asks to be let in').waitFor();
    await her.page.getByRole('button', { name: 'Let in' }).click();
    const entry = his.page.getByRole('list', { name: 'Shared with you' }).getByRole('link', { name: /Plan our trip/ });
    await entry.click();
    await stands(his.page, 'done');
    await his.page.goBack();
    expect(his.page.url()).not.toContain(secret);
    await his.page.goForward();
    await article(his.page, ada).getByText('Plan our trip').waitFor();

    // Each sees that the other is here, and types.
    for (const [{ page }, other] of [
      [her, ben],
      [his, ada],
    ] as const)
      await page.getByRole('button', { name: `People: ${other} here now` }).waitFor();
    await field(his.page).pressSequentially('Shall we', { delay: 200 });
    await her.page.getByText(`${ben} is writing…`).waitFor();

    // Ben writes to Ada only, and mentions her.
    await his.page.getByText('To people only').click();
    await field(his.page).fill('');
    await field(his.page).pressSequentially(`Shall we take the train, @${ada.slice(0, 2)}`);
    await his.page.getByRole('option', { name: ada }).waitFor();
    await field(his.page).press('Enter');
    await field(his.page).pressSequentially('or the ferry?');
    await field(his.page).press('Enter');
    const mention = her.page.locator('[data-mention=me]');
    await mention.waitFor();
    expect(await mention.textContent()).toBe(`@${ada}`);
    expect(await article(her.page, ben).textContent()).toContain('to people only');
    await seenBy(his.page, ada).waitFor();
    expect(model.requests).toHaveLength(1);

    // Ada asks the agent. Ben sees the reply as it is made, and stops it.
    model.begin({ script: [{ text: begun + rest, holdAfter: begun.length }], style: { deltas: 'fragments' } });
    await send(her.page, 'When does the ferry leave?');
    await answered(his.page, begun);
    await his.page.getByText('To the agent').click();
    await his.page.getByRole('button', { name: 'Stop' }).click();
    for (const { page } of [her, his]) await stands(page, 'stopped');
    model.release();

    // What has an effect is Ada's to decide.
    const transfer = { to: 'Ferry Ltd', amount_cents: 60_000, purpose: 'Tickets' };
    model.begin({ script: [call('t', 'transfer', transfer), { text: 'The tickets are paid.' }] });
    await send(his.page, 'Pay for the tickets, please');
    await his.page.getByText(`${ada} decides`, { exact: false }).waitFor();
    await her.page.getByRole('button', { name: 'Approve $600.00' }).waitFor();
    await her.page.getByRole('button', { name: 'Approve $600.00' }).click();
    await sendNow(her.page);
    await answered(his.page, 'The tickets are paid.');

    // Ada lets Ben only read, and then removes him.
    await her.page.getByRole('button', { name: /^People:/ }).click();
    await her.page.getByLabel(`What ${ben} may do`).selectOption('watcher');
    await his.page.locator('[data-watching]').waitFor();
    expect(await field(his.page).count()).toBe(0);
    await her.page.getByRole('button', { name: `Remove ${ben}` }).click();
    await close(her.page);
    await his.page.getByText('no longer shared with you').waitFor();
    await entry.waitFor({ state: 'detached' });
  });

  test('a member finds it by meaning; the owner hands it over, and stays as a member; a member leaves (R225, R227, R230)', async () => {
    vigil().model.begin({ script: () => ({ text: 'Hello.' }) });
    const id = await talk('cleo', 'reminder', 'A harbour town where boats are repaired');
    const [cleo, dan] = [await vigil().user('cleo'), await vigil().user('dan')];
    const she = await comesAs('cleo', id);
    const he: Visitor = await comesAs('dan', id, phone);
    await he.page.getByText('no longer shared with you').waitFor();
    const user = userId(nameOf('dan'));
    await cleo.client.api.setMember(id, { member: `user:${user}`, role: 'member', name: 'Dan' });
    // He is asked on his home, and finds nothing before he accepts.
    await he.page.goto(vigil().url);
    await he.page.getByText(/invites you to read and write in a conversation/).waitFor();
    await he.page.getByRole('button', { name: /^Accept the invitation of/ }).click();
    await he.page.getByRole('link', { name: 'Accepted. Open the conversation' }).click();
    await he.page.reload();
    await stands(he.page, 'done');
    const sought = 'place where ships get fixed';
    const search = () => dan.request('GET', `/search?q=${encodeURIComponent(sought)}`);
    while (((await search()).body as { found: object[] }).found.length === 0) await he.page.waitForTimeout(100);
    await he.page.keyboard.press('Control+k');
    await he.page.getByPlaceholder(/^Find a conversation/).fill(sought);
    const similar = he.page.getByRole('group', { name: 'Similar in meaning' }).getByRole('option', { name: /harbour/ });
    await similar.getByText(/^user \w+ · /).waitFor();
    await he.page.keyboard.press('Escape');
    await share(she.page);
    await she.page.getByRole('button', { name: 'Offer it' }).click();
    await she.page.getByText(/^Offered to/).waitFor();
    await he.page.getByRole('button', { name: 'Accept' }).click();
    await she.page.getByRole('dialog', { name: 'People of this conversation' }).waitFor();
    expect(await barriers(she.page)).toEqual([]);
    await she.page.getByRole('button', { name: 'Leave' }).click();
    await she.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await cleo.client.api.listShared()).conversations).toEqual([]);
    expect((await dan.client.api.read(id, 0)).members).toBeUndefined();
  });

  test('one claims a conversation in the inbox, talks with its owner, passes over what a colleague has, and gives it back with a note (R228)', async () => {
    const [olga, hal, hope] = [nameOf('olga'), nameOf('hal'), nameOf('hope')];
    const asks = { group: 'helpers', reason: `${olga} wants to complain.` };
    const handsOver = { ...call('h', 'hand_off_to_person', asks), text: 'Somebody will come.' };
    vigil().model.begin({ script: [handsOver, { text: 'A new card is on its way.' }] });
    const { id } = await (await vigil().user('olga')).start('clerk', 'I want to complain');
    const item = (page: Page) => page.locator('[data-waits]').filter({ hasText: asks.reason });
    const line = (page: Page) => page.locator('main section[data-take-over]');
    const helper = (name: string, options = {}) =>
      comes('/', options, (page) => signsInAs(page, () => name, ['helpers']));
    const her = await comesAs('olga', id);
    await line(her.page).getByText('Waits for a person (helpers)').waitFor();
    await stands(her.page, 'waiting for a person');
    await send(her.page, 'Hello? Is somebody there?');

    // No key approves it, and none takes it at once.
    const his = await helper('hal');
    await item(his.page).waitFor();
    await fitsEverywhere(his, 'take-over-inbox');
    const hers = await helper('hope', phone);
    await item(hers.page).waitFor();
    await item(his.page).focus();
    for (const key of ['a', 'd', 'x']) await his.page.keyboard.press(key);
    await his.page.getByRole('button', { name: 'Approve 0…' }).waitFor();
    expect(await his.page.getByRole('button', { name: 'Approve 0…' }).isDisabled()).toBe(true);
    await his.page.getByRole('button', { name: 'Select none' }).click();
    await item(his.page).focus();
    await his.page.keyboard.press('e');
    await focusIsOn(his.page, '^Take over$');
    // Her claim is on its way when he is first.
    let goesOn = () => {};
    const isFirst = new Promise<void>((resolve) => {
      goesOn = resolve;
    });
    const holds = async (route: Route) => {
      await isFirst;
      await route.continue();
    };
    await hers.page.route('**/assignee', holds, { times: 1 });
    await item(hers.page).getByRole('button', { name: 'Take over' }).click();
    await his.page.keyboard.press('Enter');
    await his.page.getByText('You have taken this conversation over').waitFor();
    expect(his.page.url()).toContain(id);
    await article(his.page, olga).getByText('Is somebody there?').waitFor();
    await her.page.getByText(`${hal} has taken over`).first().waitFor();

    goesOn();
    await hers.page.getByText(`${hal} was first`).first().waitFor();

    // A colleague sees who has it, and takes it only on purpose.
    await item(hers.page)
      .getByRole('heading', { name: `${hal} has taken this conversation over` })
      .waitFor();
    await item(hers.page).getByRole('button', { name: 'Assign…' }).click();
    const choice = hers.page.getByRole('dialog', { name: 'Assign' }).getByRole('button', { name: 'Me' });
    expect(await choice.isDisabled()).toBe(true);
    await hers.page.getByLabel(`${hal} has this conversation. Take it from them`).check();
    await choice.click();
    await his.page.getByText('no longer shared with you').waitFor();
    await her.page.getByText(`${hope} has taken over`).first().waitFor();
    await item(hers.page).getByRole('button', { name: 'Open the conversation' }).click();
    await line(hers.page).getByRole('button', { name: 'Release' }).click();
    await hers.page.getByText('You have released the conversation').first().waitFor();
    await line(her.page).getByText('Waits for a person (helpers)').waitFor();

    await his.page.getByRole('link', { name: /^Home/ }).click();
    await item(his.page).getByRole('button', { name: 'Take over' }).click();
    await line(his.page).getByText('You have taken this conversation over').waitFor();
    await send(his.page, 'Hello, this is Hal.');
    await article(her.page, hal).getByText('this is Hal').waitFor();
    await send(her.page, 'I have lost my card.');
    await article(his.page, olga).getByText('I have lost my card.').waitFor();
    expect(vigil().model.requests).toHaveLength(1);
    expect(await barriers(his.page)).toEqual([]);
    await line(his.page).getByRole('button', { name: 'Give back…' }).click();
    const dialog = his.page.getByRole('dialog', { name: 'Give the conversation back' });
    expect(await dialog.getByRole('button', { name: 'Give back' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Note').fill('They want a new card.');
    expect(await barriers(his.page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Give back' }).click();
    await his.page.getByText('You have given the conversation back').first().waitFor();
    await his.page.waitForURL((url) => url.hash === '#/');
    await answered(her.page, 'A new card is on its way.');
    await her.page.getByText(`given back by ${hal}`).waitFor();
    expect(await line(her.page).count()).toBe(0);
  });
});
