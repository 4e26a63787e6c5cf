import { longTest } from './support/long';
import { answered, barriers, phone, said, sendNow, stands, visitedVigil } from './support/page/browser';
import { call } from './support/stories/transcript';

// What a person can do on the page beside talking: answer, deny, try again, fork, find, delete; and what the page makes of it.

describe('on the page', () => {
  const { vigil, comes, comesTo, comesAs } = visitedVigil();

  test('a question is answered in its card, and an approval is denied with a reason that the model reads (R54)', async () => {
    vigil().model.script([
      call('c1', 'ask_user', { question: 'Which of the **two**, and why?' }),
      call('c2', 'pay', { url: 'https://shop.example', cents: 50_000 }),
      { text: 'As you wish.' },
    ]);
    const user = await vigil().user('decider');
    const { id } = await user.start('tester', 'Buy one');
    const { page, show } = await comesAs('decider', id, { colorScheme: 'dark' });
    const question = page.locator('[data-state-of-call=question]');
    await question.getByPlaceholder('Your answer…').fill('The blue one');
    await show('question-dark');
    expect(await barriers(page)).toEqual([]);
    await question.getByRole('button', { name: 'Answer' }).click();
    await said(page).getByText('The blue one').waitFor();
    await page.getByRole('button', { name: 'Deny…' }).click();
    const reason = page.getByPlaceholder(/Reason/);
    await reason.fill('高い');
    // Enter that confirms a word, as Safari tells of it.
    await reason.dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
    await reason.fill('Too dear');
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    await sendNow(page);
    await answered(page, 'As you wish.');
    await page.locator('[data-call=pay][data-state-of-call=denied]').waitFor();
    expect(JSON.stringify(vigil().model.requests.at(-1)!.messages)).toContain('Too dear');
  });

  test('a run that failed says why, and goes on when it is told to (R64)', async () => {
    vigil().model.script([{ status: 401 }, { text: 'There it is.' }]);
    const user = await vigil().user();
    const { id } = await user.start('reminder', 'Fail once');
    await user.finished(id);
    const { page, show } = await comesTo(id);
    await stands(page, 'failed');
    await page.getByText('It failed in step 1.').waitFor();
    await show('failed-light');
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Try again', exact: true }).click();
    await answered(page, 'There it is.');
    await page.getByText('It failed in step 1.').waitFor({ state: 'hidden' });
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
    const { page, show } = await comesAs('mover', id, { viewport: { width: 1_280, height: 800 } });
    const { page: phone, show: showPhone } = await comes('/', { viewport: { width: 390, height: 780 } });
    await page.getByRole('button', { name: '+1 h' }).click();
    await vigil().model.held();
    const due = +(await vigil().now());
    await page.getByText(/^Moving to /).waitFor();
    await phone.reload();
    await phone.getByText(/^Moving to /).waitFor();
    await show('clock-moving-1280');
    await phone.getByText(/^Moving to /).scrollIntoViewIfNeeded();
    await showPhone('clock-moving-390');
    expect(await barriers(page)).toEqual([]);
    await page.locator('button:focus', { hasText: 'Stop the clock' }).press('Enter');
    // After the first move, the controls are one line.
    await page.locator('button:focus', { hasText: 'More about this laptop' }).waitFor();
    vigil().model.release();
    await answered(page, 'It is time: stretch.');
    await phone.getByRole('button', { name: '+1 h' }).waitFor();
    expect(+(await vigil().now()) - due).toBeLessThan(1_800_000);
  });

  test('what a model writes stays words: no tag, no script, no picture from elsewhere (R123)', async () => {
    const hostile = [
      '<img src=x onerror="document.title=1"><script>document.title=2</script>',
      '[tempting](javascript:alert(1)) and [fine](https://example.com/page)',
      '![a picture](https://elsewhere.example/who-reads-this.png)',
      '| a | b |\n|---|---|\n| 1 | 2 |',
    ].join('\n\n');
    vigil().model.script([{ text: hostile }]);
    const user = await vigil().user();
    const { id } = await user.start('reminder', 'Write something');
    await user.finished(id);
    const { page } = await comesTo(id);
    const answer = page.getByRole('article', { name: 'reminder' });
    await answer.getByText('<script>').waitFor();
    expect(await page.locator('article img, article script').count()).toBe(0);
    expect(await answer.getByRole('link').allTextContents()).toEqual([
      'fine example.com',
      'a picture elsewhere.example',
    ]);
    const fine = answer.getByRole('link', { name: 'fine' });
    expect(await fine.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    expect(await fine.getAttribute('target')).toBe('_blank');
    await answer.getByRole('table').waitFor();
  });

  longTest('a link says where it leads, and an address that pretends another is marked (R123)', async () => {
    const links = [
      'A [guide](https://docs.example.org/start) and <https://example.org/plain>.',
      'Please [sign in at bank.example](https://bank.example.evil.test/login), or at [https://bank.example/](https://bank.example@evil.test/).',
      'Their [blog](https://xn--bnk-6cd.example/) and [mail](mailto:help@evil.test).',
      '![bank.example](https://evil.test/picture.png)',
    ].join('\n\n');
    vigil().model.script(() => ({ text: links }));
    const user = await vigil().user('reader');
    const { id } = await user.start('reminder', 'Where do I sign in?');
    await user.finished(id);
    const { page, show } = await comesAs('reader', id, phone);
    const answer = page.getByRole('article', { name: 'reminder' });
    await answer.getByText('guide').waitFor();
    expect(await answer.getByRole('link').allTextContents()).toEqual([
      'guide docs.example.org',
      'https://example.org/plain',
      'leads to bank.example.evil.test: not where its text says sign in at bank.example',
      'leads to evil.test: not where its text says https://bank.example/',
      'leads to xn--bnk-6cd.example: its name has letters that may look like others blog',
      'mail help@evil.test',
      'leads to evil.test: not where its text says bank.example',
    ]);
    const box = (await answer.boundingBox())!;
    for (const mark of await page.locator('.link-deceit').all()) {
      const { x, width: wide } = (await mark.boundingBox())!;
      expect(x + wide).toBeLessThanOrEqual(box.x + box.width);
    }
    expect(await barriers(page)).toEqual([]);
    await show('links-phone');
  });
});
