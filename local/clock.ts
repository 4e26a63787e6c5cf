/**
 * The time that everything local reads: Wait states, timeouts, timers, the Lambdas' `Date`, token expiry.
 *
 * Time is milliseconds since the epoch (UTC). It runs at the machine's pace plus an offset that can grow, so that
 * three weeks can pass in a test.
 */
export interface Clock {
  now(): number;
  /** Calls `wake` once, as soon as `now() >= time`, also when the clock is moved past it. Never calls it synchronously. */
  at(time: number, wake: () => void): Alarm;
}

export interface Alarm {
  cancel(): void;
}
