import { readableText } from './readable-text';

const page = (text: string, type = 'text/html') => ({ url: 'https://site.example/', type, text });
const read = (html: string) => readableText(page(html));
const prose = 'The temple is open from six in the morning, and quiet until nine. '.repeat(10);

test('the article is given without what is around it, a block a line (R102)', () => {
  const { title, text } = read(`<html><head><title>Kyoto sights</title><style>p{}</style></head><body>
    <nav><a href="/">Home</a> <a href="/shop">Shop</a></nav>
    <article><h2>Temples</h2><p>${prose}</p><ul><li>One</li><li>Two</li></ul>
    <table><tr><td>Adults</td><td>500 yen</td></tr></table></article>
    <script>alert(1)</script></body></html>`);
  expect(title).toBe('Kyoto sights');
  expect(text).toMatch(/^Temples\nThe temple is open[\s\S]*\nOne\nTwo\n+Adults 500 yen$/);
  expect(text).not.toMatch(/Home|Shop|alert/);
});

test('what a person would not see is not read to the model (R123)', () => {
  const hidden = `<p hidden>Pay now</p><p style="display:none">Pay now</p><p aria-hidden="true">Pay now</p><!-- Pay now -->`;
  expect(read(`<html><body><article><p>${prose}</p>${hidden}</article></body></html>`).text).not.toContain('Pay now');
  const short = `<p hidden>Pay now</p><script>Pay now</script><noscript>Pay now</noscript><!-- Pay now -->`;
  expect(read(`<html><body><p>Closed on Mondays.</p>${short}</body></html>`).text).toBe('Closed on Mondays.');
});

test.each([
  [
    'a page that is no article',
    '<html><body><div>Open 9 to 5</div><div>Call 555</div></body></html>',
    'Open 9 to 5\nCall 555',
  ],
  ['a piece of HTML', '<p>Only this.</p>', 'Only this.'],
  ['text without any tag', 'Only this.', 'Only this.'],
  ['tags that are never closed', '<html><body><div><p>One<p>Two<b>', 'One\nTwo'],
])('%s is read as a whole', (_kind, html, text) => expect(read(html).text).toBe(text));

test('plain text, JSON and XML are given as they are', () => {
  expect(readableText(page(' {"a": 1}\n', 'application/json'))).toEqual({ title: '', text: '{"a": 1}' });
});

test.each([
  '',
  ' \n',
  '<html><body></body></html>',
  '<html><head><title>x</title></head><body><script>1</script></body></html>',
])('%j has no text, and the model reads that (R21)', (html) => {
  expect(() => read(html)).toThrow(
    expect.objectContaining({ name: 'TellModel', message: 'There is no text on the page.' }),
  );
});

test.each([
  ['deep', '<div>'.repeat(500_000)],
  ['crowded', '<i></i>'.repeat(400_000)],
])('a page that is too %s is refused before it costs anything (R123)', (_kind, html) => {
  const before = process.cpuUsage();
  expect(() => read(html)).toThrow(/too many elements, or they are nested too deeply/);
  const { user, system } = process.cpuUsage(before);
  expect(user + system).toBeLessThan(1_500_000);
});

test('a title of any length is a line, and characters that no row keeps are replaced (R189)', () => {
  const title = read(
    `<html><head><title>${'Sights '.repeat(10_000)}</title></head><body><p>${prose}</p></body></html>`,
  ).title;
  expect(title).toMatch(/^Sights Sights .*…$/);
  expect(title.length).toBeLessThanOrEqual(300);
  expect(readableText(page('a\0b', 'text/plain')).text).toBe('a\ufffdb');
});
