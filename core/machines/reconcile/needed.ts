import { executionName } from '../../base/state/loop-state';
import { holdName, rollbackName } from '../../base/state/rollback-state';
import { isActive } from '../../base/state/schemas';
import { timerExecution } from '../../base/state/timer-state';
import type { StoredRun } from '../../conversations/rows/meta';
import type { StoredTimer } from '../../conversations/rows/rows';
import type { EndedBy } from '../rollback/execution-end';

/** An execution, by its state machine and its name. */
export interface Named {
  machine: 'loop' | 'timer' | 'rollback';
  name: string;
}

/** An execution, as Step Functions knows it. */
export interface Found {
  status: 'MISSING' | 'RUNNING' | 'SUCCEEDED' | Exclude<EndedBy, 'FAILING'>;
  error?: string;
  cause?: string;
}

/** The reasons for which Vigil stops executions. One that was stopped for another reason was stopped by a person. */
export const stopCauses = {
  woken: 'A message woke the run, which continues in its next segment.',
  cancelled: 'The run is cancelled.',
  timer: 'The timer is cancelled or paused.',
  renewed: 'It continues in another execution.',
};

/**
 * Returns the executions of which one must be running, so that the run goes on by itself. None if it is over.
 *
 * A rollback may be made by the execution that held the failed run.
 */
export function neededByRun({ id, segment, status, heldUntil }: StoredRun): Named[] {
  if (isActive(status)) return [{ machine: 'loop', name: executionName(id, segment) }];
  const hold: Named = { machine: 'rollback', name: holdName(id, segment) };
  if (status === 'cancelling') return [{ machine: 'rollback', name: rollbackName(id, segment) }, hold];
  return status === 'failed' && heldUntil ? [hold] : [];
}

export const neededByTimer = ({ id, segment, status }: StoredTimer): Named[] =>
  status === 'active' ? [{ machine: 'timer', name: timerExecution(id, segment) }] : [];

/** Returns all executions that a run can have in a segment. */
export const ofRunIn = (id: string, segment: number): Named[] => [
  { machine: 'loop', name: executionName(id, segment) },
  { machine: 'rollback', name: rollbackName(id, segment) },
  { machine: 'rollback', name: holdName(id, segment) },
];

export const ofTimerIn = (id: string, segment: number): Named[] => [
  { machine: 'timer', name: timerExecution(id, segment) },
];

/**
 * Decides what becomes of a row whose executions are in these states.
 *
 * - One is running: `leave`.
 * - One has failed, or a person has stopped it, and Settle was not told: `settle`.
 * - None exists, or all have ended as Vigil wanted although the row is not over: `renew`. Step Functions has lost its state, or the
 *   table has. A rollback of hundreds of calls, which continues under another name, is renewed too, and changes nothing twice.
 */
export function verdictOn(found: Found[]): { verdict: 'leave' | 'renew' } | { verdict: 'settle'; ended: Found } {
  if (found.some(({ status }) => status === 'RUNNING')) return { verdict: 'leave' };
  const ended = found.find(isBroken);
  return ended ? { verdict: 'settle', ended } : { verdict: 'renew' };
}

const isBroken = ({ status, cause = '' }: Found): boolean =>
  status === 'FAILED' ||
  status === 'TIMED_OUT' ||
  (status === 'ABORTED' && !Object.values<string>(stopCauses).includes(cause));
