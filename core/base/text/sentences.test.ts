import fc from 'fast-check';
import { pauseMs, SentenceFeed } from './sentences';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A feed and the pieces that it showed. */
function newFeed() {
  const shown: string[] = [];
  const places: number[] = [];
  const feed = new SentenceFeed(async (piece, from) => {
    places.push(from);
    return shown.push(piece) > 0;
  });
  return { feed, shown, places };
}

/** A feed whose store is busy until it is released. */
function slowFeed() {
  const shown: string[] = [];
  let done: (isShown: boolean) => void = () => {};
  const feed = new SentenceFeed((piece) => {
    shown.push(piece);
    return new Promise((resolve) => {
      done = resolve;
    });
  });
  return { feed, shown, release: (isShown = true) => done(isShown) };
}

test('text is shown when a sentence is finished, not before (R78)', async () => {
  const { feed, shown } = newFeed();
  for (const piece of ['Kyoto ', 'is fine. ', 'Go in ', 'May, if ', 'you can! Then', ' stay.']) {
    feed.add(piece);
    await settle();
  }
  await feed.close();
  expect(shown).toEqual(['Kyoto is fine. ', 'Go in May, if you can! ']);
});

test('the pieces shown make a beginning of the whole, however it arrives (R78)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'B', '. ', '! ', '\n', 'é', '。', '…', ' ') })),
      async (pieces) => {
        const { feed, shown, places } = newFeed();
        for (const piece of pieces) {
          feed.add(piece);
          await settle();
        }
        await feed.close();
        expect(pieces.join('').startsWith(shown.join(''))).toBe(true);
        expect(places).toEqual(shown.map((_, index) => shown.slice(0, index).join('').length));
        expect(shown).not.toContain('');
      },
    ),
    { numRuns: 200 },
  );
});

test('a slow store gets the latest text next, one at a time', async () => {
  const { feed, shown, release } = slowFeed();
  for (const piece of ['One. ', 'Two. ', 'Three. ', 'Four. ']) feed.add(piece);
  expect(shown).toEqual(['One. ']);
  release();
  await settle();
  // The fourth sentence may still grow.
  expect(shown).toEqual(['One. ', 'Two. Three. ']);
  feed.add('Five. ');
  release();
  await settle();
  expect(shown.at(-1)).toBe('Four. ');
  release();
  await feed.close();
});

test('after one that is not stored there is no piece, so none is missing between two', async () => {
  const { feed, shown, release } = slowFeed();
  for (const piece of ['One. ', 'Two. ', 'Three. ']) feed.add(piece);
  release(false);
  await settle();
  feed.add('Four. ');
  await feed.close();
  expect(shown).toEqual(['One. ']);
});

test('a piece never ends within a character', async () => {
  const { feed, shown } = newFeed();
  feed.add(`${'a'.repeat(3_999)}${'😀'.repeat(3_000)}. And.`);
  await settle();
  await feed.close();
  expect(shown.map((piece) => piece.length)).toEqual([3_999, 4_000, 2_002]);
  expect(shown.every((piece) => Buffer.from(piece).toString() === piece)).toBe(true);
});

describe('when the model pauses', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  test.each(['Done.', 'Done. ', '“Done!”', 'Done (at 3:30).', 'Is it “done?”', '行きます。', 'चलो।', '- milk\n'])(
    '%j is shown, though nothing follows it yet (R78)',
    async (text) => {
      const { feed, shown } = newFeed();
      feed.add(text);
      jest.advanceTimersByTime(pauseMs - 1);
      expect(shown).toEqual([]);
      jest.advanceTimersByTime(1);
      expect(shown).toEqual([text]);
      await feed.close();
    },
  );

  test('half a sentence is not shown, nor a number that still grows', async () => {
    const { feed, shown } = newFeed();
    feed.add('It costs 3.');
    jest.advanceTimersByTime(pauseMs - 1);
    feed.add('50 euros, and');
    jest.advanceTimersByTime(pauseMs * 10);
    expect(shown).toEqual([]);
    await feed.close();
  });

  test('what a pause has finished is shown after a slow write', async () => {
    const { feed, shown, release } = slowFeed();
    for (const piece of ['One. ', 'Two. ', 'Three.']) feed.add(piece);
    jest.advanceTimersByTime(pauseMs);
    expect(shown).toEqual(['One. ']);
    release();
    await settle();
    expect(shown).toEqual(['One. ', 'Two. Three.']);
    release();
    await feed.close();
  });

  test('nothing is shown after the end', async () => {
    const { feed, shown } = newFeed();
    feed.add('Done.');
    await feed.close();
    jest.advanceTimersByTime(pauseMs);
    expect(shown).toEqual([]);
  });
});
