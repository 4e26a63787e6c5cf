import type { Resource } from '../template/template';

/** AWS leaves this much of the account's quota to functions without a reservation, or all of a smaller quota. */
const leastUnreserved = 100;

/**
 * Returns how many functions without a reservation may run at once, from VIGIL_LOCAL_CONCURRENCY, which stands for the account's
 * quota of concurrent executions.
 *
 * @throws Error in one line if it is no such number, or if AWS would refuse the template's reservations.
 */
export function unreservedConcurrency(
  { VIGIL_LOCAL_CONCURRENCY: text }: NodeJS.ProcessEnv,
  functions: readonly Resource[],
): number {
  if (!text) return Number.POSITIVE_INFINITY;
  if (!/^[1-9]\d{0,6}$/.test(text))
    throw new Error(`VIGIL_LOCAL_CONCURRENCY is "${text}": it must be a whole number of at least 1.`);
  const quota = Number(text);
  const reserved = functions.reduce((sum, one) => sum + (reservationOf(one) ?? 0), 0);
  const least = Math.min(quota, leastUnreserved);
  if (quota - reserved >= least) return quota - reserved;
  throw new Error(
    `The functions reserve ${reserved} of ${quota} concurrent executions, and AWS keeps ${least} unreserved: reserve less, or raise VIGIL_LOCAL_CONCURRENCY.`,
  );
}

/** The concurrency that is a function's own, and its limit. */
export const reservationOf = ({ properties }: Resource): number | undefined =>
  properties.ReservedConcurrentExecutions as number | undefined;
