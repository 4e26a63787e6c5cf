import { oneAtATime } from './one-at-a-time';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Work that takes 100 ms, and the start and the end of each run. */
function given() {
  const begun: number[] = [];
  const done: number[] = [];
  const start = Date.now();
  const ask = oneAtATime(async () => {
    begun.push(Date.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 100));
    done.push(Date.now() - start);
  }, 300);
  return { ask, begun, done };
}

test('a request runs at once; further ones lead to one more run after a pause', async () => {
  const { ask, begun, done } = given();
  for (let times = 0; times < 3; times++) ask();
  await jest.advanceTimersByTimeAsync(2_000);
  expect([begun, done]).toEqual([
    [0, 400],
    [100, 500],
  ]);
  ask();
  await jest.advanceTimersByTimeAsync(2_000);
  expect(begun).toEqual([0, 400, 2_000]);
});

test('with constant requests, it runs repeatedly', async () => {
  const { ask, done } = given();
  for (let times = 0; times < 40; times++) {
    ask();
    await jest.advanceTimersByTimeAsync(50);
  }
  expect(done).toEqual([100, 500, 900, 1_300, 1_700]);
});
