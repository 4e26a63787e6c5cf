import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves once nothing has been at work for a moment, or after so many milliseconds. */
export type Quiet = (withinMs: number) => Promise<void>;

/** Between two tasks of an execution nothing is at work either: quiet is what lasts a few looks. */
const looks = 4;
const lookMs = 5;

export function openQuiet(isAtRest: () => boolean): Quiet {
  return async (withinMs) => {
    const end = performance.now() + withinMs;
    for (let calm = 0; calm < looks && performance.now() < end; ) {
      calm = isAtRest() ? calm + 1 : 0;
      await sleep(lookMs);
    }
  };
}
