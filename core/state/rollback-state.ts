import * as z from 'zod';
import { CaughtError } from './loop-state';

/** What travels through the rollback machine: ids and outcomes, as in the agent loop. */
export const RollbackInput = z.object({
  conversationId: z.string(),
  runId: z.string(),
  /** The segment in which the run was cancelled or failed: a retry moves it on, and the rollback then finds nothing to do. */
  segment: z.number().int(),
  /** ISO 8601 UTC: when it begins. A failed run is held until then. */
  at: z.string().optional(),
  /** The call that was to be undone last. */
  call: z.object({ callId: z.string() }).optional(),
  /** Why that was given up. */
  error: CaughtError.optional(),
  /** How many undos this execution has been through. */
  count: z.number().int().optional(),
});
export type RollbackInput = z.infer<typeof RollbackInput>;

/**
 * NextUndo's answer. RouteUndo chooses by `next`: `undo:<tool>` (with `call`) · `wait` (with `until`) · `continue` (with
 * `execution`, the name of the one that goes on) · `done`.
 */
export interface RollbackOutput extends RollbackInput {
  next: string;
  until?: string;
  execution?: string;
}

/** The names of a rollback's executions derive from the run, so that a duplicate start finds the first. */
export const rollbackName = (runId: string, segment: number, goesOnAt = ''): string => {
  // A call of a run that this one goes on from may have the same step and place: so much of its run's id tells them apart.
  const at = goesOnAt.startsWith(`${runId}.`) ? goesOnAt.slice(runId.length + 1) : goesOnAt.slice(-17);
  return `${runId}-rollback-${segment}${at && `-${at}`}`;
};

/** Of the execution that waits while a failed run may still be retried. */
export const holdName = (runId: string, segment: number): string => `${runId}-hold-${segment}`;
