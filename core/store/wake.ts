import { executionName } from '../loop-state';
import type { Meta, StoredRun } from './rows';

/**
 * Wakes a run: it goes on in its next segment, whose execution is to be started, and the sleeping one is to be stopped.
 * The segment's number fences that one off: should it wake up by itself first, it changes nothing.
 */
export function awakened(run: StoredRun, now: Date): Pick<Meta, 'run' | 'status' | 'until' | 'outbox'> {
  return {
    status: 'running',
    until: undefined,
    outbox: 'start',
    run: {
      ...run,
      status: 'running',
      until: undefined,
      segment: run.segment + 1,
      segmentStartedAt: now.toISOString(),
      segmentEvents: 0,
      stop: executionName(run.id, run.segment),
    },
  };
}
