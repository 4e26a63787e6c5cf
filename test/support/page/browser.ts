import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { startVigil, type Vigil } from '../clouds/vigil';

const root = join(__dirname, '../../..');
/** The built page. Jest's global setup builds it. */
export const pageFolder = join(root, 'web/dist');
/** The minified file: the browser reads it for each page. */
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const screenshots = join(root, '.vigil/test/screenshots');
/** Pictures cost as much time as the rest of a story, and are only looked at after a change of the page's looks. */
const areWanted = process.env.VIGIL_TEST_SCREENSHOTS === '1';

/** Features of Chromium that do nothing for the page and cost more time than the page itself. */
const unneeded = [
  // Pages of the address bar: each window loads two of them.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'PreloadTopChromeWebUI',
  // A process for the next site, which never comes.
  'SpareRendererForSitePerProcess',
  // Chromium uses only the last such list, so this one repeats Playwright's.
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'PaintHolding',
  'HttpsFirstBalancedModeAutoEnable',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'PreconnectToSearch',
  'AimEnabled',
  'MediaRouter',
  // It would keep a foreign page from this machine, which our servers must do themselves: not every browser has it.
  'LocalNetworkAccessChecks',
];

/**
 * Opens the browser that `jest.config.js` has found.
 *
 * @param isWhole a headless shell does less work, but has no notifications, and is not what people use.
 * @throws Error if there is none.
 */
export async function openBrowser(more: string[] = [], isWhole = true): Promise<Browser> {
  const place = (!isWhole && process.env.HEADLESS_SHELL_PATH) || process.env.CHROMIUM_PATH;
  if (!place) throw new Error('There is no browser for the page tests: install Chromium, or set CHROMIUM_PATH.');
  if (areWanted) mkdirSync(screenshots, { recursive: true });
  // The sandbox needs rights that containers lack. The browser sees only our own page. Without a graphics card, one that is simulated
  // takes a sixth of the time.
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-gpu-compositing',
    '--disable-dev-shm-usage',
    `--disable-features=${unneeded.join()}`,
    ...more,
  ];
  return chromium.launch({ executablePath: place, args });
}

/** A browser with the page open, and the errors that it reported. */
export interface Visitor {
  page: Page;
  /** Errors of the page, and violations of its content security policy. */
  complaints: string[];
  /** Saves a screenshot, if `VIGIL_TEST_SCREENSHOTS=1`. */
  show(name: string): Promise<void>;
  leave(): Promise<void>;
}

/** A browser logs each failed request; the page shows these in its own way. */
const expected = /Failed to load resource|net::ERR_|WebSocket connection/;

/** Prepares the page before it is opened, for example its network. */
type Before = (page: Page) => Promise<unknown>;

async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  before?: Before,
): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: 1_360, height: 860 }, locale: 'en-GB', ...options });
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
      if (!areWanted) return;
      // Animations have finished by then.
      await page.waitForTimeout(250);
      await page.screenshot({ path: join(screenshots, `${name}.png`), animations: 'disabled' });
    },
    leave: () => context.close(),
  };
}

/** Waits for what fades or moves: its colours are faint until then. */
export const appeared = (page: Page) =>
  page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });

export const everyImpact = ['minor', 'moderate', 'serious', 'critical'];

/** Returns axe's violations, by default the serious and critical ones, each with its elements. */
export async function barriers(page: Page, impacts: readonly string[] = ['serious', 'critical']): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  await appeared(page);
  const violations = await page.evaluate(async () => {
    // Only violations are needed.
    const options = { resultTypes: ['violations' as const], selectors: false };
    const { violations } = await (globalThis as unknown as { axe: typeof import('axe-core') }).axe.run(options);
    return violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => html) }));
  });
  return violations
    .filter(({ impact }) => impacts.includes(impact ?? ''))
    .map(({ id, nodes }) => `${id}: ${nodes.join(' | ')}`);
}

const sizes = [
  [1_440, 900],
  [1_024, 800],
  [830, 800],
  [390, 844],
] as const;

/** In all sizes, light and dark, nothing is wider than the window, and axe finds nothing. */
export async function fitsEverywhere(
  { page, show }: Pick<Visitor, 'page' | 'show'>,
  name: string,
  impacts?: readonly string[],
): Promise<void> {
  const before = page.viewportSize()!;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Colours change no width.
    for (const [width, height] of colorScheme === 'light' || areWanted ? sizes : []) {
      await page.setViewportSize({ width, height });
      expect([width, await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)]).toEqual([
        width,
        false,
      ]);
      await show(`${name}-${width}-${colorScheme}`);
    }
    expect(await barriers(page, impacts)).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(before);
}

/** The request by which the page signs in on a laptop. */
const tokenRoute = '**/_local/token';

interface VisitedOptions {
  /** More variables for the functions. */
  variables?: () => Promise<Record<string, string>>;
  /** Whether the tests need all of Chromium: see `openBrowser`. */
  isWhole?: boolean;
}

/** For one test file: a Vigil that serves the page, a browser, and a context for each visitor. */
export function visitedVigil({ variables = async () => ({}), isWhole = false }: VisitedOptions = {}) {
  let vigil: Vigil;
  let browser: Browser;
  let visitors: Visitor[];
  // Two browsers and a cloud share the machine with another test.
  jest.setTimeout(300_000);
  beforeAll(async () => {
    const more = await variables();
    [vigil, browser] = await Promise.all([
      // As on a laptop, everybody is a developer.
      startVigil({ variables: { VIGIL_PAGE: pageFolder, VIGIL_DEVELOPERS_GROUP: '*', ...more } }),
      openBrowser([], isWhole),
    ]);
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
    const visitor = await visit(browser, vigil.url + path, options, async (page) => {
      await signsInAs(page, (user) => user);
      await before?.(page);
    });
    visitors.push(visitor);
    return visitor;
  }
  /** A test shares its cloud with others, so its users have other names there. */
  const signsInAs = (page: Page, name: (offered: string) => string, groups?: string[]) =>
    page.route(tokenRoute, (route) => {
      const asked = route.request().postDataJSON() as { user: string };
      const postData = JSON.stringify({ ...asked, user: vigil.idOf(name(asked.user)), ...(groups && { groups }) });
      return route.continue({ postData });
    });
  return {
    vigil: () => vigil,
    comes,
    comesTo: (id: string, options?: BrowserContextOptions, before?: Before) => comes(`/#/c/${id}`, options, before),
    comesAs: (user: string, id: string, options?: BrowserContextOptions, before?: Before) =>
      comes(`/#/c/${id}`, options, async (page) => {
        await signsInAs(page, () => user);
        await before?.(page);
      }),
    signsInAs,
    /** Creates a conversation of one exchange. @returns its id. */
    async talk(user: string, agent: string, text: string): Promise<string> {
      const person = await vigil.user(user);
      const { id } = await person.start(agent, text);
      await person.finished(id);
      return id;
    },
  };
}

export const phone: BrowserContextOptions = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };

// What people do and see on the page, by its labels and roles.

export const goesTo = (page: Page, id: string) => page.goto(`${new URL(page.url()).origin}/#/c/${id}`);
/** Waits until the focused element's label or text matches a regular expression. */
export const focusIsOn = (page: Page, words: string) =>
  page.waitForFunction(
    (pattern) =>
      new RegExp(pattern).test(
        document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
      ),
    words,
  );

/** The card by which one chooses an agent for another conversation. */
export const agentCard = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Choose an agent' }).getByText(name, { exact: true });
export const said = (page: Page) => page.getByRole('article', { name: 'You' });
export const answered = (page: Page, words: string) => page.locator('article').getByText(words).last().waitFor();
export const field = (page: Page) => page.getByLabel('Message', { exact: true });

export async function send(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
}

/** Waits for the conversation's status in the header. */
export const stands = (page: Page, words: string | RegExp) =>
  page.locator('main header').getByText(words).first().waitFor();

/** Sends what was just decided, cancelled or forgotten, which waits a while otherwise. */
export const sendNow = (on: Page | Locator) =>
  on
    .getByRole('button', { name: /^Send now/ })
    .first()
    .click({ delay: 100 });
