import { serverClock } from './server-clock';

const day = 86_400_000;
const real = Date.parse('2026-11-25T12:00:00Z');
const dateAt = (at: number) => new Date(at).toUTCString();

beforeEach(() => jest.useFakeTimers({ now: real }));
afterEach(() => jest.useRealTimers());

test.each([day, -day, 5_000, -3_600_000])('a clock that is %d ms off shows the server’s time (R153)', (off) => {
  const changed = jest.fn();
  const clock = serverClock(changed);
  jest.setSystemTime(real + off);
  clock.heard(dateAt(real), Date.now() - 80);
  expect(Math.abs(clock.now() - real)).toBeLessThan(1_000);
  clock.heard(dateAt(real + 700), Date.now() - 80);
  expect(changed).toHaveBeenCalledTimes(1);
  // It is put right.
  jest.setSystemTime(real);
  clock.heard(dateAt(real), Date.now() - 80);
  expect(clock.now()).toBe(real);
});

test('a clock that is right stays as it is, and answers that say nothing change nothing (R153)', () => {
  const changed = jest.fn();
  const clock = serverClock(changed);
  for (const date of [dateAt(real), dateAt(real - 900), null, '', 'soon']) clock.heard(date, Date.now() - 300);
  // The answer took a minute, or the clock was moved meanwhile.
  clock.heard(dateAt(real - day), Date.now() - 60_000);
  clock.heard(dateAt(real - day), Date.now() + 60_000);
  expect([clock.now(), changed.mock.calls]).toEqual([real, []]);
});
