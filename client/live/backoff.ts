/** The pauses between attempts to connect. */
export interface Backoff {
  /** Resolves when the next attempt is due: the first at once, each further one later. */
  wait(): Promise<void>;
  /** Ends the current pause, and starts over with short ones. */
  skip(): void;
  /** Starts over with the shortest pause, after a success. */
  reset(): void;
}

const longestMs = 20_000;
const growth = 1.7;

/**
 * @param firstMs random, so that pages do not all reconnect at the same moment after an outage.
 */
export function newBackoff(firstMs = 400 + Math.random() * 600): Backoff {
  let tries = 0;
  let end: () => void = () => undefined;
  return {
    wait() {
      const pauseMs = tries === 0 ? 0 : Math.min(longestMs, Math.round(firstMs * growth ** (tries - 1)));
      tries += 1;
      return new Promise((resolve) => {
        end = resolve;
        setTimeout(resolve, pauseMs);
      });
    },
    skip() {
      tries = 0;
      end();
    },
    reset() {
      tries = 1;
    },
  };
}
