import { targetOf } from './link-target';

const deceitOf = (href: string, text: string) => targetOf(href, text).deceit;

test.each([
  ['https://example.org/a', 'the page', 'example.org'],
  ['https://docs.example.org:8443/a?b#c', 'example.org', 'docs.example.org:8443'],
  ['https://EXAMPLE.org', 'here', 'example.org'],
  ['http://[2001:db8::1]/', 'here', '[2001:db8::1]'],
  ['https://bank.example.org.evil.test/login', 'Log in', 'bank.example.org.evil.test'],
  ['mailto:ada@example.org?subject=Hi', 'write to Ada', 'ada@example.org'],
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
  ['https://github.com/a/b', 'core/text/ids.ts and README.md'],
  ['https://example.org', 'e.g. this one … or that. Yes'],
  ['https://example.org', '1.2.3 costs 4.50'],
])('not all that has a dot is a site: %s as “%s”', (href, text) => {
  expect(deceitOf(href, text)).toBeUndefined();
});

test.each([
  ['another site', 'https://evil.test', 'https://bank.example'],
  ['another site in a sentence', 'https://evil.test', 'Log in at bank.example now'],
  ['another site besides the real one', 'https://evil.test', 'evil.test (bank.example)'],
  ['a longer name', 'https://bank.example.evil.test', 'bank.example'],
  ['a site as a user', 'https://evil.test', 'https://bank.example@evil.test'],
  ['a file’s ending with a scheme', 'https://evil.test', 'https://bank.md'],
  ['an address by its numbers', 'https://evil.test', '93.184.216.34'],
  ['a mail address', 'https://evil.test', 'help@bank.example'],
  ['another mail address', 'mailto:help@evil.test', 'help@bank.example'],
  ['wide dots', 'https://evil.test', 'bank．example'],
  ['ideographic dots', 'https://evil.test', 'bank。example'],
  ['invisible characters', 'https://evil.test', 'ba\u200bnk\u2060.exa\u00admple'],
  ['reversed writing', 'https://evil.test', '\u202eelpmaxe.knab'],
  ['Cyrillic letters', 'https://evil.test', 'bаnk.example'],
  ['full-width letters', 'https://evil.test', 'ｂａｎｋ.example'],
])('a text that names %s deceives', (_what, href, text) => {
  expect(deceitOf(href, text)).toBe('not where its text says');
});

test('an address may deceive, too: by a user, and by letters that may look like others', () => {
  const user = 'https://bank.example@evil.test/';
  expect(targetOf(user, 'here')).toMatchObject({ place: 'evil.test', deceit: 'what stands before the @ is no site' });
  expect(targetOf(user, user)).toMatchObject({ place: 'evil.test', deceit: expect.any(String) });
  for (const href of ['https://bаnk.example/', 'https://xn--bnk-6cd.example/'])
    expect(targetOf(href, 'here')).toEqual({
      ...{ place: 'xn--bnk-6cd.example', isSaid: false },
      deceit: 'its name has letters that may look like others',
    });
});
