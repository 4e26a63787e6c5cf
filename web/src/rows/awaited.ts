import type { Conversation } from 'vigil-client';
import { isToCome } from './run-words';
import { activeOf } from './timers';

/** The run or timer that should be at work now, and since when, if that is known. */
export interface Awaited {
  what: 'run' | 'timer';
  /** In milliseconds since the epoch. */
  since?: number;
}

/** Returns what a conversation gives signs of now: its run, or a timer that is due. Undefined if nothing is expected. */
export function awaited({ run, timers }: Pick<Conversation, 'run' | 'timers'>, now: number): Awaited | undefined {
  // It says itself when it goes on.
  if (run?.status === 'running' && isToCome(run.modelWait, now)) return undefined;
  if (run?.status === 'running' || run?.status === 'cancelling') return { what: 'run' };
  if (run?.status === 'sleeping' && run.until !== undefined && Date.parse(run.until) < now) return { what: 'run' };
  const [next] = activeOf(timers);
  const since = next && Date.parse(next.nextAt);
  return since !== undefined && since < now ? { what: 'timer', since } : undefined;
}
