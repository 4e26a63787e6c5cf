import type { Page } from 'playwright-core';
import {
  answered,
  appeared,
  barriers,
  focusIsOn,
  phone,
  said,
  sendNow,
  stands,
  visitedVigil,
} from './support/page/browser';
import { call } from './support/stories/transcript';

// What an answer looks like, and what can be taken from it.

const code = `export const greeting = (name: string) => \`Hello, \${name}!\`; // ${'This line is too wide for the page. '.repeat(8)}`;
const columns = Array.from({ length: 12 }, (_, index) => `Column ${index}`);
const beginning = `Here is $x_1 + y_2$, and it costs $5 and $6.

\`\`\`ts
${code}
// A comment. It is not`;
const end = ` complete yet.
const one = 1;
\`\`\`

$$
\\sum_{n=1}^{\\infty} \\frac{1}{n^2} = \\frac{\\pi^2}{6}
$$

| City | ${columns.join(' | ')} |
|---|${'---|'.repeat(columns.length)}
| **Kyoto** | =1+1 | ${columns.slice(1).join(' | ')} |

שלום, זו תשובה עם \`code\`.

- פריט ראשון
- פריט שני

This one is broken: $\\frac{a$. This one would load something: $\\includegraphics{https://evil.example/a.png}$.`;

const clipboard = (page: Page) =>
  page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const texts = item!.types.map(async (type) => [type, await (await item!.getType(type)).text()]);
    return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
  });

/** The side to which an element's text leans. */
const sideOf = (page: Page, words: string) =>
  page
    .locator('article')
    .getByText(words)
    .evaluate((element) => getComputedStyle(element.closest('[dir]')!).direction);

/**
 * Whether two pictures show the same, but for their edges: a picture ends at a whole pixel, and its element before it. The browser sometimes
 * draws the same text a shade differently.
 */
const looksAlike = (page: Page, ...pictures: [Buffer, Buffer]): Promise<boolean> =>
  page.evaluate(
    async (given) => {
      const [one, other] = await Promise.all(
        given.map(async (base64) => {
          const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
          const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
          const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
          context.drawImage(bitmap, 0, 0);
          const edge = 2;
          return context.getImageData(edge, edge, bitmap.width - 2 * edge, bitmap.height - 2 * edge);
        }),
      );
      if (one!.width !== other!.width || one!.height !== other!.height) return false;
      return one!.data.every((value, at) => Math.abs(value - other!.data[at]!) <= 40);
    },
    pictures.map((picture) => picture.toString('base64')) as [string, string],
  );

describe('an answer', () => {
  const { vigil, comesAs, talk } = visitedVigil();

  test('has quiet lines about what guards have changed: words, refusals and calls (R206)', async () => {
    const lina = await vigil().user('lina');
    vigil().model.script([
      { text: 'I write to the address.' },
      { text: 'It is a SECRET.' },
      call('c1', 'hit', { url: 'http://127.0.0.1:9/' }),
    ]);
    const { id } = await lina.start('careful', 'Please write to ada@example.com and to bob@example.org.');
    await lina.finished(id);
    const { seq } = await lina.say(id, 'What is it?');
    await lina.until(id, ({ status, messages }) => status === 'done' && messages.at(-1)!.seq > seq);
    await lina.say(id, 'Hit it.');
    await lina.waiting(id);
    const { page } = await comesAs('lina', id, phone);
    await said(page).first().getByText('Please write to ada@example.com').waitFor();
    await page.getByText('The agent reads other words here: redact (email).').waitFor();
    await page.getByText('This stays in the house.').waitFor();
    await page.getByText('The reply was withheld by discreet. This is why.').waitFor();
    await page.getByText('Approval asked for by watchful.').waitFor();
    expect(await page.getByText('SECRET').count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    const messages = page.getByRole('region', { name: 'Messages' });
    expect(await messages.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  });

  test('has formulas and colours, which do not change while it grows; code, tables and messages are copied; each block has its side (R158)', async () => {
    vigil().model.script([{ text: beginning + end, holdAfter: beginning.length }]);
    const reader = await vigil().user('reader');
    const { id } = await reader.start('tester', 'מה שלומך?');
    await vigil().model.held();
    const loaded: string[] = [];
    const options = { colorScheme: 'light', permissions: ['clipboard-read', 'clipboard-write'] } as const;
    const { page } = await comesAs('reader', id, { ...options, permissions: [...options.permissions] }, (page) =>
      Promise.resolve(page.on('request', (request) => loaded.push(request.url()))),
    );
    // While it grows: the first line is highlighted, and remains the same element.
    const keyword = await page.locator('.hljs-keyword').first().elementHandle();
    expect(await keyword!.textContent()).toBe('export');
    expect(await page.locator('article math').first().textContent()).toContain('x1');
    vigil().model.release();
    await stands(page, 'done');
    await answered(page, 'This one is broken');
    await page.locator('math').nth(1).waitFor();
    expect(await keyword!.evaluate((element) => element.isConnected)).toBe(true);
    await page.locator('.hljs-keyword').nth(2).waitFor();
    // Formulas: money is none, a broken or a dangerous one shows its source.
    await page.getByText('it costs $5 and $6.').waitFor();
    await page.locator('code', { hasText: '\\frac{a' }).waitFor();
    await page.locator('code', { hasText: '\\includegraphics' }).waitFor();
    expect(await page.locator('math').count()).toBe(2);
    expect(loaded.filter((url) => !url.startsWith(vigil().url))).toEqual([]);
    expect(loaded.filter((url) => /draw-formula|highlight/.test(url))).toHaveLength(3);

    expect(await Promise.all(['מה שלומך?', 'פריט שני', 'זו תשובה'].map((words) => sideOf(page, words)))).toEqual(
      Array(3).fill('rtl'),
    );
    expect(await sideOf(page, 'it costs $5')).toBe('ltr');

    // What is too wide scrolls by itself, also with the keyboard.
    for (const label of ['Code, ts', 'Table']) {
      const scroller = page.getByRole('group', { name: label });
      await page.waitForFunction((name) => document.querySelector(`[aria-label="${name}"][tabindex="0"]`), label);
      await scroller.focus();
      await page.keyboard.press('ArrowRight');
      await page.waitForFunction(() => document.activeElement!.scrollLeft > 0);
    }
    expect(await page.getByRole('group', { name: 'Formula' }).getAttribute('tabindex')).toBeNull();
    const messages = page.getByRole('region', { name: 'Messages' });
    expect(await messages.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    expect(await barriers(page)).toEqual([]);

    const copies = async (label: string) => {
      await page.getByRole('article', { name: 'tester' }).getByRole('button', { name: label }).press('Enter');
      await page.getByRole('article', { name: 'tester' }).getByRole('status').getByText('Copied').waitFor();
      await page.getByText('Copied').waitFor({ state: 'detached' });
      return clipboard(page);
    };
    expect(await copies('Copy code')).toEqual({
      'text/plain': `${code}\n// A comment. It is not complete yet.\nconst one = 1;`,
    });
    const table = await copies('Copy table');
    expect(table['text/plain']).toBe(
      [
        ['City', ...columns],
        ['Kyoto', "'=1+1", ...columns.slice(1)],
      ]
        .map((row) => row.join('\t'))
        .join('\n'),
    );
    expect(table['text/html']).toContain('<td>Kyoto</td>');
    expect(await copies('Copy message')).toEqual({ 'text/plain': beginning + end });
  });

  test('has words only: no tag, script or foreign picture, nothing that is slow to parse; a link that pretends is marked (R123)', async () => {
    const hostile = [
      '<img src=x onerror="document.title=1"><script>document.title=2</script>',
      '[tempting](javascript:alert(1)) and a [guide](https://docs.example.org/start) and <https://example.org/plain>.',
      'Please [sign in at bank.example](https://bank.example.evil.test/login), or at [https://bank.example/](https://bank.example@evil.test/).',
      'Their [blog](https://xn--bnk-6cd.example/) and [mail](mailto:help@evil.test).',
      '![bank.example](https://evil.test/picture.png)',
      '| a | b |\n|---|---|\n| 1 | 2 |',
    ].join('\n\n');
    // It would take the parser minutes.
    const slow = `${'['.repeat(20_000)}\n\nThis is **bold**.`;
    vigil().model.script([{ text: slow }, { text: hostile }]);
    const user = await vigil().user('reader');
    const { id } = await user.start('reminder', 'Write much');
    await user.finished(id);
    await user.say(id, 'Where do I sign in?');
    await user.until(id, ({ status, messages }) => status === 'done' && messages.length === 4);
    const { page } = await comesAs('reader', id, phone);
    const answer = page.getByRole('article', { name: 'reminder' }).last();
    await answer.getByText('<script>').waitFor();
    await answer.getByRole('table').waitFor();
    await page.getByText('Part of this is shown as it was written').waitFor();
    await page.locator('strong', { hasText: 'bold' }).waitFor();
    expect(await page.locator('.prose').first().innerText()).toContain('['.repeat(19_000));
    expect(await page.locator('article img, article script').count()).toBe(0);
    expect(await answer.getByRole('link').allTextContents()).toEqual([
      'guide docs.example.org',
      'https://example.org/plain',
      'leads to bank.example.evil.test: not where its text says sign in at bank.example',
      'leads to evil.test: not where its text says https://bank.example/',
      'leads to xn--bnk-6cd.example: its name has letters that may look like others blog',
      'mail help@evil.test',
      'leads to evil.test: not where its text says bank.example',
    ]);
    const guide = answer.getByRole('link', { name: 'guide' });
    expect(await guide.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    expect(await guide.getAttribute('target')).toBe('_blank');
    const box = (await answer.boundingBox())!;
    for (const mark of await page.locator('.link-deceit').all()) {
      const { x, width: wide } = (await mark.boundingBox())!;
      expect(x + wide).toBeLessThanOrEqual(box.x + box.width);
    }
    expect(await barriers(page)).toEqual([]);
  });
  test('paints nothing outside of its place, and over no warning (R123)', async () => {
    const over = '\\colorbox{white}{\\text{MMMMMMMMMMMMMMMMMMMMMMMMMMMMMM}}';
    const marks = `a${'\u0300\u0301\u0302\u0303\u0330\u0331'.repeat(20)}`;
    const formulas = [
      `\\mathllap{${over}}`,
      `\\smash{\\raisebox{60pt}{${over}}}`,
      '\\raisebox{1em}{\\rule[-200pt]{20em}{400pt}}',
      `\\begin{array}{c}\\\\[-9em]${over}\\end{array}`,
    ].map((formula) => `$${formula}$`);
    const deceit = '[bank.example](https://evil.test)';
    const text = [
      formulas[1],
      marks.repeat(30),
      ...formulas.map((formula) => `${deceit} ${formula}`),
      ...formulas.map((formula) => `These are [the words](https://evil.test) ${formula} of the model.`),
      `${marks.repeat(20)}\n${deceit}\n${marks.repeat(20)}`,
      `\u202e${deceit}`,
      `${'w'.repeat(500)} ${deceit} ${'\ufdfd'.repeat(50)}`,
      `$$${formulas[1]!.slice(1, -1)}$$`,
      `| ${deceit} | ${formulas[0]} |\n|---|---|\n| ${marks} | ${formulas[1]} |`,
    ].join('\n\n');
    vigil().model.script([{ text }]);
    const id = await talk('reader', 'tester', 'Where is my bank?');
    const { page } = await comesAs('reader', id, { viewport: { width: 390, height: 900 } });
    await page
      .locator('math')
      .nth(2 * formulas.length)
      .waitFor();
    await page.waitForFunction(() => document.querySelectorAll('.prose .hidden').length === 0);
    const warnings = await page.locator('.link-deceit').all();
    expect(warnings.length).toBe(formulas.length + 4);
    const links = await page.locator('a', { hasText: 'the words' }).all();
    expect(links.length).toBe(formulas.length);
    const kept = [page.getByText('Where is my bank?').last(), ...warnings, ...links];
    for (const one of kept) {
      await one.scrollIntoViewIfNeeded();
      await appeared(page);
      // What the model wrote, but what is looked at.
      const hide = (visibility: string) =>
        one.evaluate((element, visibility) => {
          for (const prose of document.querySelectorAll<HTMLElement>('article .prose'))
            if (!prose.contains(element)) prose.style.visibility = visibility;
            else
              for (const other of prose.querySelectorAll<HTMLElement>('*'))
                if (!other.contains(element) && !element.contains(other)) other.style.visibility = visibility;
        }, visibility);
      const isSeenAlone = async () => {
        const seen = await one.screenshot();
        await hide('hidden');
        const alone = await one.screenshot();
        await hide('');
        return looksAlike(page, seen, alone);
      };
      let isAlone = false;
      for (let attempt = 1; attempt <= 5 && !isAlone; attempt++) isAlone = await isSeenAlone();
      expect(isAlone).toBe(true);
    }
    const messages = page.getByRole('region', { name: 'Messages' });
    expect(await messages.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    expect(await page.locator('math [mathcolor], math [mathbackground]').count()).toBe(0);
  });

  test('has other versions: made again or edited, in place, with arrows, without a step back; the list shows one, and all is deleted at once (R116, R159)', async () => {
    const long = 'The first answer. '.repeat(120);
    vigil().model.script([{ text: long }, { text: 'The second answer.' }]);
    const user = await vigil().user('brancher');
    const id = await talk('brancher', 'tester', 'The first question');
    await user.say(id, 'The second question');
    await user.until(id, ({ messages, status }) => status === 'done' && messages.length === 4);
    const [first] = (await user.read(id)).messages.flatMap(({ runId }) => runId ?? []);
    const { page } = await comesAs('brancher', id, { colorScheme: 'light' });
    await answered(page, 'The second answer.');
    const shows = (words: string) => page.getByRole('group', { name: 'Versions' }).getByText(words).waitFor();
    const entries = page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: /question/ });
    const steps = await page.evaluate(() => history.length);

    // An earlier reply is made again. What followed it belongs to the first version.
    vigil().model.script([{ text: 'Another first answer.' }]);
    await page.getByRole('article', { name: 'tester' }).first().hover();
    // Clicked twice, it is tried again once.
    await page.getByRole('button', { name: 'Try again from here' }).first().dblclick();
    await answered(page, 'Another first answer.');
    await shows('2 / 2');
    await page.getByText('Version 2 of 2').waitFor({ state: 'attached' });
    expect(page.url()).not.toContain(id);
    expect(await page.evaluate(() => history.length)).toBe(steps);
    expect(await entries.count()).toBe(1);
    expect(await page.getByText('The second question').count()).toBe(0);
    expect(await barriers(page)).toEqual([]);

    // By keyboard: the focus and the place stay, and a screen reader hears which version it is.
    const messages = page.getByRole('region', { name: 'Messages' });
    const question = await said(page).first().elementHandle();
    await page.getByRole('button', { name: 'Previous version' }).press('Enter');
    await answered(page, 'The second answer.');
    await shows('1 / 2');
    await page.getByText('Version 1 of 2').waitFor({ state: 'attached' });
    await focusIsOn(page, 'Previous version');
    expect(page.url()).toContain(id);
    expect(await messages.evaluate((element) => element.scrollTop)).toBe(0);
    expect(await question!.evaluate((element) => element.isConnected)).toBe(true);

    // Another browser makes a third one.
    vigil().model.script([{ text: 'A third first answer.' }]);
    const made = await user.request('POST', `/conversations/${id}/fork`, { step: 1, runId: first });
    expect(made.status).toBe(201);
    await shows('1 / 3');
    expect(await entries.count()).toBe(1);
    // Its run takes the answer that is meant for it.
    await user.finished((made.body as { id: string }).id);

    // Edited, it has the new text's title, and arrows at the message.
    vigil().model.script([{ text: 'Something else.' }]);
    await said(page).first().hover();
    const edit = page.getByRole('textbox', { name: 'Your message' });
    await page.getByRole('button', { name: 'Edit and ask again' }).first().click();
    await edit.press('Escape');
    await focusIsOn(page, 'Edit and ask again');
    // Half an edit is still there after a look elsewhere.
    await page.keyboard.press('Enter');
    await edit.fill('A better');
    await page.getByRole('link', { name: /^Home/ }).click();
    await page.getByRole('region', { name: 'Home' }).or(page.getByText('Agents that wait')).first().waitFor();
    await page.goBack();
    expect(await edit.inputValue()).toBe('A better');
    await edit.fill('A better question');
    await page.getByLabel('Ask', { exact: true }).selectOption('reminder');
    await edit.press('Enter');
    await answered(page, 'Something else.');
    expect((await user.read(new URL(page.url()).hash.slice(4))).agent).toBe('reminder');
    await page.getByRole('heading', { level: 1, name: 'A better question' }).waitFor();
    await focusIsOn(page, 'Edit and ask again');
    await page.reload();
    await answered(page, 'Something else.');
    await said(page).getByText('2 / 2').waitFor();
    // Back to the last begun conversation with the first message.
    await page.getByRole('button', { name: 'Previous version' }).press('Enter');
    await answered(page, 'A third first answer.');
    await shows('3 / 3');
    await focusIsOn(page, 'Previous version');
    await page.getByRole('button', { name: 'More about this conversation' }).click();
    await page.getByRole('menuitem', { name: /Delete/ }).click();
    await page.getByText('Agents that wait').waitFor();
    expect(await entries.count()).toBe(0);
    const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await sendNow(page);
    expect((await deleted).status()).toBe(204);
    expect((await user.list()).conversations).toEqual([]);
  });
});
