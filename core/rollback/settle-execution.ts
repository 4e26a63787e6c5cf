import type { Registry } from '../agent/registry';
import { cancelSegment } from '../conversation/cancel';
import { cancelTimer } from '../conversation/cancel-timer';
import { failRun } from '../conversation/fail';
import type { SegmentInput } from '../state/loop-state';
import type { RollbackInput } from '../state/rollback-state';
import type { TimerInput } from '../state/timer-state';
import type { Table } from '../store/table';
import { abandonRollback } from './rollback';

/** How an execution ended: `FAILING` says its own state machine, the others the service. */
export type EndedBy = 'FAILING' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';

/**
 * Ends what an execution leaves behind that does not end by itself. May be told twice, or late.
 *
 * @param input the execution's, which tells whose it was.
 * @returns whether there was something to end.
 */
export async function settleExecution(
  table: Table,
  registry: Registry,
  input: SegmentInput | TimerInput | RollbackInput,
  { by, reason }: { by: EndedBy; reason: string },
  now: Date,
): Promise<boolean> {
  if ('timerId' in input) {
    const { conversationId, timerId, segment } = input;
    return (await cancelTimer(table, conversationId, timerId, { segment })).status === 'cancelled';
  }
  if (!('step' in input)) return abandonRollback(table, registry, input, reason, now);
  return by === 'ABORTED'
    ? cancelSegment(table, registry.tools, input, reason, now)
    : failRun(table, registry, input, reason, now);
}
