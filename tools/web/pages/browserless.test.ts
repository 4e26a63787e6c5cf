import fc from 'fast-check';
import { wrongReadings } from '../../../test/support/odd-answers';
import { startWeb, type Web } from '../../../test/support/servers/web';
import { endOf, fetchByBrowserless } from './browserless';
import { readableText } from './readable-text';

const asked = 'https://kyoto.example/';
/** As HTTP allows a header: visible ASCII. */
const header = fc.string({
  unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
  maxLength: 30,
});

test('whatever Browserless says of where it ended, it is an http address, or the model is told (R189)', () => {
  const parts = { 'x-response-url': header, 'x-response-ip': header, 'x-response-code': header };
  fc.assert(
    fc.property(fc.record(parts, { requiredKeys: [] }), (headers) => {
      try {
        expect(new URL(endOf(new Headers(headers), asked)).protocol).toMatch(/^https?:$/);
      } catch (error) {
        expect((error as Error).name).toBe('TellModel');
      }
    }),
  );
});

test.each([
  [{ 'x-response-url': 'not an address' }, /redirects elsewhere/],
  [{ 'x-response-code': 'OK' }, /^The page answered with an error\.$/],
  [{ 'x-response-code': '1e2' }, /with an error/],
  [{ 'x-response-code': '503' }, /with status 503/],
])('%j is told to the model (R189)', (headers, message) => {
  expect(() => endOf(new Headers(headers), asked)).toThrow(
    expect.objectContaining({ name: 'TellModel', message: expect.stringMatching(message) }),
  );
});

describe('an answer of Browserless', () => {
  let web: Web;
  beforeAll(async () => {
    web = await startWeb();
  });
  afterAll(() => web.stop());

  test('is a page with text, whatever changes in it, or an error that says what is wrong (R189)', async () => {
    const prose = 'The temple is open from six in the morning. '.repeat(9);
    const good = {
      headers: {
        'content-type': 'text/html',
        'x-response-code': '200',
        'x-response-url': 'https://kyoto.example/en/',
        'x-response-ip': '93.184.216.34',
      },
      body: `<html><head><title>Sights</title></head><body><p>${prose}</p></body></html>`,
    };
    const read = async (json?: string) => {
      web.pages[asked] = json && JSON.parse(json);
      return readableText(await fetchByBrowserless(asked, { baseUrl: web.url, token: 't' }));
    };
    const isFit = ({ title, text }: ReturnType<typeof readableText>) => title.length <= 300 && text !== '';
    expect(await wrongReadings(good, { read, errors: ['TellModel', 'ToolFailed'], isFit })).toEqual([]);
  });
});
