import type { Tool } from '../agent/tool';
import type { StoredCall } from '../store/rows';
import { isDelegation } from './call-state';

/** What a cancel, and the end of a failed run's hold, undo: the calls that are done, of tools that can take it back. */
export const canBeUndone = (tools: ReadonlyMap<string, Tool>, call: StoredCall): boolean => {
  const tool = tools.get(call.tool);
  return isDelegation(call) || (tool?.kind === 'function' && tool.compensate !== undefined);
};

/** Whether a call took effect, or may have. */
export const isDone = (call: StoredCall): boolean =>
  call.status === 'completed' || call.status === 'unknown' || (isDelegation(call) && call.status === 'failed');

/** Done by a tool that is not deployed any more: nobody knows whether it could be undone, and somebody has to be told. */
export const isBeyondUndo = (tools: ReadonlyMap<string, Tool>, call: StoredCall): boolean =>
  (call.status === 'completed' || call.status === 'unknown') &&
  call.attempts > 0 &&
  call.undoError === undefined &&
  !tools.has(call.tool);
