import * as z from 'zod';
import { SegmentInput } from '../../base/state/loop-state';
import { RollbackInput } from '../../base/state/rollback-state';
import { TimerInput } from '../../base/state/timer-state';
import { errorWords } from '../../base/text/caught-error';

/** The way an execution ended. `FAILING` comes from its own state machine, the others from Step Functions. */
export type EndedBy = 'FAILING' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';

/** Returns why an execution has ended, for people. */
export function reasonOf({ by, error, cause }: { by: EndedBy; error?: string | null; cause?: string | null }): string {
  if (by === 'ABORTED') return 'The execution was stopped from outside.';
  if (by === 'TIMED_OUT') return 'The execution timed out.';
  return error ? errorWords({ Error: error, Cause: cause ?? '' }) : 'The execution failed.';
}

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

interface Ended {
  input: z.infer<typeof Input>;
  by: EndedBy;
  error: string;
  reason: string;
}

/**
 * Reads the event that tells Settle of an execution's end: from the execution's own state machine, or from the rule.
 *
 * @throws ZodError if it is no such event.
 */
export function endOf(event: unknown): Ended {
  const told = z.union([StatusChange, FromMachine]).parse(event);
  if ('error' in told) {
    const { error, ...input } = told;
    return { input, by: 'FAILING', error: error.Error, reason: wordsOf(error.Error, error.Cause) };
  }
  const { status: by, input, error } = told.detail;
  return { input: Input.parse(JSON.parse(input)), by, error: error ?? by, reason: reasonOf({ ...told.detail, by }) };
}

const wordsOf = (error: string, cause: string | null | undefined) => errorWords({ Error: error, Cause: cause ?? '' });
