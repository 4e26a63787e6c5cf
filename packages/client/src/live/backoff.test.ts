import { RequestFailed } from '../problem';
import { newBackoff } from './backoff';

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

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

test('the first attempt is made at once, the next ones after pauses that grow up to 30 seconds', async () => {
  expect((await lengths(newBackoff(), 9)).slice(0, 4)).toEqual([0, 1_000, 2_000, 4_000]);
  expect((await lengths(newBackoff(), 9)).at(-1)).toBe(30_000);
});

test('skip ends the current pause, and the next attempt is made at once', async () => {
  const pause = newBackoff();
  await lengths(pause, 6);
  const over = pause.wait();
  pause.skip();
  await over;
  expect(await lengths(pause, 2)).toEqual([0, 1_000]);
});

test('after a connection that held, the shortest pause is next', async () => {
  const pause = newBackoff();
  await lengths(pause, 6);
  pause.reset();
  expect(await lengths(pause, 2)).toEqual([1_000, 2_000]);
});

test('no attempt comes before the server has asked for it, also when it is to be made at once (R198)', async () => {
  const pause = newBackoff();
  const begun = Date.now();
  await lengths(pause, 1);
  void pause.wait(new RequestFailed(503, 'Busy', undefined, 20));
  await jest.advanceTimersByTimeAsync(3_000);
  pause.skip();
  let ended = 0;
  void pause.wait().then(() => {
    ended = Date.now() - begun;
  });
  await jest.advanceTimersByTimeAsync(40_000);
  expect(ended).toBe(21_000);
});
