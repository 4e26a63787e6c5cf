import type { Quiet } from './quiet';

/**
 * Counts the writes to the tables, so that a program that waits for something need not poll: it reads, and when what it
 * wants is not there, it waits here for the next write.
 */
export interface Changes {
  /** To be called after each write. */
  written(): void;
  /**
   * Resolves with the number of writes so far, once there are more than `after` and the functions that they set to work
   * have had a moment to finish; at the latest after `withinMs`.
   */
  wait(after: number, withinMs: number): Promise<number>;
}

/** A chain of functions writes several times: who waits for its end is served once, not for each of them. */
const gatherMs = 250;

export function openChanges(quiet: Quiet): Changes {
  let writes = 0;
  const waiting = new Set<() => void>();

  return {
    written() {
      writes += 1;
      for (const wake of waiting) wake();
    },
    async wait(after, withinMs) {
      if (writes <= after) await nextWrite(withinMs);
      if (writes > after) await quiet(gatherMs);
      return writes;
    },
  };

  function nextWrite(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, withinMs);
      waiting.add(wake);
    });
  }
}
