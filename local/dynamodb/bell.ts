/** Wakes who waits for news, and without a ring from time to time. */
export interface Bell {
  ring(): void;
  /** Whether somebody waits, and nobody has rung. */
  silent(): boolean;
  /** Forgets earlier rings: to be called before a look, since a ring during the look must lead to another one. */
  clear(): void;
  /** Resolves at the next ring since `clear`, or after a second. */
  wait(signal: AbortSignal): Promise<void>;
}

const pollMs = 1_000;

export function newBell(): Bell {
  let rung = false;
  let wake: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    silent: () => wake !== undefined && !rung,
    ring() {
      rung = true;
      wake?.();
    },
    clear() {
      rung = false;
    },
    async wait(signal) {
      if (rung) return;
      if (signal.aborted) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, pollMs);
        signal.addEventListener('abort', resolve as () => void);
      });
      signal.removeEventListener('abort', wake!);
      clearTimeout(timer);
      wake = undefined;
    },
  };
}
