import { answered, barriers, send, sendNow, visitedVigil } from './support/page/browser';
import { call } from './support/stories/transcript';

// Approvals that several people decide, that are given back, and that allow later calls.

describe('approvals as companies have them, on the page', () => {
  const { vigil, comes, comesAs, signsInAs } = visitedVigil();
  const named = (before: string, user: string, after: string) =>
    new RegExp(`^${before} ${vigil().idOf(user).replace('.', '\\.')}${after}`);

  const ofFinance = (name: string) => comes('/', {}, (page) => signsInAs(page, () => name, ['finance']));

  test('two of finance and a controller decide: each sees who has, and who is due (R252)', async () => {
    vigil().model.script([call('c', 'pay_claim', { cents: 500 }), { text: 'Paid.' }]);
    const buyer = await vigil().user('buyer');
    const { id } = await buyer.start('cashier', 'My parcel was broken');
    const { callbacks } = await buyer.waiting(id);
    const { page: theirs } = await comesAs('buyer', id);
    await theirs.getByText(/^needs the approval of finance until/).waitFor();
    const { page } = await ofFinance('fay');
    const steps = page.getByRole('list', { name: 'Who decides' });
    await steps.getByText('2 of finance · 2 to decide').waitFor();
    await steps.getByText('controllers, later also chiefs').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    // Who decides later approves what the first has changed.
    await page.getByRole('button', { name: 'Change…' }).click();
    await page.getByLabel('cents').fill('450');
    await page.getByRole('button', { name: 'Approve as edited', exact: true }).click();
    await sendNow(page);
    await steps.waitFor({ state: 'detached' });

    const second = await ofFinance('fred');
    const left = second.page.getByRole('list', { name: 'Who decides' });
    await left.getByText('2 of finance · 1 to decide').waitFor();
    await left.getByText(named('Approved by', 'fay', ', .*, with changes$')).waitFor();
    await second.page.getByText('was 500').waitFor();
    // The first to decide may change what all approve.
    expect(await second.page.getByRole('button', { name: 'Change…' }).count()).toBe(0);
    await second.page.getByRole('button', { name: 'Approve', exact: true }).click();
    await sendNow(second.page);
    await theirs.getByText(/^needs the approval of controllers until/).waitFor();
    const cleo = await vigil().user('cleo', ['controllers']);
    await cleo.answer(id, callbacks[0]!.id, { approved: true, arguments: { cents: 450 } });
    await answered(theirs, 'Paid.');
    expect((await buyer.read(id)).calls).toMatchObject([{ edited: true, result: { paid: 450 } }]);
    // The last decision, and each of the three.
    for (const one of ['fay', 'fred', 'cleo'])
      await theirs
        .locator('li')
        .getByText(named('Approved by', one, ', '))
        .waitFor();
  });

  test('an approval is given back with a question, and comes again with the answer (R252)', async () => {
    vigil().model.script([
      call('c', 'refund', { cents: 700 }),
      { text: 'It is the second parcel.', toolCalls: call('d', 'refund', { cents: 700 }).toolCalls },
      { text: 'Refunded.' },
    ]);
    const owner = await vigil().user('owner-of-parcels');
    const { id } = await owner.start('cashier', 'My parcel was broken');
    await owner.waiting(id);
    const { page } = await ofFinance('fay');
    await page.getByRole('button', { name: 'Deny…' }).click();
    await page.getByLabel('Reason or question, for the agent').fill('Is it the first one?');
    await page.getByRole('button', { name: 'Ask this first' }).click();
    await sendNow(page);
    await page
      .getByText('You had asked: “Is it the first one?” The agent’s answer: “It is the second parcel.”')
      .waitFor();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await sendNow(page);
    await owner.finished(id);
    const { page: theirs } = await comesAs('owner-of-parcels', id);
    await theirs
      .getByText(named('Given back by', 'fay', ', '))
      .first()
      .waitFor();
  });

  test('an owner allows later transfers within limits, sees what was done, and ends it (R252)', async () => {
    const rent = (id: string) => call(id, 'transfer', { to: 'Ada', amount_cents: 90_000, purpose: `Rent ${id}` });
    vigil().model.script([rent('a'), { text: 'Sent.' }, rent('b'), { text: 'Sent again.' }]);
    const ada = await vigil().user('tenant');
    const { id } = await ada.start('account-manager', 'Send the rent');
    await ada.waiting(id);
    const { page } = await comesAs('tenant', id);
    await page.getByRole('button', { name: 'Always allow…' }).click();
    const offer = page.getByRole('group', { name: 'Allow later ones, too' });
    await offer.getByText('Purpose may differ').waitFor();
    await offer.getByLabel('How many').fill('40');
    await offer.getByText('At most 12.').waitFor();
    expect(await page.getByRole('button', { name: /^Approve/ }).isDisabled()).toBe(true);
    await offer.getByLabel('How many').fill('2');
    await offer.getByLabel('Amount, in all').fill('1,800');
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Approve $900.00 and allow later ones', exact: true }).click();
    await sendNow(page);
    await answered(page, 'Sent.');
    await send(page, 'And the next one');
    await answered(page, 'Sent again.');
    const { callbacks } = await ada.read(id);
    expect(callbacks.filter(({ kind }) => kind === 'approval')).toHaveLength(1);

    await page.getByRole('button', { name: /Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Who may do what for me…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Who may do what for me' });
    await dialog.getByText(/at most \$900\.00 each, \$900\.00 of \$1,800\.00 used · 1 of 2 calls made/).waitFor();
    await dialog.getByRole('heading', { name: 'While you are away' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'End: Transfer' }).click();
    await dialog.getByText(/ended/).waitFor();
    const { approvals } = (await ada.request('GET', '/standing-approvals')).body as { approvals: object[] };
    expect(approvals).toMatchObject([{ revokedAt: expect.any(String) }]);
  });
});
