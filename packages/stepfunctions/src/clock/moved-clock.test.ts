import { movedClock } from './moved-clock';

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('the moved clock', () => {
  test('wakes due alarms in the order of their times, each at or after its time', () => {
    const clock = movedClock();
    const start = clock.now();
    const woken: string[] = [];
    for (const [name, after] of [
      ['third', 30_000],
      ['first', 10_000],
      ['second', 20_000],
      ['far', 90_000],
    ] as const) {
      clock.at(start + after, () => {
        expect(clock.now()).toBeGreaterThanOrEqual(start + after);
        woken.push(name);
      });
    }
    clock.advance(30_500);
    expect(woken).toEqual(['first', 'second', 'third']);
    expect(clock.offset()).toBe(30_500);
    clock.stop();
  });

  test('never wakes synchronously, even if the time has passed', async () => {
    const clock = movedClock();
    let woken = false;
    clock.at(clock.now() - 1, () => {
      woken = true;
    });
    expect(woken).toBe(false);
    await settled();
    expect(woken).toBe(true);
  });

  test('a cancelled alarm never wakes', async () => {
    const clock = movedClock();
    let woken = 0;
    const alarm = clock.at(clock.now() + 5, () => {
      woken += 1;
    });
    alarm.cancel();
    clock.advance(1_000);
    await settled();
    expect(woken).toBe(0);
  });

  test('an alarm set by an alarm that is already due wakes in the same move', () => {
    const clock = movedClock();
    const start = clock.now();
    let woken = false;
    clock.at(start + 1_000, () =>
      clock.at(start + 2_000, () => {
        woken = true;
      }),
    );
    clock.advance(3_000);
    expect(woken).toBe(true);
  });

  test('waits longer than setTimeout allows', async () => {
    const clock = movedClock();
    let woken = false;
    clock.at(clock.now() + 3 * 365 * 86_400_000, () => {
      woken = true;
    });
    await settled();
    expect(woken).toBe(false);
    clock.advance(3 * 365 * 86_400_000);
    expect(woken).toBe(true);
  });

  test('holds 100,000 alarms, and cancels them', () => {
    const clock = movedClock();
    const start = clock.now();
    let woken = 0;
    const alarms = Array.from({ length: 100_000 }, (_, i) =>
      clock.at(start + 1_000 + ((i * 7919) % 100_000), () => {
        woken += 1;
      }),
    );
    for (const alarm of alarms.slice(0, 80_000)) alarm.cancel();
    clock.advance(200_000);
    expect(woken).toBe(20_000);
  });

  test('tells its earliest alarm, of those that are not cancelled (R249)', () => {
    const clock = movedClock();
    const start = clock.now();
    expect(clock.next()).toBeUndefined();
    const first = clock.at(start + 10_000, () => undefined);
    clock.at(start + 20_000, () => clock.at(start + 30_000, () => undefined));
    expect(clock.next()).toBe(start + 10_000);
    first.cancel();
    expect(clock.next()).toBe(start + 20_000);
    clock.advance(20_000);
    expect(clock.next()).toBe(start + 30_000);
    clock.advance(10_000);
    expect(clock.next()).toBeUndefined();
  });

  test('does not run backwards', () => {
    expect(() => movedClock().advance(-1)).toThrow(RangeError);
  });
});
