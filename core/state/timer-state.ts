import * as z from 'zod';
import { longestWaitSeconds } from './waiting';

/** What travels through the timer machine. */
export const TimerInput = z.object({
  conversationId: z.string(),
  timerId: z.string(),
  /** Counts the executions that the timer is a chain of; an older one changes nothing. */
  segment: z.number().int(),
  /** ISO 8601 UTC: when it fires next, or goes on in another execution. */
  at: z.string(),
});
export type TimerInput = z.infer<typeof TimerInput>;

/** FireTimer's answer. RouteTimer chooses by `next`: `wait` (until `at`) · `continue` (in `execution`) · `done`. */
export interface TimerOutput extends TimerInput {
  next: 'wait' | 'continue' | 'done';
  execution?: string;
}

export const timerExecution = (timerId: string, segment: number): string => `${timerId}-${segment}`;

/** The time until which an execution may wait at once. */
export function stretch({ segmentStartedAt }: { segmentStartedAt: string }, nextAt: string): string {
  const end = new Date(Date.parse(segmentStartedAt) + longestWaitSeconds * 1_000).toISOString();
  return nextAt < end ? nextAt : end;
}
