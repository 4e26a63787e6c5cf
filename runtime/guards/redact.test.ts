import { processorMs } from '../../test/support/processor-time';
import { redact } from './redact';

const about = { agent: 'a', user: 'ada', conversationId: 'c', secrets: {}, variables: {} };
const signal = new AbortController().signal;
const after = (guard: ReturnType<typeof redact>, words: string, at: 'input' | 'call' = 'input') =>
  guard.check(words, { ...about, at, signal });
const all = redact({ patterns: { email: true, iban: true, card: true }, at: ['input', 'call'] });

test('pictures are withheld where the deployment says so (R269)', () => {
  expect(all.media).toBe('pass');
  expect(redact({ patterns: { email: true }, at: ['input'], media: 'withhold' }).media).toBe('withhold');
});

test.each<[string, string]>([
  ['Write to ada.lovelace+news@mail.example.co.uk, please.', 'Write to [email], please.'],
  ['<ada@example.com>;bob@example.org', '<[email]>;[email]'],
  ['IBAN: DE89 3704 0044 0532 0130 00.', 'IBAN: [iban].'],
  ['gb29nwbk60161331926819 or GB29 NWBK 6016 1331 9268 19', '[iban] or [iban]'],
  ['Norway has the shortest: NO9386011117947', 'Norway has the shortest: [iban]'],
  ['Malta a long one: MT84MALT011000012345MTLCAST001S', 'Malta a long one: [iban]'],
  ['Card 4111 1111 1111 1111, 5500-0000-0000-0004 and 340000000000009', 'Card [card], [card] and [card]'],
])('%s (R206)', async (words, replaced) => {
  expect(await after(all, words)).toMatchObject({ replace: replaced });
});

test.each<string>([
  'No address: ada@home, @ada, ada@.com',
  'A wrong check digit: DE88 3704 0044 0532 0130 00',
  'An order: 1234 5678 9012 3456',
  'Zeros: 0000000000000000',
  'A time: 2026-03-01T08:00:00Z and a phone: +49 30 1234567',
])('%s: nothing is replaced (R206)', async (words) => {
  expect(await after(all, words)).toBe('pass');
});

test('the reason names what was found, and quotes nothing (R206)', async () => {
  expect(await after(all, 'ada@example.com DE89370400440532013000')).toEqual({
    replace: '[email] [iban]',
    reason: 'email, iban',
  });
});

test('a call’s arguments stay JSON, and only its texts change (R206)', async () => {
  const staff = redact({ patterns: { staff: /E-\d+".*|E-\d+/s }, at: ['call'] });
  const args = JSON.stringify({ to: ['E-1', { name: 'E-2' }], cents: 41_111_111, note: 'none' });
  const said = (await after(staff, args, 'call')) as { replace: string };
  expect(JSON.parse(said.replace)).toEqual({ to: ['[staff]', { name: '[staff]' }], cents: 41_111_111, note: 'none' });
});

test('flags of a pattern count (R206)', async () => {
  const guard = redact({ patterns: { code: /^secret.end$/ims }, at: ['input'] });
  expect(await after(guard, 'a\nSECRET\nend\nb')).toMatchObject({ replace: 'a\n[code]\nb' });
});

test('a pattern that would backtrack for ages, and a long text, take a moment (R206)', async () => {
  const evil = redact({ patterns: { evil: /(a+)+$/, email: true, iban: true, card: true }, at: ['input'] });
  const began = processorMs();
  await after(evil, `${'a'.repeat(50_000)}! ${'x@y.'.repeat(10_000)} ${'1 '.repeat(50_000)}`);
  expect(processorMs() - began).toBeLessThan(5_000);
});

test.each<[object, string]>([
  [{ patterns: {}, at: ['input'] }, 'guard redact: patterns: name at least one'],
  [
    { patterns: { phone: true }, at: ['input'] },
    'guard redact: patterns.phone: there is no such pattern: the patterns are email, iban, card',
  ],
  [{ patterns: { x: 'x' }, at: ['input'] }, 'guard redact: patterns.x: must be a regular expression, or true'],
  [
    { patterns: { x: /(?<=a)b/ }, at: ['input'] },
    'guard redact: patterns.x: write it without lookaround and backreferences',
  ],
  [
    { patterns: { x: /(a)\1/ }, at: ['input'] },
    'guard redact: patterns.x: write it without lookaround and backreferences',
  ],
  [{ patterns: { x: /a*/ }, at: ['input'] }, 'guard redact: patterns.x: it fits an empty text'],
  [{ patterns: { 'A b': /a/ }, at: ['input'] }, 'guard redact: patterns.A b: use lower-case words'],
  [{ patterns: { email: true }, at: ['inputs'] }, 'guard redact: at[0]: must be "input"'],
])('%j stops the build (R206)', (options, message) => {
  expect(() => redact(options as never)).toThrow(message);
});
