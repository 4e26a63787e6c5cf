/** The pauses between tries to connect. */
export interface Backoff {
  /** Resolves when the next try is due: the first at once, each further one later. */
  wait(): Promise<void>;
  /** Ends the pause that is on, and begins with short ones again. */
  skip(): void;
  /** It went well: the next pause is the shortest. */
  reset(): void;
}

const longestMs = 20_000;
const growth = 1.7;

/** @param firstMs by chance, so that not all pages of one outage come back at the same moment. */
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
