import type { ToolContext } from '../../core/agent/tool';
import { bundled } from '../../test/support/clouds/bundled';
import { secretsFor } from '../../test/support/servers/secrets';
import { startWeb, type Web, webPage } from '../../test/support/servers/web';

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
    read = (url) => scrapeWebsite.execute({ url }, {} as ToolContext);
  });
  afterAll(() => Promise.all([web.stop(), secrets.stop(), remove()]));
  beforeEach(() => {
    web.reads.length = 0;
    web.pages = {};
  });

  test.each([
    'http://127.0.0.1/',
    'http://169.254.169.254/latest/meta-data/iam/security-credentials/',
    'http://localhost:8080/',
    'http://[::ffff:10.0.0.1]/',
    'http://2130706433/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'file:///etc/passwd',
    'https://user:pass@kyoto.example/',
    'not an address',
  ])('but not %s (R123)', async (url) => {
    await expect(read(url)).rejects.toMatchObject({ name: 'TellModel' });
    expect(web.reads).toEqual([]);
  });

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
    ['loopback', { 'x-response-url': 'http://127.0.0.1:8080/' }],
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
