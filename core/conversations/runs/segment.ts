import { executionName } from '../../base/state/loop-state';
import { type Meta, type StoredRun, withTodo } from '../rows/meta';
import type { Todo } from '../rows/todo';
import { withRun } from './standing';

/** What stops the execution of a run's current segment. */
export const stopOf = ({ id, segment }: StoredRun, because: 'woken' | 'cancelled' | 'renewed'): Todo => ({
  does: 'stop',
  machine: 'loop',
  execution: executionName(id, segment),
  because,
});

/**
 * Moves a run to its next segment and requests its execution. Every write checks the segment number, so the old execution can keep
 * running but cannot change anything.
 */
export function enterNextSegment(meta: Meta, run: StoredRun, now: Date): Meta {
  const { id: runId, step } = run;
  const segment = run.segment + 1;
  const entered = { ...run, segment, segmentStartedAt: now.toISOString(), segmentEvents: 0 };
  return withRun(withTodo(meta, { does: 'start', runId, segment, step }), entered, meta.waitsFor);
}

/** Wakes a sleeping run: moves it to its next segment and requests that the sleeping execution be stopped. */
export function moveToNewSegment(meta: Meta, run: StoredRun, now: Date): Meta {
  const awake: StoredRun = { ...run, status: 'running', until: undefined };
  return enterNextSegment(withTodo(meta, stopOf(run, 'woken')), awake, now);
}
