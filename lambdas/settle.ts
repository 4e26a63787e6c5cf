import { shipped } from '../agents';
import { endOf } from '../core/machines/rollback/execution-end';
import { settleExecution } from '../core/machines/rollback/settle-execution';
import { tableOfDeployment } from '../runtime/environment';
import { addFields, log } from '../runtime/log';
import { serveState } from '../runtime/serve-state';

const table = tableOfDeployment();

/**
 * Settle: ends the run, timer or rollback of an execution that did not end by itself. The state machine reports a step that failed
 * permanently; the rule reports executions that failed elsewhere, timed out or were stopped from outside. A repeated or late report
 * changes nothing.
 *
 * @returns the error for people, always with both fields, with which the execution fails.
 */
export const handler = serveState({ parse: endOf }, async ({ input, by, error, reason }) => {
  const { conversationId, segment } = input;
  addFields({ conversationId, segment, ...('timerId' in input ? { timerId: input.timerId } : { runId: input.runId }) });
  const settled = await settleExecution(table, shipped, input, { by, reason }, new Date());
  log.info('settle', { status: by, settled });
  return { Error: error, Cause: reason };
});
