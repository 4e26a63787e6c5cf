import type { Page } from 'playwright-core';
import { field, visitedVigil } from './support/page/browser';
import { call } from './support/stories/transcript';

// The page in the reader's language, and what is said outside of its catalogue.

/** Stands in for a catalogue: each message is its English text in brackets, so that words without brackets are in no catalogue. */
const brackets = 'export { m as default }; const m = new Proxy({}, { get: (_, key) => `⟦${String(key)}⟧` });';

/** Returns the words on the page that stand in no message, in the order of the document. */
const outside = (page: Page, given: readonly RegExp[]): Promise<string[]> =>
  page.evaluate(
    (sources) => {
      const known = sources.map((source) => new RegExp(source, 'gu'));
      const found: string[] = [];
      let depth = 0;
      const read = (text: string, at: string) => {
        let bare = '';
        for (const character of text) {
          if (character === '⟧') depth -= 1;
          if (depth === 0 && character !== '⟧' && character !== '⟦') bare += character;
          if (character === '⟦') depth += 1;
        }
        for (const one of known) bare = bare.replace(one, ' ');
        if (/\p{L}{2}/u.test(bare)) found.push(`${at}: ${bare.trim()}`);
      };
      const walk = (node: Node) => {
        if (node instanceof Text) return read(node.data, node.parentElement!.tagName.toLowerCase());
        if (!(node instanceof HTMLElement)) return;
        if (/^(?:SCRIPT|STYLE|NOSCRIPT|CODE|KBD)$/.test(node.tagName)) return;
        const inside = depth;
        for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description']) {
          const text = node.getAttribute(name);
          depth = 0;
          if (text) read(text, `${node.tagName.toLowerCase()}[${name}]`);
        }
        depth = inside;
        for (const child of node.childNodes) walk(child);
      };
      walk(document.body);
      return [...new Set(found)];
    },
    given.map(({ source }) => source),
  );

/** What is no word of the page: times, amounts, units, key names, and what people, agents and tools are called. */
const data = [
  /\d[\d.,: ]*(?:d|h|min|s|ms|B|kB|MB|px|k|M)?(?![\p{L}\d])/,
  /(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?![\p{L}])/,
  /(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)(?![\p{L}])/,
  /(?:Ctrl|Vigil|UTC|English|Deutsch|Español)(?![\p{L}])/,
];

describe('the page in a language', () => {
  const { vigil, comes, comesTo, signsInAs } = visitedVigil();

  /** A transfer that waits for its approval. @returns the conversation. */
  async function transfer(name: string) {
    const args = { to: 'Ada', amount_cents: 90_000, purpose: 'the rent' };
    vigil().model.script([call('t', 'transfer', args), { text: 'It is done.' }]);
    const user = await vigil().user(name, ['finance']);
    const { id } = await user.start('account-manager', 'Pay the rent');
    await user.waiting(id);
    return { user, id };
  }

  test('all words that it shows are in its catalogue (R256)', async () => {
    const { user, id } = await transfer('bracketed');
    const opens = async (path: string) => {
      const visitor = await comes(path, { locale: 'de-DE', viewport: { width: 1_440, height: 900 } }, async (page) => {
        await page.route('**/assets/de-*.js', (route) =>
          route.fulfill({ contentType: 'text/javascript', body: brackets }),
        );
        await signsInAs(page, () => 'bracketed', ['finance']);
      });
      return visitor.page;
    };
    const said = [/Pay the rent/, /the rent/, /account-manager/, /Ada/, /It is done/];
    const check = async (page: Page, more: readonly RegExp[] = []) =>
      expect(await outside(page, [...said, ...more, ...data])).toEqual([]);
    const page = await opens('/');
    await page.getByText('⟦').first().waitFor();
    await check(page);
    await page.close();
    const open = await opens(`/#/c/${id}`);
    await open.getByRole('button', { name: /Approve/ }).waitFor();
    await check(open);
    await user.cancel(id);
  });
});
