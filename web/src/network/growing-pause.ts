/** The pauses between tries to connect. */
export interface GrowingPause {
  /** Resolves when the next try is due: the first at once, each further one later. */
  over(): Promise<void>;
  /** Ends the pause that is on, and begins with short ones again. */
  hurry(): void;
  /** It went well: the next pause is the shortest. */
  shrink(): void;
}

const longestMs = 20_000;
const growth = 1.7;

/** @param firstMs by chance, so that not all pages of one outage come back at the same moment. */
export function growingPause(firstMs = 400 + Math.random() * 600): GrowingPause {
  let tries = 0;
  let end: () => void = () => undefined;
  return {
    over() {
      const pauseMs = tries === 0 ? 0 : Math.min(longestMs, Math.round(firstMs * growth ** (tries - 1)));
      tries += 1;
      return new Promise((resolve) => {
        end = resolve;
        setTimeout(resolve, pauseMs);
      });
    },
    hurry() {
      tries = 0;
      end();
    },
    shrink() {
      tries = 1;
    },
  };
}
