import { covers, type Failure } from '../language/errors';
import type { JsonObject } from '../language/json';
import type { Random } from '../language/random';

/** Section "Retrying after error". Times in seconds. */
export interface Retrier {
  readonly errorEquals: readonly string[];
  readonly interval: number;
  readonly maxAttempts: number;
  readonly backoffRate: number;
  readonly maxDelay: number;
  readonly jitter: boolean;
}

export function compileRetriers(list: JsonObject[] | undefined): Retrier[] {
  return (list ?? []).map((fields) => ({
    errorEquals: fields.ErrorEquals as string[],
    interval: (fields.IntervalSeconds as number | undefined) ?? 1,
    maxAttempts: (fields.MaxAttempts as number | undefined) ?? 3,
    backoffRate: (fields.BackoffRate as number | undefined) ?? 2,
    maxDelay: (fields.MaxDelaySeconds as number | undefined) ?? Number.POSITIVE_INFINITY,
    jitter: fields.JitterStrategy === 'FULL',
  }));
}

/**
 * The first retrier that covers the failure decides. It counts its use in `attempts`.
 * @returns the milliseconds to wait before the next attempt, or undefined where there is none
 */
export function nextAttempt(
  retriers: readonly Retrier[],
  attempts: number[],
  failure: Failure,
  random: Random,
): number | undefined {
  const found = retriers.findIndex(({ errorEquals }) => covers(errorEquals, failure));
  const retrier = retriers[found];
  if (retrier === undefined) return undefined;
  const used = attempts[found] ?? 0;
  if (used >= retrier.maxAttempts) return undefined;
  attempts[found] = used + 1;
  const seconds = nextDelay(retrier, used);
  return (retrier.jitter ? seconds * random.next() : seconds) * 1000;
}

/** The seconds before the next attempt where the retrier has been used so often, without jitter. */
export const nextDelay = ({ interval, backoffRate, maxDelay }: Retrier, used: number): number =>
  Math.min(interval * backoffRate ** used, maxDelay);
