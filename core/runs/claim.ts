import type { LoopOutput, SegmentInput } from '../state/loop-state';
import { isOver } from '../state/schemas';
import type { Meta, StoredRun } from '../store/rows';

/** `stored`: the step was done before, this is its answer. `fenced`: the run has gone on without this execution, or is over. */
export type Unneeded = { kind: 'stored'; next: LoopOutput } | { kind: 'fenced' };

/** The run, if it is this segment's to move on; otherwise what to answer instead. `step` is the one to be made. */
export function claimOf(meta: Meta, at: SegmentInput): { kind: 'ours'; run: StoredRun } | Unneeded {
  const { run } = meta;
  if (run?.id !== at.runId || run.segment !== at.segment) return { kind: 'fenced' };
  if (run.status === 'cancelling' || run.status === 'cancelled') return { kind: 'fenced' };
  if (run.step >= at.step && run.next) return { kind: 'stored', next: run.next };
  if (isOver(run.status)) return { kind: 'fenced' };
  return { kind: 'ours', run };
}

/** Whether something was said from outside since the run last took up a message. */
export const isUnread = (meta: Meta, run: StoredRun): boolean => meta.lastUserSeq > run.lastRead.seq;
