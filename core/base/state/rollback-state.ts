import * as z from 'zod';
import { CaughtError } from './loop-state';

/** The payload of the rollback machine: ids and outcomes, as in the agent loop. */
export const RollbackInput = z.object({
  conversationId: z.string(),
  runId: z.string(),
  /** The segment in which the run was cancelled or failed. A retry moves the run to another one, so the rollback then does nothing. */
  segment: z.number().int(),
  /** The start of the rollback, in ISO 8601 UTC. A failed run is held until then. */
  at: z.string().optional(),
  /** The call of the last undo. */
  call: z.object({ callId: z.string() }).optional(),
  /** The reason why the last undo was given up. */
  error: CaughtError.optional(),
  /** The number of undos in this execution. */
  count: z.number().int().optional(),
});
export type RollbackInput = z.infer<typeof RollbackInput>;

/**
 * The answer of the state NextUndo. RouteUndo chooses by `next`: `undo:<tool>` (with `call`) · `wait` (with `until`) · `continue` (with
 * `execution`, the name of the next one) · `done`.
 */
export interface RollbackOutput extends RollbackInput {
  next: string;
  until?: string;
  execution?: string;
}

/**
 * Derives a rollback execution's name from the run, so a repeated start has no effect.
 *
 * @param nextCall the call with which a later execution of the same rollback begins.
 */
export const rollbackName = (runId: string, segment: number, nextCall = ''): string => {
  // Ids are ASCII. A call of an earlier run may have the same step and place. The end of its run's id distinguishes the two.
  const at = nextCall.startsWith(`${runId}.`) ? nextCall.slice(runId.length + 1) : nextCall.slice(-17);
  return `${runId}-rollback-${segment}${at && `-${at}`}`;
};

/** Returns the name of the execution that holds a failed run for a retry. */
export const holdName = (runId: string, segment: number): string => `${runId}-hold-${segment}`;
