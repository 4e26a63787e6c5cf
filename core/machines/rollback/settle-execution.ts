import type { SegmentInput } from '../../base/state/loop-state';
import type { RollbackInput } from '../../base/state/rollback-state';
import type { TimerInput } from '../../base/state/timer-state';
import type { Registry } from '../../conversations/agent/registry';
import { cancelSegment } from '../../conversations/conversation/cancel';
import { failRun } from '../../conversations/conversation/fail';
import type { Table } from '../../conversations/store/table';
import { cancelTimer } from '../../conversations/timers/change-timer';
import type { EndedBy } from './execution-end';
import { abandonRollback } from './rollback';

/**
 * Ends the run, timer or rollback of an execution that did not end by itself. A repeated or late report changes nothing.
 *
 * @param input the execution's input, which shows its state machine.
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
