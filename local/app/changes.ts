import type { Quiet } from './quiet';

/**
 * Counts writes to the tables, so that a waiting program does not have to poll: it reads, and if the result is not
 * there, it waits for the next write.
 */
export interface Changes {
  /** Call after each write. */
  written(): void;
  /**
   * Resolves with the number of writes so far, once there are more than `after` and the functions that they triggered
   * have had a moment to finish; after `withinMs` at the latest.
   */
  wait(after: number, withinMs: number): Promise<number>;
}

/** A chain of functions writes several times. This gathers the writes into one response. */
const gatherMs = 1_000;

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
