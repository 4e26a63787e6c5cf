import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { source as axe } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { startVigil, type Vigil } from './vigil';

const root = join(__dirname, '../..');
/** The built page; the tests' global set-up builds it. */
const pageFolder = join(root, 'web/dist');
const screenshots = join(root, '.vigil/test/screenshots');

/** The one that `jest.config.js` has found. @throws where there is none, but these tests have to run. */
async function openBrowser(): Promise<Browser> {
  const place = process.env.CHROMIUM_PATH;
  if (!place)
    throw new Error('The page is tested in a browser: install chromium, or say where one is by CHROMIUM_PATH.');
  mkdirSync(screenshots, { recursive: true });
  // The sandbox needs rights that containers lack; the browser sees nothing but our own page.
  return chromium.launch({ executablePath: place, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** A person's browser with the page open, and what it has complained about. */
export interface Visitor {
  page: Page;
  /** Errors of the page, and what its own security policy refused. */
  complaints: string[];
  /** How it looks now, kept as a file. */
  show(name: string): Promise<void>;
  leave(): Promise<void>;
}

/** A browser logs each answer that is no success; the page shows them in its own way. */
const expected = /Failed to load resource|net::ERR_|WebSocket connection/;

async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: 1_360, height: 860 }, ...options });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) complaints.push(message.text());
  });
  await page.goto(url);
  return {
    page,
    complaints,
    async show(name) {
      // What appears and what breathes has come to rest.
      await page.waitForTimeout(250);
      await page.screenshot({ path: join(screenshots, `${name}.png`), animations: 'disabled' });
    },
    leave: () => context.close(),
  };
}

/** What of the page people with disabilities would stumble over, by axe: serious and critical ones, each with its elements. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const violations = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof import('axe-core') }).axe.run();
    return violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => html) }));
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.join(' | ')}`);
}

/** For one file of tests: a Vigil that serves the page, a browser, and a context for each visitor of a test. */
export function visitedVigil() {
  let vigil: Vigil;
  let browser: Browser;
  let visitors: Visitor[];
  // Two browsers and a cloud share the machine with another test.
  jest.setTimeout(90_000);
  beforeAll(async () => {
    [vigil, browser] = await Promise.all([startVigil({ variables: { VIGIL_PAGE: pageFolder } }), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await vigil?.stop();
  });
  beforeEach(() => {
    visitors = [];
  });
  afterEach(async () => {
    for (const { leave } of visitors) await leave();
    for (const { complaints } of visitors) expect(complaints).toEqual([]);
  });

  async function comes(path = '/', options?: BrowserContextOptions): Promise<Visitor> {
    const visitor = await visit(browser, vigil.url + path, options);
    visitors.push(visitor);
    return visitor;
  }
  return {
    vigil: () => vigil,
    comes,
    comesTo: (id: string, options?: BrowserContextOptions) => comes(`/#/c/${id}`, options),
    /** The page offers two users; a test has as many as it needs. */
    async comesAs(user: string, id: string, options?: BrowserContextOptions): Promise<Visitor> {
      const visitor = await visit(browser, 'about:blank', options);
      visitors.push(visitor);
      await visitor.page.route('**/_local/token', (route) => route.continue({ postData: JSON.stringify({ user }) }));
      await visitor.page.goto(`${vigil.url}/#/c/${id}`);
      return visitor;
    },
    /** A conversation of one exchange. @returns its id. */
    async talk(user: string, agent: string, text: string): Promise<string> {
      const person = await vigil.user(user);
      const { id } = await person.start(agent, text);
      await person.finished(id);
      return id;
    },
  };
}

export const phone: BrowserContextOptions = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };

// What people do and see on the page, by the words and roles that it has for them.

export const goesTo = (page: Page, id: string) => page.goto(`${new URL(page.url()).origin}/#/c/${id}`);
export const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');

export const said = (page: Page) => page.getByRole('article', { name: 'You' });
export const answered = (page: Page, words: string) => page.locator('article').getByText(words).last().waitFor();
export const field = (page: Page) => page.getByLabel('Message', { exact: true });

export async function send(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
}

/** The header says how the conversation stands. */
export const stands = (page: Page, words: string) => page.locator('main header').getByText(words).first().waitFor();
