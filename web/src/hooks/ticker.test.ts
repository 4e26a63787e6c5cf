import { openTicker } from './ticker';

beforeEach(() => jest.useFakeTimers({ now: 1_000_000 }));
afterEach(() => jest.useRealTimers());

test('subscribers with the same interval share one timer, which stops without subscribers', () => {
  const { subscribe, now } = openTicker(10_000);
  const heard: string[] = [];
  const leave = ['a', 'b'].map((name) => subscribe(() => heard.push(name)));
  expect(jest.getTimerCount()).toBe(1);
  jest.advanceTimersByTime(9_999);
  expect([now(), heard]).toEqual([1_000_000, []]);
  jest.advanceTimersByTime(1);
  expect([now(), heard]).toEqual([1_010_000, ['a', 'b']]);
  for (const go of leave) go();
  expect(jest.getTimerCount()).toBe(0);
  jest.advanceTimersByTime(60_000);
  const stop = subscribe(() => undefined);
  expect(now()).toBe(1_070_000);
  stop();
});
