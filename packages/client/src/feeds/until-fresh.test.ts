import { untilFresh } from './until-fresh';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Work that takes 100 ms and a pause of 300 ms, and the start and the end of each run. */
function given() {
  const begun: number[] = [];
  const done: number[] = [];
  const start = Date.now();
  const ask = untilFresh(async () => {
    begun.push(Date.now() - start);
    await after(100);
    done.push(Date.now() - start);
    await after(300);
  });
  return { ask, begun, done };
}

test('a request runs at once; further ones lead to one more run after it', async () => {
  const { ask, begun, done } = given();
  for (let times = 0; times < 3; times++) void ask();
  await jest.advanceTimersByTimeAsync(2_000);
  expect([begun, done]).toEqual([
    [0, 400],
    [100, 500],
  ]);
  void ask();
  await jest.advanceTimersByTimeAsync(2_000);
  expect(begun).toEqual([0, 400, 2_000]);
});

test('with constant requests, it runs repeatedly', async () => {
  const { ask, done } = given();
  for (let times = 0; times < 40; times++) {
    void ask();
    await jest.advanceTimersByTimeAsync(50);
  }
  expect(done).toEqual([100, 500, 900, 1_300, 1_700]);
});

test.each([0, 1, 2, 3, 4, 5, 6])('no request is lost as the work ends: after %i turns', async (turns) => {
  const events: string[] = [];
  const ask = untilFresh(async () => {
    events.push('begins');
    await Promise.resolve();
  });
  const first = ask();
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
  events.push('asked');
  await Promise.all([first, ask()]);
  expect(events).toEqual(['begins', 'asked', 'begins']);
});

test('after a failure, which its requests get, the next request runs', async () => {
  const work = jest.fn().mockRejectedValueOnce(new Error('no')).mockResolvedValue(undefined);
  const ask = untilFresh(work);
  await expect(ask()).rejects.toThrow('no');
  await ask();
  expect(work).toHaveBeenCalledTimes(2);
});
