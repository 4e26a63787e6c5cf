import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { compare } from '../package/eval/compare';
import { pageOf } from '../package/eval/page';
import type { Played } from '../package/eval/report';
import { everyImpact, fitsEverywhere, openBrowser } from './support/page/browser';

// The page of a comparison, opened from a file: what an agent has said is hostile, and one version has become worse.

const hostile = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
const long = `${'Lookattheaddresswithoutanyspaces'.repeat(12)} and ${'many words, '.repeat(60)}`;
const used = { steps: 3, tokens: 900, costMicrodollars: 12_300 };

function played(isWorse: boolean): Played[] {
  const names = [
    'a large transfer waits three days for its approval',
    hostile,
    'a question',
    'a changed mind',
    'an expiry',
    long,
  ];
  return names.flatMap((name, place) =>
    [1, 2, 3].map((trial) => {
      const holds = !(isWorse && place < 5);
      return {
        eval: 'bank',
        case: name,
        trial,
        holds,
        used,
        scores: [{ name: 'called transfer', score: Number(holds), why: holds ? '' : `the calls are ${hostile}` }],
        transcript: [
          { kind: 'said' as const, by: 'user', text: 'Send 900 to Ada' },
          {
            kind: 'call' as const,
            tool: 'transfer',
            arguments: { to: 'Ada', amount_cents: holds ? 90_000 : 900, purpose: hostile },

            outcome: holds ? ('completed' as const) : ('failed' as const),
            asked: true as const,
            answer: { text: long },
          },
          { kind: 'said' as const, by: 'account-manager', text: `$900.00 moved to Ada. ${hostile}` },
        ],
      };
    }),
  );
}

let browser: Browser;
const folder = mkdtempSync(join(tmpdir(), 'vigil-page-'));
beforeAll(async () => {
  browser = await openBrowser([], false);
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

async function opened(names: string[]): Promise<{ page: Page; complaints: string[]; requests: string[] }> {
  const file = join(folder, `${names.length}.html`);
  writeFileSync(file, pageOf(compare(names.map((name, index) => ({ name, played: played(index > 0) })))));
  const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  return { page, complaints, requests };
}
const show = (page: Page) => async (name: string) => {
  const path = join(__dirname, '../.vigil/test/screenshots', `${name}.png`);
  await page.screenshot({ path, animations: 'disabled' });
};

test('a cell opens what happened at the step where the versions part, by the keyboard; hostile words stay words (R237)', async () => {
  const { page, complaints, requests } = await opened(['main', 'now']);
  const cases = page.getByRole('region', { name: 'Cases' });
  // What has become worse is first; the case that is the same is last.
  const rows = await cases.getByRole('row').allInnerTexts();
  expect(rows).toHaveLength(7);
  expect(rows[1]).toContain('a large transfer waits');
  expect(rows[1]).toContain('0 of 3 hold');
  expect(rows.at(-1)).toContain('the same');
  const link = cases.getByRole('row').nth(1).getByRole('link').last();
  // A keyboard reaches it, and its target opens.
  for (let presses = 0; presses < 20; presses++) {
    if (await link.evaluate((one) => one === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  const step = page.locator('li:target');
  await step.waitFor({ state: 'visible' });
  expect(await step.innerText()).toContain('Here they part.');
  expect(await step.locator('.cell').allInnerTexts()).toEqual([
    expect.stringContaining('"amount_cents": 90000'),
    expect.stringContaining('"amount_cents": 900,'),
  ]);
  expect(await step.evaluate((one) => one.getBoundingClientRect().top < innerHeight)).toBe(true);
  // Side by side.
  const [left, right] = await step.locator('.cell').all();
  expect((await left!.boundingBox())!.y).toBe((await right!.boundingBox())!.y);
  await show(page)('evals-parted');
  expect(await page.title()).toBe('Evals: main, now');
  expect(await page.locator('img, script').count()).toBe(0);
  expect(complaints).toEqual([]);
  expect(requests).toEqual([page.url().split('#')[0]]);
  await page.close();
});

test.each([2, 4])(
  'the page of %d versions is readable at all widths, light and dark, and axe finds nothing (R237)',
  async (count) => {
    const { page } = await opened(['main', 'now', 'gpt-6-luna', 'gpt-6.1-terra'].slice(0, count));
    await fitsEverywhere({ page, show: show(page) }, `evals-${count}`, everyImpact);
    // The same with all that happened.
    await page.evaluate(() => {
      for (const one of document.querySelectorAll('details')) one.open = true;
    });
    await page.goto(`${page.url().split('#')[0]}#c0-1`);
    await fitsEverywhere({ page, show: show(page) }, `evals-${count}-open`, everyImpact);
    await page.close();
  },
);
