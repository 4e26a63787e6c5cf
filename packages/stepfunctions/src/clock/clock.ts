/**
 * The time that the whole local cloud reads: Wait states, timeouts, timers, the functions' `Date`, token expiry.
 *
 * Time is milliseconds since the epoch (UTC). It runs at the machine's pace plus an offset that can grow, so three
 * weeks can pass in a test.
 */
export interface Clock {
  now(): number;
  /** Calls `wake` once, when `now() >= time`, also if the clock is moved past it. Never calls it synchronously. */
  at(time: number, wake: () => void): Alarm;
}

export interface Alarm {
  cancel(): void;
}
