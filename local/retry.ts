import { setTimeout as sleep } from 'node:timers/promises';

/** Backoff in real time, because failures on this machine recover at its pace, however far the clock was moved. */
export interface Backoff {
  attempts: number;
  firstDelayMs: number;
  maxDelayMs: number;
}

/**
 * Calls `attempt` until it resolves, at most `attempts` times. Rejects with the last error, or at once when aborted.
 */
export async function retry<T>(backoff: Backoff, signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
  let delay = backoff.firstDelayMs;
  for (let left = backoff.attempts - 1; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left <= 0 || signal.aborted) throw error;
    }
    await sleep(delay, undefined, { signal });
    delay = Math.min(delay * 2, backoff.maxDelayMs);
  }
}
