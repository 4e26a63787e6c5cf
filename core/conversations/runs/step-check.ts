import type { LoopOutput, SegmentInput } from '../../base/state/loop-state';
import { isOver } from '../../base/state/schemas';
import type { Meta, StoredRun } from '../rows/meta';

/** `stored`: the step is already stored, with this answer. `fenced`: the run has left this segment or is over. */
export type StepNotNeeded = { kind: 'stored'; next: LoopOutput } | { kind: 'fenced' };

/** Returns the run if this segment may make step `at.step`; otherwise what to answer instead. */
export function checkStep(meta: Meta, at: SegmentInput): { kind: 'ours'; run: StoredRun } | StepNotNeeded {
  const { run } = meta;
  if (meta.deletedFor !== undefined) return { kind: 'fenced' };
  if (run?.id !== at.runId || run.segment !== at.segment) return { kind: 'fenced' };
  if (run.status === 'cancelling' || run.status === 'cancelled') return { kind: 'fenced' };
  if (run.step >= at.step && run.next) return { kind: 'stored', next: { ...at, step: run.step, ...run.next } };
  if (isOver(run.status)) return { kind: 'fenced' };
  return { kind: 'ours', run };
}

/** Whether a message from outside has arrived since the run last read one. */
export const isUnread = (meta: Meta, run: StoredRun): boolean => meta.lastUserSeq > run.lastRead.seq;
