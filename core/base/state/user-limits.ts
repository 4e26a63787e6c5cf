/**
 * The limits of a user: the variables that set some of them, and what a deployment has that sets none. No person reaches those; a loop or a
 * flood does. This file has no imports, because the CDK app reads it too.
 */

/** A day's limits where a deployment sets none. No person reaches them in a day; a loop does. */
export const defaultDay = { steps: 3_000, tokens: 10_000_000, costMicrodollars: 20_000_000 };

/** The part of a user's day and month, in percent, after which runs of the conversations that they share stop, and the variable that sets it. */
export const sharedPercent = { variable: 'VIGIL_SHARED_PERCENT', most: 50 };

/** The variables that set what a user may spend. */
export const spendingVariables = {
  month: { costMicrodollars: 'VIGIL_MAX_USER_MICRODOLLARS' },
  day: {
    steps: 'VIGIL_MAX_USER_DAY_STEPS',
    tokens: 'VIGIL_MAX_USER_DAY_TOKENS',
    costMicrodollars: 'VIGIL_MAX_USER_DAY_MICRODOLLARS',
  },
} as const;

/** Returns the variable that sets a limit; undefined if none does. */
export const variableOfSpending = (
  period: keyof typeof spendingVariables,
  what: keyof typeof spendingVariables.day,
): string | undefined => (spendingVariables[period] as Partial<Record<typeof what, string>>)[what];

/** The counts of what a user has at once. */
export interface Counts {
  /** Runs that are not over, those of sub-agents included. */
  runs: number;
  subAgents: number;
  conversations: number;
  /** Timers that have not ended. A webhook's expiry timer is not counted. */
  timers: number;
}

type Limit = { variable: string | undefined; most: number; what: string; remedy: string };

/** The limits, with what a deployment has that sets none. Without a variable, no deployment sets the limit. */
export const countLimits = {
  runs: {
    variable: 'VIGIL_MAX_USER_RUNS',
    most: 50,
    what: 'active runs',
    remedy: 'Wait until one has ended, or cancel one',
  },
  subAgents: { variable: undefined, most: 30, what: 'active sub-agents', remedy: 'Wait until one has ended' },
  conversations: {
    variable: 'VIGIL_MAX_USER_CONVERSATIONS',
    most: 10_000,
    what: 'conversations',
    remedy: 'Delete one that is no longer needed',
  },
  timers: { variable: 'VIGIL_MAX_USER_TIMERS', most: 100, what: 'open timers', remedy: 'Cancel one' },
} satisfies Record<keyof Counts, Limit>;

/** The most connections of the live view that a user may have open. */
export const connectionsOfUser = 50;

/** The most sub-agents that a run may ask for. */
export const subAgentsOfRun = 20;

/** The limits of a user's files, in bytes: of one, of all from a day, of all at once; and their number. */
export const fileLimits = { file: 25_000_000, day: 500_000_000, all: 5_000_000_000, count: 5_000 };
