import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves once nothing has run for a moment, after this many milliseconds, or when the signal aborts. */
export type Quiet = (withinMs: number, signal?: AbortSignal) => Promise<void>;

/** Nothing runs between two tasks of an execution either, so quiet must last for several checks. */
const looks = 4;
const lookMs = 5;

export function openQuiet(isAtRest: () => boolean): Quiet {
  return async (withinMs, signal) => {
    const end = performance.now() + withinMs;
    for (let calm = 0; calm < looks && performance.now() < end && !signal?.aborted; ) {
      calm = isAtRest() ? calm + 1 : 0;
      await sleep(lookMs);
    }
  };
}
