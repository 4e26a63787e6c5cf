import * as z from 'zod';
import { shipped } from '../agents';
import { type EndedBy, reasonOf, settleExecution } from '../core/rollback/settle-execution';
import { SegmentInput } from '../core/state/loop-state';
import { RollbackInput } from '../core/state/rollback-state';
import { TimerInput } from '../core/state/timer-state';
import { errorWords } from '../core/text/caught-error';
import { tableOfDeployment } from '../runtime/environment';
import { addFields, log, logged } from '../runtime/log';
import { plainError } from '../runtime/plain-error';

const table = tableOfDeployment();

/** From the state machine itself, after CallModel has given up: the segment and the caught error. */
const FromMachine = SegmentInput.extend({
  error: z.object({ Error: z.string(), Cause: z.string().nullish() }),
});

/** From the rule: the relevant part of a "Step Functions Execution Status Change" event. */
const StatusChange = z.object({
  detail: z.object({
    status: z.enum(['FAILED', 'TIMED_OUT', 'ABORTED']),
    input: z.string(),
    error: z.string().nullish(),
    cause: z.string().nullish(),
  }),
});

/** The input of the execution, which shows its state machine. */
const Input = z.union([SegmentInput, TimerInput, RollbackInput]);

/**
 * Settle: ends the run, timer or rollback of an execution that did not end by itself. The state machine reports a step that failed
 * permanently; the rule reports executions that failed elsewhere, timed out or were stopped from outside. A repeated or late report
 * changes nothing.
 *
 * @returns the error for people, always with both fields, with which the execution fails.
 */
export const handler = logged(async (event: unknown): Promise<{ Error: string; Cause: string }> => {
  const { input, by, error, reason } = whatEnded(z.union([StatusChange, FromMachine]).parse(event));
  const { conversationId, segment } = input;
  addFields({ conversationId, segment, ...('timerId' in input ? { timerId: input.timerId } : { runId: input.runId }) });
  const settled = await settleExecution(table, shipped, input, { by, reason }, new Date()).catch((cause: unknown) => {
    throw plainError(cause);
  });
  log.info('settle', { status: by, settled });
  return { Error: error, Cause: reason };
});

interface Ended {
  input: z.infer<typeof Input>;
  by: EndedBy;
  error: string;
  reason: string;
}

function whatEnded(event: z.infer<typeof StatusChange> | z.infer<typeof FromMachine>): Ended {
  if ('error' in event) {
    const { error, ...input } = event;
    return { input, by: 'FAILING', error: error.Error, reason: wordsOf(error.Error, error.Cause) };
  }
  const { status: by, input, error } = event.detail;
  return { input: Input.parse(JSON.parse(input)), by, error: error ?? by, reason: reasonOf({ ...event.detail, by }) };
}

const wordsOf = (error: string, cause: string | null | undefined) => errorWords({ Error: error, Cause: cause ?? '' });
