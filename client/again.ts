import { RequestFailed } from './problem';

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

/**
 * Repeats a request until it is answered, because the answer of a request that was carried out may be lost. So the
 * request needs an id that makes it the same one each time.
 *
 * The pauses grow, and are random: clients that were refused at the same moment do not come back at the same moment. None is shorter than
 * the server has asked for.
 *
 * @param attempts how often it is made at most. Without it, until there is an answer.
 * @throws RequestFailed if it was rejected, and the signal's reason after an abort.
 */
export async function untilAnswered<Answer>(
  request: () => Promise<Answer>,
  signal?: AbortSignal,
  attempts = Number.POSITIVE_INFINITY,
): Promise<Answer> {
  let pauseMs = firstPauseMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof RequestFailed) || !error.passing || attempt >= attempts) throw error;
      await pause((error.retryAfterSeconds ?? 0) * 1_000 + pauseMs * (0.5 + Math.random()), signal);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
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
