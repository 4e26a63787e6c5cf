import { executionName, type SegmentInput } from '../../core/base/state/loop-state';
import { isOver } from '../../core/base/state/schemas';
import type { Meta } from '../../core/conversations/rows/meta';

/** Returns the name and the input of the current segment's execution; undefined if there is no run, or it is over. */
export function segmentOf({ run, conversationId }: Meta): { name: string; input: SegmentInput } | undefined {
  if (!run || isOver(run.status)) return undefined;
  const input = { conversationId, runId: run.id, segment: run.segment, step: run.step };
  return { name: executionName(run.id, run.segment), input };
}
