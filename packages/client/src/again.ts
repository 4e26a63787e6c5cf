import { RequestFailed } from './problem';

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
/** A timer takes no more. */
const longestTimerMs = 2 ** 31 - 1;

/** The pauses between attempts: the one rule of the client and the page. */
export interface Pauses {
  /** Returns the next one, in milliseconds. @param error why the last attempt failed. */
  next(error?: unknown): number;
  /** Starts over with the shortest one, after a success. */
  reset(): void;
}

/**
 * The pauses grow, and are random: clients that were refused at the same moment do not come back at the same moment. None is shorter than
 * the server has asked for (`Retry-After`).
 */
export function newPauses(): Pauses {
  let pauseMs = firstPauseMs;
  return {
    next(error) {
      const next = askedMs(error) + pauseMs * (0.5 + Math.random());
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      return Math.min(next, longestTimerMs);
    },
    reset() {
      pauseMs = firstPauseMs;
    },
  };
}

/** Returns for how long the server asks not to be asked again. */
export const askedMs = (error: unknown): number =>
  error instanceof RequestFailed ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;

/**
 * Repeats a request until it is answered, because the answer of a request that was carried out may be lost. So the
 * request needs an id that makes it the same one each time.
 *
 * @param attempts how often it is made at most. Without it, until there is an answer.
 * @throws RequestFailed if it was rejected, and the signal's reason after an abort.
 */
export async function untilAnswered<Answer>(
  request: () => Promise<Answer>,
  signal?: AbortSignal,
  attempts = Number.POSITIVE_INFINITY,
): Promise<Answer> {
  const pauses = newPauses();
  for (let attempt = 1; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof RequestFailed) || !error.passing || attempt >= attempts) throw error;
      await pause(pauses.next(error), signal);
    }
  }
}

/** @throws the signal's reason after an abort. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal!.reason ?? new Error('aborted'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
  });
}
