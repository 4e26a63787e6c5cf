import * as z from 'zod';
import { longestWaitSeconds } from './waiting';

/** The payload of the timer machine. */
export const TimerInput = z.object({
  conversationId: z.string(),
  timerId: z.string(),
  /** The number of the timer's execution. An earlier one changes nothing. */
  segment: z.number().int(),
  /** The time when the timer fires next or hands over, in ISO 8601 UTC. */
  at: z.string(),
});
export type TimerInput = z.infer<typeof TimerInput>;

/** The answer of the state FireTimer. RouteTimer chooses by `next`: `wait` (until `at`) · `continue` (in `execution`) · `done`. */
export interface TimerOutput extends TimerInput {
  next: 'wait' | 'continue' | 'done';
  execution?: string;
}

export const timerExecution = (timerId: string, segment: number): string => `${timerId}-${segment}`;

/** Returns the time of the next firing, or the execution's latest end if that is earlier. */
export function stretch({ segmentStartedAt }: { segmentStartedAt: string }, nextAt: string): string {
  const end = new Date(Date.parse(segmentStartedAt) + longestWaitSeconds * 1_000).toISOString();
  return nextAt < end ? nextAt : end;
}
