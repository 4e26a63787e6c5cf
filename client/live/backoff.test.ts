import { newBackoff } from './backoff';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Returns the lengths of consecutive pauses. */
async function lengths(pause: ReturnType<typeof newBackoff>, count: number): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < count; index++) {
    const begun = Date.now();
    const over = pause.wait();
    await jest.advanceTimersToNextTimerAsync();
    await over;
    all.push(Date.now() - begun);
  }
  return all;
}

test('the first attempt is made at once, the next ones after pauses that grow up to 20 seconds', async () => {
  expect((await lengths(newBackoff(1_000), 9)).slice(0, 4)).toEqual([0, 1_000, 1_700, 2_890]);
  expect((await lengths(newBackoff(1_000), 9)).at(-1)).toBe(20_000);
});

test('skip ends the current pause, and the next attempt is made at once', async () => {
  const pause = newBackoff(1_000);
  await lengths(pause, 6);
  const over = pause.wait();
  pause.skip();
  await over;
  expect(await lengths(pause, 2)).toEqual([0, 1_000]);
});

test('after a connection that held, the shortest pause is next', async () => {
  const pause = newBackoff(1_000);
  await lengths(pause, 6);
  pause.reset();
  expect(await lengths(pause, 2)).toEqual([1_000, 1_700]);
});
