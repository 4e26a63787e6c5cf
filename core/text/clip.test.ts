import fc from 'fast-check';
import { clip } from './clip';

test('a text is clipped to its bytes, and never in the middle of a character', () => {
  expect(clip('aé€😀', 100)).toBe('aé€😀');
  expect([0, 1, 2, 3, 5, 6, 9, 10].map((bytes) => clip('aé€😀', bytes))).toEqual([
    '',
    'a',
    'a',
    'aé',
    'aé',
    'aé€',
    'aé€',
    'aé€😀',
  ]);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(50), (text, bytes) => {
      const clipped = clip(text, bytes);
      expect(Buffer.byteLength(clipped)).toBeLessThanOrEqual(bytes);
      expect(text.startsWith(clipped)).toBe(true);
    }),
  );
});
