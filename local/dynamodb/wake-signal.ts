/** Wakes a waiting loop, by a signal or after a second without one. */
export interface WakeSignal {
  wake(): void;
  /** Whether the loop is waiting and there was no signal since. */
  isIdle(): boolean;
  /** Clears earlier signals. Call it before a read, so that a signal during the read leads to another one. */
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
