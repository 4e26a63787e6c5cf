/** Wakes who waits for news, and without a signal from time to time. */
export interface WakeSignal {
  wake(): void;
  /** Whether somebody waits, and there was no signal since. */
  isIdle(): boolean;
  /** Forgets earlier signals. Call it before a look, since a signal during the look must lead to another one. */
  clear(): void;
  /** Resolves at the next signal since `clear`, or after a second. */
  wait(signal: AbortSignal): Promise<void>;
}

const pollMs = 1_000;

export function newWakeSignal(): WakeSignal {
  let signalled = false;
  let wake: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    isIdle: () => wake !== undefined && !signalled,
    wake() {
      signalled = true;
      wake?.();
    },
    clear() {
      signalled = false;
    },
    async wait(signal) {
      if (signalled) return;
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
