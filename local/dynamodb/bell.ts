import { setTimeout as sleep } from 'node:timers/promises';

/** Wakes who waits for news, and without a ring from time to time. */
export interface Bell {
  ring(): void;
  /** Forgets earlier rings: to be called before a look, since a ring during the look must lead to another one. */
  clear(): void;
  /** Resolves at the next ring since `clear`, or after a second. */
  wait(signal: AbortSignal): Promise<void>;
}

const POLL_MS = 1_000;

export function newBell(): Bell {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      wake?.();
    },
    clear() {
      rung = false;
    },
    async wait(signal) {
      if (rung) return;
      const done = new AbortController();
      const ring = new Promise<void>((resolve) => {
        wake = resolve;
      });
      await Promise.race([
        ring,
        sleep(POLL_MS, undefined, { signal: AbortSignal.any([done.signal, signal]) }).catch(() => undefined),
      ]);
      wake = undefined;
      done.abort();
    },
  };
}
