import fc from 'fast-check';
import { clip, clipStart, isWellFormed, wellFormed } from './clip';

const graphemesOf = (text: string) => [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)];
/** Ends of graphemes that are no longer than characters of a script. */
const endsOf = (text: string) =>
  new Set(
    graphemesOf(text)
      .map(({ index }) => index)
      .concat(text.length),
  );

/** What is easily cut in two: pairs, joined emoji, flags, marks, a line break of two characters. */
const hardText = fc
  .array(
    fc.constantFrom(
      'a',
      ' ',
      '\r\n',
      'é',
      'e\u0301',
      '€',
      '😀',
      '👨‍👩‍👧‍👦',
      '🇫🇷',
      '🏳️‍🌈',
      '각',
      'नि',
      '\u200d',
      '\ufe0f',
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));
const anyUnits = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) });

test('a text is clipped to its bytes, and never in the middle of a character (R191)', () => {
  expect(clip('aé€😀', { bytes: 100 })).toBe('aé€😀');
  const ends = [0, 1, 2, 3, 5, 6, 9, 10].map((bytes) => clip('aé€😀', { bytes }));
  expect(ends).toEqual(['', 'a', 'a', 'aé', 'aé', 'aé€', 'aé€', 'aé€😀']);
});

test('a clipped text ends where a character ends, within its limit and with its ending (R191)', () => {
  fc.assert(
    fc.property(hardText, fc.nat(60), fc.boolean(), fc.constantFrom('', '…'), (text, most, inBytes, ending) => {
      const clipped = clip(text, inBytes ? { bytes: most } : { characters: most }, ending);
      const size = (one: string) => (inBytes ? Buffer.byteLength(one) : one.length);
      if (size(text) <= most) return expect(clipped).toBe(text);
      expect(size(clipped)).toBeLessThanOrEqual(Math.max(most, size(ending)));
      expect(clipped.endsWith(ending)).toBe(true);
      const kept = clipped.slice(0, clipped.length - ending.length);
      expect(text.startsWith(kept)).toBe(true);
      expect(endsOf(text)).toContain(kept.length);
    }),
  );
});

test('the end of a text begins where a character begins (R191)', () => {
  expect(clipStart('ab👨‍👩‍👧‍👦c', 2)).toBe('c');
  fc.assert(
    fc.property(hardText, fc.nat(60), (text, most) => {
      const kept = clipStart(text, most);
      expect(kept.length).toBeLessThanOrEqual(most);
      expect(text.endsWith(kept)).toBe(true);
      expect(endsOf(text)).toContain(text.length - kept.length);
    }),
  );
});

test('whatever is clipped is well-formed, also a text that was not (R191)', () => {
  expect(clip('hi \ud83d', { characters: 10 })).toBe('hi \ufffd');
  fc.assert(
    fc.property(anyUnits, fc.nat(20), (text, most) => {
      for (const one of [wellFormed(text), clip(text, { characters: most }), clip(text, { bytes: most })]) {
        expect(isWellFormed(one)).toBe(true);
        expect(Buffer.from(one).toString()).toBe(one);
      }
      expect(wellFormed(text)).toHaveLength(text.length);
      if (isWellFormed(text)) expect(wellFormed(text)).toBe(text);
    }),
  );
});

test('an endless character is cut between code points, so that something is kept (R191)', () => {
  const endless = `a${'\u0301'.repeat(5_000)}`;
  expect(clip(endless, { characters: 60 })).toHaveLength(60);
  expect(clip(`👨${'\u200d👨'.repeat(5_000)}`, { characters: 62 })).toBe(`👨${'\u200d👨'.repeat(20)}`);
});

test('halves and NUL are replaced, and nothing else (R191)', () => {
  expect(wellFormed('\ud83d\ude00 \ude00\ud83d \0 \x1b[1m\t\r\n')).toBe('😀 \ufffd\ufffd \ufffd \x1b[1m\t\r\n');
  expect(['😀', 'a', ''].map(isWellFormed)).toEqual([true, true, true]);
  expect(['\ude00', 'a\ud83d', '\0'].map(isWellFormed)).toEqual([false, false, false]);
});
