import { executionName } from '../../base/state/loop-state';
import type { Meta, StoredRun } from '../rows/meta';

/**
 * Moves a run to its next segment and requests its execution. Every write checks the segment number, so the old execution can keep
 * running but cannot change anything.
 */
export const enterNextSegment = (meta: Meta, run: StoredRun, now: Date): Meta => ({
  ...meta,
  outbox: 'start',
  run: { ...run, segment: run.segment + 1, segmentStartedAt: now.toISOString(), segmentEvents: 0 },
});

/** Wakes a sleeping run: moves it to its next segment and requests that the sleeping execution be stopped. */
export function moveToNewSegment(meta: Meta, run: StoredRun, now: Date): Meta {
  const stop = executionName(run.id, run.segment);
  const awake = { status: 'running', until: undefined } as const;
  return enterNextSegment({ ...meta, ...awake }, { ...run, ...awake, stop }, now);
}
