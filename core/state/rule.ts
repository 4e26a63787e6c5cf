/** What a timer is, as words and numbers. The reckoning with it is in `schedule.ts`, with the library that it takes. */

/** When a timer fires again: by a cron expression in a time zone, or every so many seconds from when it was made. */
export interface Rule {
  cron?: string;
  /** IANA name, `UTC` unless given. */
  timeZone?: string;
  everySeconds?: number;
}

/** What a tool call lets happen later. */
export type NewTimer =
  | { kind: 'once'; at: Date; text: string }
  | { kind: 'repeat'; at: Date; rule: Rule; text: string }
  | { kind: 'tool'; at: Date; tool: string; arguments: object };

/** A recurring job that fires more often than this would be a loop, and cost like one. */
export const shortestIntervalSeconds = 60;
/** Nothing is arranged for longer than that: ten years. */
export const longestDelaySeconds = 10 * 365 * 86_400;

/** A rule as a timer shows it; its time zone stands beside it. */
export const ruleWords = ({ cron, everySeconds }: Rule): string => cron ?? `every ${everySeconds} seconds`;
