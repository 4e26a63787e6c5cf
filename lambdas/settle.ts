import * as z from 'zod';
import { shipped } from '../agents';
import { RollbackInput } from '../core/base/state/rollback-state';
import { TimerInput } from '../core/base/state/timer-state';
import { endOf } from '../core/machines/rollback/execution-end';
import { nextUndo } from '../core/machines/rollback/rollback';
import { settleExecution } from '../core/machines/rollback/settle-execution';
import { fireTimer } from '../core/machines/timers/fire-timer';
import { tableOfDeployment } from '../runtime/environment';
import { addFields, log } from '../runtime/log';
import { serveState } from '../runtime/serve-state';

const table = tableOfDeployment();

/** What the states FireTimer and NextUndo ask for. Another event is the end of an execution, from its own state or from the rule. */
const Asked = z.object({ timer: z.unknown(), rollback: z.unknown() });

const work = {
  parse(event: unknown) {
    const { timer, rollback } = Asked.partial().safeParse(event).data ?? {};
    if (timer !== undefined) return { timer: TimerInput.parse(timer) };
    return rollback !== undefined ? { rollback: RollbackInput.parse(rollback) } : { ended: endOf(event) };
  },
};

/**
 * Settle: does the work of the states that call no model, no tool and no person. A second invocation changes nothing.
 *
 * - It fires a timer that is due, and returns the next time.
 * - It chooses what a rollback undoes next, and ends the run if nothing is left.
 * - It ends the run, timer or rollback of an execution that did not end by itself: the state machine reports a step that failed permanently; the
 *   rule reports executions that failed elsewhere, timed out or were stopped from outside. It returns the error for people, always with both
 *   fields, with which the execution fails.
 */
export const handler = serveState(work, async ({ timer, rollback, ended }) => {
  const now = new Date();
  const { conversationId, segment, ...of } = timer ?? rollback ?? ended.input;
  addFields({ conversationId, segment, ...('timerId' in of ? { timerId: of.timerId } : { runId: of.runId }) });
  if (timer) {
    const output = await fireTimer(table, shipped.agents, timer, now);
    log.info('timer', { next: output.next });
    return output;
  }
  if (rollback) {
    const output = await nextUndo(table, shipped, rollback, now);
    log.info('rollback', { next: output.next, callId: output.call?.callId });
    return output;
  }
  const { input, by, error, reason } = ended;
  const settled = await settleExecution(table, shipped, input, { by, reason }, now);
  log.info('settle', { status: by, settled });
  return { Error: error, Cause: reason };
});
