/** This file has no imports: `schedule.ts` does the calculation, which keeps croner out of definition-only bundles. */

/** The rule by which a recurring timer fires: a cron expression in a time zone, or an interval from its creation. */
export interface Rule {
  cron?: string;
  /** An IANA name, `UTC` by default. */
  timeZone?: string;
  everySeconds?: number;
}

/** A timer that a tool call creates. */
export type NewTimer =
  | { kind: 'once'; at: Date; text: string }
  | { kind: 'repeat'; at: Date; rule: Rule; text: string }
  | { kind: 'tool'; at: Date; tool: string; arguments: object };

/** A timer that fires more often would cost as much as a loop. */
export const shortestIntervalSeconds = 60;
/** Ten years. */
export const longestDelaySeconds = 10 * 365 * 86_400;

/** Returns the rule as a timer shows it. The time zone is a field of its own. */
export const ruleWords = ({ cron, everySeconds }: Rule): string => cron ?? `every ${everySeconds} seconds`;
