import fc from 'fast-check';
import { SentenceFeed } from './sentences';

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('text is shown when a sentence is finished, not before (R78)', async () => {
  const shown: string[] = [];
  const feed = new SentenceFeed(async (text) => void shown.push(text));
  for (const piece of ['Kyoto ', 'is fine. ', 'Go in ', 'May, if ', 'you can! Then', ' stay.']) {
    feed.add(piece);
    await settle();
  }
  await feed.close();
  expect(shown).toEqual(['Kyoto is fine. ', 'Kyoto is fine. Go in May, if you can! ']);
});

test('each text shown is a longer beginning of the whole, however it is cut into pieces (R78)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'B', '. ', '! ', '\n', 'é', '。', '…', ' ') })),
      async (pieces) => {
        const shown: string[] = [];
        const feed = new SentenceFeed(async (text) => void shown.push(text));
        for (const piece of pieces) {
          feed.add(piece);
          await settle();
        }
        await feed.close();
        const whole = pieces.join('');
        shown.forEach((text, index) => {
          expect(whole.startsWith(text)).toBe(true);
          expect(text.length).toBeGreaterThan(shown[index - 1]?.length ?? 0);
        });
      },
    ),
    { numRuns: 200 },
  );
});

test('a slow store gets the latest text next, one at a time', async () => {
  const shown: string[] = [];
  let release = () => {};
  const feed = new SentenceFeed((text) => {
    shown.push(text);
    return new Promise((resolve) => {
      release = resolve;
    });
  });
  for (const piece of ['One. ', 'Two. ', 'Three. ', 'Four. ']) feed.add(piece);
  expect(shown).toEqual(['One. ']);
  release();
  await settle();
  // The fourth sentence may still grow.
  expect(shown).toEqual(['One. ', 'One. Two. Three. ']);
  feed.add('Five. ');
  release();
  await settle();
  expect(shown.at(-1)).toBe('One. Two. Three. Four. ');
  release();
  await feed.close();
});
