import { targetOf } from './link-target';

const deceitOf = (href: string, text: string) => targetOf(href, text).deceit;

test.each([
  ['https://example.org/a', 'the page', 'example.org'],
  ['https://docs.example.org:8443/a?b#c', 'example.org', 'docs.example.org:8443'],
  ['https://EXAMPLE.org', 'here', 'example.org'],
  ['http://[2001:db8::1]/', 'here', '[2001:db8::1]'],
  ['https://bank.example.org.evil.test/login', 'Log in', 'bank.example.org.evil.test'],
  ['mailto:ada@example.org?subject=Hi', 'write to Ada', 'ada@example.org'],
  ['mailto:ada@example.org?cc=eve@evil.test', 'write to Ada', 'ada@example.org, eve@evil.test'],
])('a link says where it leads: %s as “%s”', (href, text, place) => {
  expect(targetOf(href, text)).toEqual({ place, isSaid: false, deceit: undefined });
});

test.each([
  ['https://example.org/a', 'https://example.org/a'],
  ['https://www.example.org/', 'example.org'],
  ['http://www.example.org', 'www.example.org'],
  ['https://example.org/', 'Read Example.org, please.'],
  ['https://archive.test/web/http://example.org/', 'https://archive.test/web/http://example.org/'],
  ['https://93.184.216.34/', '93.184.216.34'],
  ['mailto:ada@example.org', 'ada@example.org'],
])('what the text says is not repeated: %s as “%s”', (href, text) => {
  expect(targetOf(href, text)).toMatchObject({ isSaid: true, deceit: undefined });
});

test.each([
  ['https://nodejs.org/api', 'the Node.js documentation, v20.19'],
  ['https://github.com/a/b', 'core/base/text/ids.ts and README.md'],
  ['https://example.org', 'e.g. this one … or that. Yes'],
  ['https://example.org', '1.2.3 costs 4.50'],
  ['https://example.org', 'example.org/a.b/c.de and example.org/www.other'],
  ['https://example.org', 'https://example.org/?next=https://example.org/'],
  ['https://example.org', 'a · b • c, and/or both'],
  ['mailto:first.last@example.org', 'first.last@example.org'],
])('not all that has a dot is a site: %s as “%s”', (href, text) => {
  expect(deceitOf(href, text)).toBeUndefined();
});

test.each<[string, string, string]>([
  ['another site', 'https://evil.test', 'https://bank.example'],
  ['another site in a sentence', 'https://evil.test', 'Log in at bank.example now'],
  ['another site besides the real one', 'https://evil.test', 'evil.test (bank.example)'],
  ['a longer name', 'https://bank.example.evil.test', 'bank.example'],
  ['a site as a user', 'https://evil.test', 'https://bank.example@evil.test'],
  ['a file’s ending with a scheme', 'https://evil.test', 'https://bank.md'],
  ['an address by its numbers', 'https://evil.test', '93.184.216.34'],
  ['a mail address', 'https://evil.test', 'help@bank.example'],
  ['another mail address', 'mailto:help@evil.test', 'help@bank.example'],
  ['one of several mail addresses', 'mailto:help@bank.example?bcc=eve@evil.test', 'help@bank.example'],
  ['wide dots', 'https://evil.test', 'bank．example'],
  ['ideographic dots', 'https://evil.test', 'bank。example'],
  ['invisible characters', 'https://evil.test', 'ba\u200bnk\u2060.exa\u00admple'],
  ['reversed writing', 'https://evil.test', '\u202eelpmaxe.knab'],
  ['Cyrillic letters', 'https://evil.test', 'bаnk.example'],
  ['full-width letters', 'https://evil.test', 'ｂａｎｋ.example'],
  ['a path', 'https://evil.test', '/bank.example/login'],
  ['a path with two slashes', 'https://evil.test', '//bank.example'],
  ['backslashes', 'https://evil.test', '\\\\bank.example\\login'],
  ['a site within a path', 'https://evil.test', 'to/bank.example/login'],
  ['other slashes', 'https://evil.test', 'https:⁄⁄bank.example'],
  ['other colons', 'https://evil.test', 'https꞉//bank/'],
  ['a name without dots', 'https://evil.test', 'https://bank/login'],
  ['a number', 'https://evil.test', 'http://1572395042/'],
  ['an IPv6 address', 'https://evil.test', 'http://[2001:db8::1]/'],
  ['a site as a user without a scheme', 'https://evil.test', 'bank.example@evil.test'],
  ['thin spaces', 'https://evil.test', 'bank\u200a.\u2009example'],
  ['letters in squares', 'https://evil.test', 'bank.🅴🆇🅰🅼🅿🅻🅴'],
  ['letters of flags', 'https://evil.test', '🇧🇦🇳🇰.example'],
  ['mathematical letters', 'https://evil.test', '𝐛𝐚𝐧𝐤.𝖊𝖝𝖆𝖒𝖕𝖑𝖊'],
  ['a dot in brackets', 'https://evil.test', 'bank[.]example'],
  ['an escaped dot', 'https://evil.test', 'bank%2Eexample'],
  ...[...'․‧•∙⋅·・｡．﹒܁܂٠۰۔ᐧ᛫⳾⸱⸳⸼ꓸ꘎꛳ꞏ‚𐄁𐩐𝅭'].map((dot): [string, string, string] => [
    `the dot ${dot}`,
    'https://evil.test',
    `bank${dot}example`,
  ]),
  ...[...'⁄∕⧸╱⟋᜵ノ丿／'].map((slash): [string, string, string] => [
    `the slash ${slash}`,
    'https://evil.test',
    `https:${slash}${slash}bank/`,
  ]),
])('a text that names %s deceives', (_what, href, text) => {
  expect(deceitOf(href, text)).toBe('not where its text says');
});

test('an address may deceive, too: by a user, and by letters that may look like others', () => {
  const user = 'https://bank.example@evil.test/';
  expect(targetOf(user, 'here')).toMatchObject({ place: 'evil.test', deceit: 'what stands before the @ is no site' });
  expect(targetOf(user, user)).toMatchObject({ place: 'evil.test', deceit: expect.any(String) });
  for (const href of ['https://bаnk.example/', 'https://xn--bnk-6cd.example/'])
    expect(targetOf(href, 'here')).toEqual({
      place: 'xn--bnk-6cd.example',
      isSaid: false,
      deceit: 'its name has letters that may look like others',
    });
});

test('letters that are turned around deceive, whatever they spell', () => {
  expect(deceitOf('https://tset.live', 'a \u202etset.live')).toBe('its text is written backwards');
  expect(deceitOf('https://evil.test', '\u202enoitartsiger')).toBe('its text is written backwards');
});
