import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';

/**
 * Draws the pictures of the page in the README again: `npm start` in an empty state directory (VIGIL_STATE_DIR), then
 * `npx tsx test/support/draw-screenshots.ts http://127.0.0.1:3000`. The stand-in model plays the agents.
 */
const pictures = join(__dirname, '../../docs/pictures');
const desk = {
  viewport: { width: 1_280, height: 880 },
  deviceScaleFactor: 1.25,
  locale: 'en-GB',
  timezoneId: 'Europe/Berlin',
};

/** What is begun, the first one first, and what the page says when it waits or is done. */
const talks = [
  ['reminder', 'Remind me every Monday at 9am to water the plants', /next .*weekly/],
  ['bank', 'What did I spend on groceries last month?', 'done'],
  ['reminder', 'Remind me in 3 weeks to renew my passport', 'asleep until'],
  ['travel', 'Plan a trip for me.', 'waiting for you'],
  ['reminder', 'Remind me tomorrow at 8am, bright and early, to check out https://example.org/news', 'asleep until'],
  ['bank', 'Send 900 dollars to Ada for the rent', 'waiting for you'],
] as const;

async function begin(page: Page, url: string, agent: string, text: string, status: string | RegExp): Promise<void> {
  await page.goto(`${url}/#/new`);
  await page
    .getByRole('group', { name: 'Choose an agent' })
    .getByText(new RegExp(`^${agent}$`, 'i'))
    .click();
  const field = page.getByLabel('Message', { exact: true });
  await field.fill(text);
  await field.press('Enter');
  await page.locator('main header').getByText(status).first().waitFor();
}

async function main(url: string): Promise<void> {
  const { findChromium } = require('./page/find-chromium') as { findChromium(): string };
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  const page = await (await browser.newContext(desk)).newPage();
  const list = page.getByRole('navigation', { name: 'Conversations' });
  const opens = async (title: RegExp, path: string, colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme });
    await list.getByRole('link', { name: title }).click();
    await page.locator('main header').getByText(title).first().waitFor();
    await page.mouse.move(640, 700);
    await page.waitForTimeout(2_000);
    await page.screenshot({ path: join(pictures, path), animations: 'disabled' });
  };
  try {
    for (const [agent, text, status] of talks) await begin(page, url, agent, text, status);
    // After its first move, the clock is one line.
    await page.getByRole('button', { name: '+1 h' }).click();
    await page.getByRole('button', { name: 'Fold this laptop' }).click();
    await opens(/^Remind me tomorrow at 8am/, 'page-light.png', 'light');
    await opens(/^Send 900 dollars/, 'page-dark.png', 'dark');
  } finally {
    await browser.close();
  }
}

void main(process.argv[2] ?? 'http://127.0.0.1:3000');
