import { isSettled } from '../../base/state/schemas';
import type { Tool } from '../agent/tool';
import type { StoredCall } from '../rows/rows';
import { isDelegation } from './call-state';

/** Whether a call can be undone: it is a delegation, or its tool has a compensation. */
export const canBeUndone = (tools: ReadonlyMap<string, Tool>, call: StoredCall): boolean => {
  const tool = tools.get(call.tool);
  return isDelegation(call) || (tool?.kind === 'function' && tool.compensate !== undefined);
};

/** Whether a call took effect, or may have. A delegation that failed before a sub-agent was asked did nothing. */
export const isDone = (call: StoredCall): boolean =>
  call.status === 'completed' ||
  call.status === 'unknown' ||
  (isDelegation(call) && call.status === 'failed' && call.callbackId !== undefined);

/** Whether a call has not ended and its tool is no longer deployed. Another version of the code may have left it to finish, to undo it then. */
export const isAbandoned = (tools: ReadonlyMap<string, Tool>, call: StoredCall): boolean =>
  !isSettled(call.status) && call.attempts > 0 && !tools.has(call.tool);

/** Whether a rollback has something to say of a call because its tool is no longer deployed. */
export const isWithoutTool = (tools: ReadonlyMap<string, Tool>, call: StoredCall): boolean =>
  isBeyondUndo(tools, call) || isAbandoned(tools, call);

/** Whether a call took effect, or may have, but its tool is no longer deployed. It cannot be undone, and a person must be notified. */
export const isBeyondUndo = (tools: ReadonlyMap<string, Tool>, call: StoredCall): boolean =>
  // What was restored from a backup may have run, and be counted nowhere.
  ((call.status === 'completed' && call.attempts > 0) || call.status === 'unknown') &&
  call.undoError === undefined &&
  !tools.has(call.tool);
