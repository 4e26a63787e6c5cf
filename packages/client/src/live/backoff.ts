import { askedMs, newPauses } from '../again';

/** The pauses between attempts to connect. */
export interface Backoff {
  /** Resolves when the next attempt is due: the first at once, each further one later. @param error why the last one failed. */
  wait(error?: unknown): Promise<void>;
  /** Ends the current pause, and starts over with short ones; but not sooner than the server has asked for. */
  skip(): void;
  /** Starts over with the shortest pause, after a success. */
  reset(): void;
}

export function newBackoff(): Backoff {
  const pauses = newPauses();
  let isFirst = true;
  let asked: Promise<void> = Promise.resolve();
  let end: () => void = () => undefined;
  const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  return {
    async wait(error) {
      const askedFor = askedMs(error);
      // All of it, because the random part keeps clients apart.
      const pauseMs = isFirst ? 0 : pauses.next(error);
      if (askedFor > 0) asked = after(pauseMs);
      isFirst = false;
      await new Promise<void>((resolve) => {
        end = resolve;
        setTimeout(resolve, pauseMs);
      });
      await asked;
    },
    skip() {
      isFirst = true;
      pauses.reset();
      end();
    },
    reset: pauses.reset,
  };
}
