/**
 * The limits of a user: the variables that set them, and what a deployment has that sets none. No person reaches those; a loop or a
 * flood does. This file has no imports, because the CDK app reads it too.
 */

/** A day's limits where a deployment sets none. No person reaches them in a day; a loop does. */
export const defaultDay = { steps: 3_000, tokens: 10_000_000, costMicrodollars: 20_000_000 };

/** The variables that set the limits of a user. */
export const spendingVariables = {
  month: {
    steps: 'VIGIL_MAX_USER_STEPS',
    tokens: 'VIGIL_MAX_USER_TOKENS',
    costMicrodollars: 'VIGIL_MAX_USER_MICRODOLLARS',
  },
  day: {
    steps: 'VIGIL_MAX_USER_DAY_STEPS',
    tokens: 'VIGIL_MAX_USER_DAY_TOKENS',
    costMicrodollars: 'VIGIL_MAX_USER_DAY_MICRODOLLARS',
  },
} as const;

/** The counts of what a user has at once. */
export interface Counts {
  /** Runs that are not over, those of sub-agents included. */
  runs: number;
  subAgents: number;
  conversations: number;
  /** Timers that have not ended. A webhook's expiry timer is not counted. */
  timers: number;
}

type Limit = { variable: string; most: number; what: string; remedy: string };

/** The limits, with what a deployment has that sets none. No person reaches them; a loop or a flood does. */
export const countLimits: Record<keyof Counts, Limit> = {
  runs: {
    variable: 'VIGIL_MAX_USER_RUNS',
    most: 50,
    what: 'active runs',
    remedy: 'Wait until one has ended, or cancel one',
  },
  subAgents: {
    variable: 'VIGIL_MAX_USER_SUB_AGENTS',
    most: 30,
    what: 'active sub-agents',
    remedy: 'Wait until one has ended',
  },
  conversations: {
    variable: 'VIGIL_MAX_USER_CONVERSATIONS',
    most: 10_000,
    what: 'conversations',
    remedy: 'Delete one that is no longer needed',
  },
  timers: { variable: 'VIGIL_MAX_USER_TIMERS', most: 100, what: 'open timers', remedy: 'Cancel one' },
};

/** The limit of open connections, with what a deployment has that sets none. */
export const connectionLimit = { variable: 'VIGIL_MAX_USER_CONNECTIONS', most: 50 };

/** The sub-agents of a run where a deployment sets no limit. */
export const defaultSubAgentsOfRun = { variable: 'VIGIL_MAX_RUN_SUB_AGENTS', most: 20 };

/** The limits of a user's files, in bytes: of one, of all from a day, of all at once. */
export const fileLimits = {
  file: { variable: 'VIGIL_MAX_FILE_BYTES', most: 25_000_000 },
  day: { variable: 'VIGIL_MAX_USER_DAY_FILE_BYTES', most: 500_000_000 },
  all: { variable: 'VIGIL_MAX_USER_FILE_BYTES', most: 5_000_000_000 },
} as const;
