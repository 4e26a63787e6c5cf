import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
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

test('a cell opens what happened where the versions part, by the keyboard; all is readable at all widths, and axe finds nothing (R237)', async () => {
  const names = ['main', 'now', 'gpt-6-luna', 'gpt-6.1-terra'];
  const file = join(folder, 'page.html');
  writeFileSync(file, pageOf(compare(names.map((name, index) => ({ name, played: played(index > 0) })))));
  const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  const visitor = { page, show: async () => undefined };
  await fitsEverywhere(visitor, 'evals', everyImpact);

  const link = page.getByRole('region', { name: 'Cases' }).getByRole('row').nth(1).getByRole('link').nth(1);
  for (let presses = 0; presses < 20; presses++) {
    if (await link.evaluate((one) => one === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  const step = page.locator('li:target');
  await step.waitFor({ state: 'visible' });
  expect(await step.innerText()).toContain('Here they part.');
  expect(await step.evaluate((one) => one.getBoundingClientRect().top < innerHeight)).toBe(true);
  // Side by side.
  const [left, right] = await step.locator('.cell').all();
  expect((await left!.boundingBox())!.y).toBe((await right!.boundingBox())!.y);
  expect(await page.title()).toBe(`Evals: ${names.join(', ')}`);
  expect(await page.locator('img, script').count()).toBe(0);
  expect(complaints).toEqual([]);
  expect(requests).toEqual([page.url().split('#')[0]]);

  // The same with all that happened.
  await page.evaluate(() => {
    for (const one of document.querySelectorAll('details')) one.open = true;
  });
  await fitsEverywhere(visitor, 'evals-open', everyImpact);
});
