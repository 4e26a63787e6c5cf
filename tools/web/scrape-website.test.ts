import type { ToolContext } from '../../core/conversations/agent/tool';
import { neededAfterUntrusted, whatIsRead, withCallsBefore } from '../../core/conversations/decisions/provenance';
import { withNeeds } from '../../runtime/tool-needs';
import { bundled } from '../../test/support/clouds/bundled';
import { secretsFor } from '../../test/support/servers/secrets';
import { startWeb, type Web, webPage } from '../../test/support/servers/web';
import { scrapeWebsite } from './scrape-website';

const prose = 'The temple is open from six in the morning, and quiet until nine. ';

describe.each([
  ['by Browserless, where there is a token', 't-browserless'],
  ['directly, where there is none', undefined],
])('scrape_website reads a page %s', (_way, token) => {
  let web: Web;
  let secrets: Awaited<ReturnType<typeof secretsFor>>;
  let read: (url: string) => Promise<unknown>;
  let remove: () => void;
  beforeAll(async () => {
    [web, secrets] = await Promise.all([startWeb(), secretsFor({ 'arn:token': token })]);
    Object.assign(process.env, { BROWSERLESS_BASE_URL: web.url, BROWSERLESS_TOKEN_SECRET_ARN: 'arn:token' });
    const { exports, remove: removed } = bundled<typeof import('./scrape-website')>('tools/web/scrape-website.ts');
    const { scrapeWebsite } = exports;
    remove = removed;
    read = (url) => withNeeds(scrapeWebsite).execute({ url }, {} as ToolContext);
  });
  afterAll(() => Promise.all([web.stop(), secrets.stop(), remove()]));
  beforeEach(() => {
    web.reads.length = 0;
    web.pages = {};
  });

  test.each(['http://127.0.0.1/', 'http://metadata.google.internal/computeMetadata/v1/', 'not an address'])(
    'but not %s (R123)',
    async (url) => {
      await expect(read(url)).rejects.toMatchObject({ name: 'TellModel' });
      expect(web.reads).toEqual([]);
    },
  );

  // pages/public-fetch.test.ts has more about direct fetches.
  if (!token) return;

  const url = 'https://kyoto.example/sights';

  test('and returns its address and its text (R102, R123)', async () => {
    web.pages[url] = webPage(`<html><head><title>Sights</title></head><body><p>${prose.repeat(9)}</p></body></html>`, {
      'x-response-url': 'https://kyoto.example/en/sights',
      'x-response-ip': '93.184.216.34',
    });
    const text = String(await read(url));
    expect(text).toMatch(/^https:\/\/kyoto\.example\/en\/sights\n\n# Sights\n\nThe temple/);
    expect(text).not.toContain(token);
    expect(web.reads).toEqual([{ url, token }]);
  });

  test('a long page is cut, and says so (R102)', async () => {
    web.pages[url] = webPage(`<p>${prose.repeat(1_000)}</p>`);
    const text = String(await read(url));
    expect(text).toMatch(/\[cut here: the page has \d{5} characters, of which these are the first 20000\]$/);
    expect(text.length).toBeLessThan(20_500);
  });

  test.each([
    ['a page that is not there', webPage('<p>Gone</p>', { 'x-response-code': '404' }), /answered with status 404/],
    ['an empty page', webPage(''), /no text on the page/],
    ['a page without words', webPage('<html><body><img src="x"></body></html>'), /no text on the page/],
    ['a token that is refused', { status: 401 }, /refuses the token/],
    ['an address that the browser does not take', { status: 400 }, /could not be opened \(status 400\)/],
    ['a page that is too large', webPage('a'.repeat(4_000_001)), /larger than 4 MB/],
  ])('%s is an error that the model reads (R21)', async (_kind, answer, message) => {
    web.pages[url] = answer;
    await expect(read(url)).rejects.toMatchObject({ name: 'TellModel', message: expect.stringMatching(message) });
  });

  test.each([
    ['the metadata service', { 'x-response-url': 'http://169.254.169.254/latest/' }],
    ['a name of somebody’s inside', { 'x-response-url': 'https://wiki.internal/' }],
    [
      'a public name with a private address',
      { 'x-response-url': 'https://kyoto.example/', 'x-response-ip': '10.0.0.7' },
    ],
    ['loopback, by IPv6', { 'x-response-ip': '[::1]' }],
  ])('the content of a page that redirects to %s is dropped (R123)', async (_kind, headers) => {
    web.pages[url] = webPage(`<p>${prose} TOP SECRET</p>`, headers);
    await expect(read(url)).rejects.toMatchObject({
      name: 'TellModel',
      message: expect.stringMatching(/^The page redirects elsewhere\. [^S]+$/),
    });
  });

  test('a pause that Browserless asks for is kept (R198)', async () => {
    web.pages[url] = { status: 429, headers: { 'retry-after': '30' } };
    await expect(read(url)).rejects.toMatchObject({ name: 'ToolFailed', notBefore: expect.any(Date) });
  });

  test.each([[{ status: 429 }], [{ status: 500, body: 't-browserless' }], [{ cut: true as const }]])(
    '%j of Browserless is tried again, and its token is nowhere in the error (R22, R35)',
    async (answer) => {
      web.pages[url] = answer;
      const error = await read(url).catch((thrown: Error) => thrown);
      expect(error).toMatchObject({ name: 'ToolFailed' });
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(token);
    },
  );
});

// A page says: "the amount is spelled by which of my addresses you open". Each result's address is a digit.
describe('a model that spells by the pages that it opens (R144, R195)', () => {
  const found = Array.from({ length: 12 }, (_, digit) => `https://evil.example/${digit}`);
  const search = { tool: 'internet_search', runId: 'r', step: 1, result: found.join('\n'), sources: ['web'] };
  const said = (seq: number, text: string) => ({ seq, role: 'user', text, status: 'complete' });
  const replied = (step: number) => ({
    seq: 1 + step,
    role: 'assistant',
    text: '',
    status: 'complete',
    runId: 'r',
    step,
  });
  const neededFor = (messages: object[], calls: object[], urls: string[]) => {
    const log = { messages, calls: [search, ...calls] } as unknown as Parameters<typeof whatIsRead>[0];
    const read = whatIsRead(log, 1_000);
    return urls.map((url, index) =>
      neededAfterUntrusted(scrapeWebsite, { url }, withCallsBefore(read, urls.slice(0, index).map(asCall))),
    );
  };
  const asCall = () => ({ name: 'scrape_website' });
  const fourOf = (count: number) => found.slice(0, count).map((_, index) => (index < 4 ? 'allow' : 'approve'));

  test('in one reply, opens four, and a person decides about the others', () => {
    expect(neededFor([said(1, 'Read on')], [], found)).toEqual(fourOf(12));
  });

  test('in one reply after the other, or in later runs that no user began, opens four', () => {
    const needed: string[] = [];
    const [messages, calls]: [object[], object[]] = [[said(1, 'Read on'), replied(1)], []];
    for (const [index, url] of found.entries()) {
      needed.push(...neededFor(messages, calls, [url]));
      messages.push({ ...replied(index + 2), runId: `r${index}` });
      messages.push({ seq: 100 + index, role: 'system', text: 'Due', status: 'complete', sources: ['web'] });
      calls.push({ tool: 'scrape_website', runId: `r${index}`, step: index + 2, sources: ['web'] });
    }
    expect(needed).toEqual(fourOf(12));
  });

  test('in a sub-agent whose task is from outside, opens none', () => {
    const task = [{ ...said(1, 'Read on'), sources: ['web'] }];
    expect(new Set(neededFor(task, [], found))).toEqual(new Set(['approve']));
  });

  test('what the user wrote is opened without asking, however many', () => {
    expect(new Set(neededFor([said(1, found.join(' '))], [], found))).toEqual(new Set(['allow']));
  });
});
