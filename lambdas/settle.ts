import * as z from 'zod';
import { errorWords } from '../core/caught-error';
import { SegmentInput } from '../core/loop-state';
import { settleRun } from '../core/store/run';
import { tableOfDeployment } from './environment';
import { log } from './log';
import { plainError } from './plain-error';

const table = tableOfDeployment();

/** From the state machine itself, whose state CallModel gave up: the segment, and what was caught. */
const FromMachine = SegmentInput.extend({
  error: z.object({ Error: z.string(), Cause: z.string().nullish() }),
});

/** From the rule: the part of a "Step Functions Execution Status Change" event that we read. */
const StatusChange = z.object({
  detail: z.object({
    status: z.enum(['FAILED', 'TIMED_OUT', 'ABORTED']),
    input: z.string(),
    error: z.string().nullish(),
    cause: z.string().nullish(),
  }),
});

/**
 * Ends the run of an execution that does not end it by itself: one that is about to fail tells it on its way out, one that
 * failed otherwise, timed out or was stopped from outside is reported by the rule. May be told twice, or late.
 *
 * @returns the error in plain words, both fields always there: the execution fails with them.
 */
export async function handler(event: unknown): Promise<{ Error: string; Cause: string }> {
  const { at, by, error, ...outcome } = whatEnded(z.union([StatusChange, FromMachine]).parse(event));
  const { runId, segment } = at;
  const settled = await settleRun(table, at, outcome, new Date()).catch((cause: unknown) => {
    throw plainError(cause, { runId, segment });
  });
  log.info('settle', { runId, segment, status: by, settled });
  return { Error: error, Cause: outcome.reason };
}

interface Ended {
  at: SegmentInput;
  by: string;
  error: string;
  status: 'failed' | 'cancelled';
  reason: string;
}

function whatEnded(event: z.infer<typeof StatusChange> | z.infer<typeof FromMachine>): Ended {
  if ('error' in event) {
    const { error, ...at } = event;
    return { at, by: 'FAILING', error: error.Error, status: 'failed', reason: wordsOf(error.Error, error.Cause) };
  }
  const { status: by, input, error, cause } = event.detail;
  const failed = { at: SegmentInput.parse(JSON.parse(input)), by, error: error ?? by, status: 'failed' } as const;
  if (by === 'ABORTED') return { ...failed, status: 'cancelled', reason: 'The execution was stopped from outside.' };
  if (by === 'TIMED_OUT') return { ...failed, reason: 'The execution took longer than it may.' };
  return { ...failed, reason: error ? wordsOf(error, cause) : 'The execution failed.' };
}

const wordsOf = (error: string, cause: string | null | undefined) => errorWords({ Error: error, Cause: cause ?? '' });
