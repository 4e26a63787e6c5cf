import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { startVigil, type Vigil } from './vigil';

const root = join(__dirname, '../..');
/** The built page; the tests' global set-up builds it. */
const pageFolder = join(root, 'web/dist');
/** Less than half of what the package gives as its source, and the browser reads it for each page. */
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const screenshots = join(root, '.vigil/test/screenshots');

/** What of Chromium does nothing for the page, and takes more time than the page itself. */
const unneeded = [
  // Pages of the address bar, which nobody sees: each window loads two of them.
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'PreloadTopChromeWebUI'],
  // A process begun for the next site: there is no next site.
  'SpareRendererForSitePerProcess',
  // Chromium goes by the last list that it is given, so this one has to say what Playwright's says for a page on this machine.
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'PaintHolding'],
  ...['HttpsFirstBalancedModeAutoEnable', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'PreconnectToSearch'],
  ...['AimEnabled', 'MediaRouter'],
];

/** The one that `jest.config.js` has found. @throws where there is none, but these tests have to run. */
async function openBrowser(): Promise<Browser> {
  const place = process.env.CHROMIUM_PATH;
  if (!place)
    throw new Error('The page is tested in a browser: install chromium, or say where one is by CHROMIUM_PATH.');
  mkdirSync(screenshots, { recursive: true });
  // The sandbox needs rights that containers lack; the browser sees nothing but our own page.
  const args = ['--no-sandbox', '--disable-dev-shm-usage', `--disable-features=${unneeded.join()}`];
  return chromium.launch({ executablePath: place, args });
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

/** What is done to a browser before it comes to the page, such as meddling with its network: there need be no reload for that. */
type Before = (page: Page) => Promise<unknown>;

async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  before?: Before,
): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: 1_360, height: 860 }, ...options });
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) complaints.push(message.text());
  });
  await before?.(page);
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
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const violations = await page.evaluate(async () => {
    // What is as it should be need not be described.
    const options = { resultTypes: ['violations' as const], selectors: false };
    const { violations } = await (globalThis as unknown as { axe: typeof import('axe-core') }).axe.run(options);
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
  jest.setTimeout(300_000);
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

  async function comes(path = '/', options?: BrowserContextOptions, before?: Before): Promise<Visitor> {
    const visitor = await visit(browser, vigil.url + path, options, before);
    visitors.push(visitor);
    return visitor;
  }
  return {
    vigil: () => vigil,
    comes,
    comesTo: (id: string, options?: BrowserContextOptions, before?: Before) => comes(`/#/c/${id}`, options, before),
    /** The page offers two users; a test has as many as it needs. */
    comesAs: (user: string, id: string, options?: BrowserContextOptions, before?: Before) =>
      comes(`/#/c/${id}`, options, async (page) => {
        await page.route('**/_local/token', (route) => route.continue({ postData: JSON.stringify({ user }) }));
        await before?.(page);
      }),
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
/** Waits until the focus is on what is labelled or reads so: a regular expression. */
export const focusIsOn = (page: Page, words: string) =>
  page.waitForFunction(
    (pattern) =>
      new RegExp(pattern).test(
        document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
      ),
    words,
  );

export const said = (page: Page) => page.getByRole('article', { name: 'You' });
export const answered = (page: Page, words: string) => page.locator('article').getByText(words).last().waitFor();
export const field = (page: Page) => page.getByLabel('Message', { exact: true });

export async function send(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
}

/** The header says how the conversation stands. */
export const stands = (page: Page, words: string) => page.locator('main header').getByText(words).first().waitFor();
