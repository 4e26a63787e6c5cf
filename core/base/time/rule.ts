/** This file has no imports: `schedule.ts` does the calculation, which keeps croner out of definition-only bundles. */

/** The rule by which a recurring timer fires: a cron expression in a time zone, or an interval from its creation. */
export interface Rule {
  cron?: string;
  /** An IANA name, `UTC` by default. */
  timeZone?: string;
  everySeconds?: number;
}

/**
 * What happens when a recurring timer is due while a run of its conversation is active.
 * - `one`: the run reads the message. While it has not, that message stands for further times too.
 * - `queue`: each time has a run of its own, one after the other.
 * - `skip`: the time is left out.
 */
export const overlaps = ['one', 'queue', 'skip'] as const;

/**
 * What happens with times that have passed while the timer could not fire.
 * - `one`: the timer fires once for all of them.
 * - `all`: it fires for each of them, up to a hundred; for more, once.
 * - `skip`: a time that is more than a minute late is left out.
 */
export const catchUps = ['one', 'all', 'skip'] as const;

export const longestJitterSeconds = 3_600;

/** The policies of a recurring timer. */
export interface Policies {
  /** `one` by default. */
  overlap?: (typeof overlaps)[number];
  /** `one` by default. */
  catchUp?: (typeof catchUps)[number];
  /** The longest delay of a firing, at most 3,600 and less than the interval. It differs by timer and time, and stays when repeated. */
  jitterSeconds?: number;
}

/** The times of a recurring timer, as people and authors write them: `cron`, or `every` as an ISO 8601 duration such as `PT6H`. */
export interface Times {
  cron?: string;
  every?: string;
  timeZone?: string;
}

/** A timer that a tool call creates. */
export type NewTimer =
  | { kind: 'once'; at: Date; text: string }
  | ({ kind: 'repeat'; at: Date; rule: Rule; text: string } & Policies)
  | { kind: 'tool'; at: Date; tool: string; arguments: object };

/** A timer that fires more often would cost as much as a loop. */
export const shortestIntervalSeconds = 60;
/** Ten years. */
export const longestDelaySeconds = 10 * 365 * 86_400;

/** Returns the rule as a timer shows it. The time zone is a field of its own. */
export const ruleWords = ({ cron, everySeconds }: Rule): string => cron ?? `every ${everySeconds} seconds`;
