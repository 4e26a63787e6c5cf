import fc from 'fast-check';
import { pauseMs, SentenceFeed } from './sentences';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A feed whose store is busy until it is released. */
function slowFeed() {
  const shown: string[] = [];
  let done = () => {};
  const feed = new SentenceFeed((text) => {
    shown.push(text);
    return new Promise((resolve) => {
      done = resolve;
    });
  });
  return { feed, shown, release: () => done() };
}

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
  const { feed, shown, release } = slowFeed();
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

describe('when the model pauses', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  test.each(['Done.', 'Done. ', '“Done!”', 'Done (at 3:30).', 'Is it “done?”', '行きます。', 'चलो।', '- milk\n'])(
    '%j is shown, though nothing follows it yet (R78)',
    async (text) => {
      const shown: string[] = [];
      const feed = new SentenceFeed(async (text) => void shown.push(text));
      feed.add(text);
      jest.advanceTimersByTime(pauseMs - 1);
      expect(shown).toEqual([]);
      jest.advanceTimersByTime(1);
      expect(shown).toEqual([text]);
      await feed.close();
    },
  );

  test('half a sentence is not shown, nor a number that still grows', async () => {
    const shown: string[] = [];
    const feed = new SentenceFeed(async (text) => void shown.push(text));
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
    expect(shown).toEqual(['One. ', 'One. Two. Three.']);
    release();
    await feed.close();
  });

  test('nothing is shown after the end', async () => {
    const shown: string[] = [];
    const feed = new SentenceFeed(async (text) => void shown.push(text));
    feed.add('Done.');
    await feed.close();
    jest.advanceTimersByTime(pauseMs);
    expect(shown).toEqual([]);
  });
});
