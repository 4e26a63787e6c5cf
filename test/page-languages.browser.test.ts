import type { Page } from 'playwright-core';
import { fitsEverywhere, visitedVigil } from './support/page/browser';
import { call } from './support/stories/transcript';

// The page in the reader's language, and what is said outside of its catalogue.

/** Stands in for a catalogue: each message is its English text in brackets, so that words without brackets are in no catalogue. */
const brackets = 'export { m as default }; const m = new Proxy({}, { get: (_, key) => `⟦${String(key)}⟧` });';

/** Returns the words on the page that stand in no message, with the elements that show them. */
const outside = (page: Page): Promise<[element: string, words: string][]> =>
  page.evaluate(() => {
    const found: [string, string][] = [];
    let depth = 0;
    const read = (text: string, at: string) => {
      let bare = '';
      for (const character of text) {
        if (character === '⟧') depth -= 1;
        else if (character === '⟦') depth += 1;
        else if (depth === 0) bare += character;
      }
      if (/\p{L}{2}/u.test(bare)) found.push([at, bare]);
    };
    const walk = (node: Node) => {
      if (node instanceof Text) return read(node.data, node.parentElement!.tagName.toLowerCase());
      if (!(node instanceof HTMLElement)) return;
      if (/^(?:SCRIPT|STYLE|NOSCRIPT|CODE|KBD|TIME)$/.test(node.tagName)) return;
      const inside = depth;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description']) {
        depth = 0;
        read(node.getAttribute(name) ?? '', `${node.tagName.toLowerCase()}[${name}]`);
      }
      depth = inside;
      for (const child of node.childNodes) walk(child);
    };
    walk(document.body);
    return found;
  });

/** Waits until all parts of a view are there. */
async function isSteady(page: Page): Promise<void> {
  const words = () => page.evaluate(() => document.body.innerText);
  for (let last = '', now = await words(); now !== last; now = await words()) {
    last = now;
    await page.waitForTimeout(150);
  }
}

/** The letters of a text, by which it is found in another one, however that draws spaces, marks and names. */
const lettersOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();

/** Collects what agents, tools and people are called and say, from what the API answers: the page shows it as it is. */
function collectData(page: Page) {
  const all = new Set<string>();
  const reading: Promise<void>[] = [];
  const collect = (value: unknown, key = ''): void => {
    if (typeof value === 'string') {
      if (!/^(?:status|kind|role|type|state|waitsFor|by|via)$/.test(key)) all.add(lettersOf(value));
    } else if (value !== null && typeof value === 'object')
      for (const [name, one] of Object.entries(value)) collect(one, Array.isArray(value) ? key : name);
  };
  page.on('response', (response) => {
    if (/json/.test(response.headers()['content-type'] ?? ''))
      reading.push(response.json().then(collect, () => undefined));
  });
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => collect(JSON.parse(String(payload)))));
  return {
    has: (text: string) => [...all].some((one) => one.includes(lettersOf(text))),
    /** The page may show an answer before it is read here. */
    allRead: () => Promise.all(reading),
  };
}

/** What is no word of the page: units, the keys of a keyboard, names, and days and months, which the browser writes. */
const names =
  /(?<![\p{L}])(?:d|h|min|s|ms|kB|MB|px|Ctrl|Vigil|UTC|Lambda|GB|English|Deutsch|Español|Mo|Di|Mi|Do|Fr|Sa|So|Jan|Feb|März|Apr|Mai|Juni|Juli|Aug|Sept|Okt|Nov|Dez)(?![\p{L}])/gu;

describe('the page in a language', () => {
  const { vigil, comes, signsInAs } = visitedVigil();

  test('all words that it shows are in its catalogue, and long ones fit (R256)', async () => {
    const model = vigil().model;
    const user = await vigil().user('bracketed', ['finance']);
    const at = new Date(+(await vigil().now()) + 3_600_000).toISOString();
    const told = async (agent: string, words: string, script: Parameters<typeof model.script>[0]) => {
      model.script(script);
      return (await user.start(agent, words)).id;
    };
    const args = { to: 'Ada', amount_cents: 90_000, purpose: 'the rent' };
    const approval = await told('account-manager', 'Pay the rent', [
      call('t', 'transfer', args),
      { text: 'It is done.' },
    ]);
    await user.waiting(approval);
    const question = await told('tester', 'Pay the rent', [call('q', 'ask_user', { question: 'Where to?' })]);
    await user.waiting(question);
    const asleep = await told('tester', 'Sleep an hour', [{ text: 'Good night.', ...call('c', 'schedule', { at }) }]);
    await user.asleep(asleep);
    const failed = await told('tester', 'Pay the rent', [{ status: 404 }]);
    await user.finished(failed);

    let data: ReturnType<typeof collectData>;
    const { page, leave } = await comes(
      '/',
      { locale: 'de-DE', viewport: { width: 1_440, height: 900 } },
      async (page) => {
        await page.route('**/assets/de-*.js', (route) =>
          route.fulfill({ contentType: 'text/javascript', body: brackets }),
        );
        await signsInAs(page, () => 'bracketed', ['finance']);
        data = collectData(page);
      },
    );
    const found: string[] = [];
    const check = async (view: string) => {
      await isSteady(page);
      const shown = await outside(page);
      await data.allRead();
      for (const [element, words] of shown) {
        // A label joins what an agent says and a name by a dot.
        for (const part of words.split(' · ')) {
          const own = part.replace(names, ' ');
          if (/\p{L}{2}/u.test(own) && !data.has(own) && !data.has(part)) found.push(`${view}: ${element}: ${part}`);
        }
      }
    };
    const opens = async (path: string) => {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, path);
    };
    const button = (words: RegExp) => page.getByRole('button', { name: words });
    await page.getByText('⟦').first().waitFor();
    await check('home');
    await opens(`#/c/${approval}`);
    await button(/Approve/)
      .first()
      .waitFor();
    await check('an approval');
    await button(/Change…/).click();
    await check('a changed approval');
    await button(/Deny…/).click();
    await check('a denial');
    await opens(`#/c/${question}`);
    await page.getByText('Where to?').first().waitFor();
    await check('a question');
    await opens(`#/c/${asleep}`);
    await page.getByText('Good night.').first().waitFor();
    await check('a sleeping run');
    await opens(`#/c/${failed}`);
    await button(/Undo what it did|Try again|Retry/)
      .first()
      .waitFor();
    await check('a failed run');
    await opens('#/nowhere/at/all');
    await page.getByText('There is nothing at this address').waitFor();
    await check('nowhere');
    await opens('#/agents/account-manager');
    await page.locator('[data-tool=transfer]').waitFor();
    await check('an agent');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await check('the palette');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+,');
    await page.getByRole('dialog').waitFor();
    await check('the settings');
    expect(found).toEqual([]);
    await leave();

    // In the longest of the languages, nothing is wider than the window.
    const visitor = await comes('/', { locale: 'de-DE', viewport: { width: 1_440, height: 900 } }, (page) =>
      signsInAs(page, () => 'bracketed', ['finance']),
    );
    const approve = visitor.page.getByRole('button', { name: /^900,00\s\$ genehmigen$/ }).first();
    await approve.waitFor();
    await fitsEverywhere(visitor, 'language-de-home');
    await visitor.page.goto(`${visitor.page.url().split('#')[0]}#/c/${approval}`);
    await approve.waitFor();
    await visitor.page.keyboard.press('Control+,');
    await visitor.page.getByRole('dialog').waitFor();
    await fitsEverywhere(visitor, 'language-de-settings');
  });
});
