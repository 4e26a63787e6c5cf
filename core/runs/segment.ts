import { executionName } from '../state/loop-state';
import type { Meta, StoredRun } from '../store/rows';

/**
 * Moves a run to its next segment, whose execution is to be started. The segment's number fences the old execution off:
 * whatever it still does changes nothing.
 */
export const enterNextSegment = (meta: Meta, run: StoredRun, now: Date): Meta => ({
  ...meta,
  outbox: 'start',
  run: { ...run, segment: run.segment + 1, segmentStartedAt: now.toISOString(), segmentEvents: 0 },
});

/** Wakes a run that sleeps: it goes on in its next segment, and the sleeping execution is to be stopped. */
export function awaken(meta: Meta, run: StoredRun, now: Date): Meta {
  const stop = executionName(run.id, run.segment);
  const awake = { status: 'running', until: undefined } as const;
  return enterNextSegment({ ...meta, ...awake }, { ...run, ...awake, stop }, now);
}
