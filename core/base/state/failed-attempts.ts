import * as z from 'zod';
import { clip } from '../text/clip';

/** An attempt that failed, of a tool call, of undoing one, or at a step's model call. */
export const FailedAttempt = z.object({
  /** From 1. */
  attempt: z.number().int(),
  startedAt: z.iso.datetime().optional(),
  /** Absent if its process died: nobody has seen the end. */
  endedAt: z.iso.datetime().optional(),
  /** The failure, in words for people. */
  error: z.string(),
  /** The time by which the next attempt begins. Absent if none follows. */
  retryBy: z.iso.datetime().optional(),
});
export type FailedAttempt = z.infer<typeof FailedAttempt>;

/** The rule by which Step Functions retries a Task: exponential backoff with full jitter. */
export interface Retry {
  /** Attempts after the first one. */
  maxAttempts: number;
  intervalSeconds: number;
  backoffRate: number;
  maxDelaySeconds: number;
}

/**
 * The retry of what AWS throttles: for four hours on average, eight at most. Each attempt adds three events to the execution's
 * history, of which a segment's budget takes account (`eventsOfStep`).
 */
export const throttledRetry: Retry = { maxAttempts: 40, intervalSeconds: 2, backoffRate: 2, maxDelaySeconds: 900 };

/** The retry of a function that crashed, timed out or could not be reached. */
export const outageRetry: Retry = { maxAttempts: 6, intervalSeconds: 2, backoffRate: 2, maxDelaySeconds: 60 };

/** The retry of a guard that does not answer. A reply that it could not check may have been paid. */
export const guardRetry: Retry = { maxAttempts: 2, intervalSeconds: 2, backoffRate: 2, maxDelaySeconds: 10 };

/** The retry of a due timer, and of the choice of the next effect to undo: both outlast an outage of a day. */
export const patientRetry: Retry = { maxAttempts: 30, intervalSeconds: 2, backoffRate: 2, maxDelaySeconds: 3_600 };

/** The errors for a lack of capacity, of AWS or of a function that met it elsewhere. Lambda rejects such an invocation before it runs. */
export const throttledErrors: readonly string[] = [
  'Lambda.TooManyRequestsException',
  'Lambda.EC2ThrottledException',
  'Lambda.ENILimitReachedException',
  'Throttled',
  'ConversationBusy',
];

/**
 * @param retry how the attempt is made again; undefined if it is not.
 * @param throttled how many of the attempts AWS has throttled, for which `retry` does not count.
 * @param notBefore the end of a pause that a server has asked for.
 */
export function attemptFailed(
  {
    retry,
    throttled = 0,
    notBefore = '',
    ...failed
  }: Pick<FailedAttempt, 'attempt' | 'startedAt' | 'error'> & { retry?: Retry; throttled?: number; notBefore?: string },
  now: Date,
): FailedAttempt {
  const next = retry && retryBy(retry, failed.attempt - throttled, now);
  return { ...failed, endedAt: now.toISOString(), retryBy: next && (next > notBefore ? next : notBefore) };
}

/** A tool does not wait longer for the server that it uses: the model is told when it may be asked again. */
const longestPauseMs = 3_600_000;

/** Returns the end of the pause that a server has asked a tool for; undefined if there is none. */
export function pauseIn(error: Error, now: Date): { until: string; isTooLong: boolean } | undefined {
  const { notBefore } = error as { notBefore?: unknown };
  // Code of an author has made the error.
  if (!(notBefore instanceof Date) || !(notBefore.getTime() > now.getTime())) return undefined;
  return { until: notBefore.toISOString(), isTooLong: notBefore.getTime() - now.getTime() > longestPauseMs };
}

const kept = 10;
const errorBytes = 300;

/** Adds a failed attempt. A row keeps the latest ones, in few words. */
export const withFailed = (before: readonly FailedAttempt[] | undefined, failed: FailedAttempt): FailedAttempt[] => [
  ...(before ?? []).slice(1 - kept),
  { ...failed, error: clip(failed.error, { bytes: errorBytes }) },
];

/**
 * Returns when the attempt after this one begins, at the latest; undefined if none follows. The pauses begin anew when the run is retried,
 * and the attempts are counted on.
 */
export function retryBy(
  { maxAttempts, intervalSeconds, backoffRate, maxDelaySeconds }: Retry,
  attempt: number,
  now: Date,
): string | undefined {
  const nth = (attempt - 1) % (maxAttempts + 1);
  if (nth === maxAttempts) return undefined;
  const seconds = Math.min(maxDelaySeconds, intervalSeconds * backoffRate ** nth);
  return new Date(now.getTime() + seconds * 1_000).toISOString();
}
