import { isAnswered, type SegmentInput } from '../../base/state/loop-state';
import { isActive, isOver, isSettled } from '../../base/state/schemas';
import { WrongState } from '../../base/text/errors';
import type { Tool } from '../agent/tool';
import { readCallsToUndoFor } from '../calls/call';
import { mayHaveEffect, stateOf, toolOf } from '../calls/call-state';
import { byAnother, closeOpen } from '../calls/close';
import { canBeUndone, isDone, isWithoutTool } from '../calls/undoable';
import { checkEffect, mayCause } from '../members/effects';
import { type Person, userOf } from '../members/role';
import { key } from '../rows/keys';
import type { Meta, StoredRun } from '../rows/meta';
import type { StoredCall } from '../rows/rows';
import type { Todo } from '../rows/todo';
import { dropUnread } from '../runs/dropped';
import { reporting } from '../runs/run';
import { stopOf } from '../runs/segment';
import { withRun } from '../runs/standing';
import { type Change, changeConversation } from '../store/change-conversation';
import { cutDraft } from '../store/end-draft';
import { RowConflict, readRow, type Table } from '../store/table';

type Tools = ReadonlyMap<string, Tool>;

/**
 * Cancels a run in any state. It says and does nothing more. If it has effects to undo, it is `cancelling` until its rollback
 * has undone them; otherwise it is `cancelled` at once. A second request changes nothing.
 *
 * Another person than the owner stops it only: it is `cancelled` at once, and what it has done stays. The owner may cancel it after that.
 *
 * @param runId the run to cancel. A repeated request leaves a later run alone.
 * @throws NotFound, NotAllowed as `checkEffect` does.
 * @throws WrongState if there is nothing to cancel.
 */
export function cancelRun(
  table: Table,
  tools: Tools,
  { conversationId, user, runId }: { conversationId: string; user: Person; runId?: string },
  now: Date,
): Promise<Meta> {
  const cancel = (meta: Meta): Change<Meta> | Promise<Change<Meta>> => {
    checkEffect(meta, user, 'stop');
    const { run } = meta;
    const status = run?.status ?? 'idle';
    const undoes = mayCause(meta, user, 'undo');
    const isKept = status === 'cancelled' && run?.stoppedBy !== undefined;
    if (status === 'cancelling' || (status === 'cancelled' && !(isKept && undoes))) return { answer: meta };
    if (runId !== undefined && runId !== run?.id) return { answer: meta };
    if (!run || status === 'idle' || status === 'done')
      throw new WrongState(`There is nothing to cancel: the conversation is ${status}.`, { kind: 'nothing-to-cancel' });
    // It has stopped by itself.
    if (isOver(status)) checkEffect(meta, user, 'undo');
    const why = 'Cancelled by the user.';
    if (isKept) return cancelling(table, tools, { ...meta, run: again(run) }, why, now);
    return undoes
      ? cancelling(table, tools, meta, why, now)
      : cancelling(table, tools, meta, keptReason, now, { stoppedBy: userOf(user) });
  };
  return changeConversation(table, conversationId, cancel, { ends: true });
}

const keptReason = 'A member of the conversation has stopped it. What it has done stays, unless its owner undoes it.';

/** A cancelled run is cancelled once more, to undo what it has done. Its rollback needs an execution's name that is not used yet. */
export const again = (run: StoredRun): StoredRun => ({
  ...run,
  segment: run.segment + 1,
  stoppedBy: undefined,
});

/**
 * Cancels the run of an execution that was stopped from outside.
 *
 * @returns whether the segment was current, so the run was cancelled.
 */
export const cancelSegment = async (
  table: Table,
  tools: Tools,
  at: SegmentInput,
  reason: string,
  now: Date,
): Promise<boolean> => {
  const active = ({ run }: Meta) => run?.id === at.runId && run.segment === at.segment && isActive(run.status);
  const cancel = (meta: Meta): Change<Meta | undefined> | Promise<Change<Meta | undefined>> =>
    active(meta) ? cancelling(table, tools, meta, reason, now) : { answer: undefined };
  return (await changeConversation(table, at.conversationId, cancel, { ends: true })) !== undefined;
};

/**
 * Builds the change that makes a run `cancelling`, or `cancelled` if it has nothing to undo. What remains is to do.
 *
 * @param stoppedBy a person who may not undo what it has done: it stays.
 */
export async function cancelling(
  table: Table,
  tools: Tools,
  meta: Meta,
  reason: string,
  now: Date,
  { stoppedBy }: { stoppedBy?: string } = {},
): Promise<Change<Meta> & { meta: Meta }> {
  const run = meta.run!;
  const isPossible = (call: StoredCall) => mayHaveEffect(stateOf(call), toolOf(tools, call).effect);
  const letFinish = (call: StoredCall) =>
    stoppedBy === undefined &&
    call.status === 'running' &&
    canBeUndone(tools, call) &&
    isPossible(call) &&
    !stateOf(call).isTask;
  const { calls, lost: unreadable } = await readCallsToUndoFor(table, meta.conversationId, run);
  const ids = [...calls.map(({ id }) => id), ...unreadable];
  const lost = unreadable.length + (await missingCalls(table, meta.conversationId, run, ids));
  // The rollback closes calls that earlier runs, which this one continues from, left open.
  const isLeft = (call: StoredCall) => call.runId !== run.id && !isSettled(call.status);
  const isToUndo = (call: StoredCall) => isDone(call) || letFinish(call) || isPossible(call) || isLeft(call);
  const undoable =
    stoppedBy === undefined &&
    calls.some((call) => (canBeUndone(tools, call) && isToUndo(call)) || isWithoutTool(tools, call));
  const status = undoable ? ('cancelling' as const) : ('cancelled' as const);
  const at = now.toISOString();
  const last = calls.filter(({ runId, step }) => runId === run.id && step === run.step);
  // The half-written message of a failed run has already been marked.
  const cut = isOver(run.status) ? [] : await cutDraft(table, meta.conversationId, run, now);
  const closed = await closeOpen(table, meta.conversationId, run, { calls: last, reason, letFinish, tools, now });
  const unread = await dropUnread(table, meta);
  const { id, undoFrom, segment } = run;
  const todos: Todo[] = [
    ...(isActive(run.status) ? [stopOf(run, 'cancelled')] : []),
    ...(undoable ? [{ does: 'rollback' as const, runId: id, segment, at }] : []),
    { does: 'close', run: { id, undoFrom, stoppedBy }, messages: unread.left },
  ];
  const ended: StoredRun = {
    ...run,
    status,
    stoppedBy,
    reason: lost ? `${reason} ${lostWords(lost)}` : reason,
    until: undefined,
    draft: undefined,
    heldUntil: undefined,
  };
  const changed = reporting(withRun({ ...unread.meta, unreadable: undefined, updatedAt: at, todos }, ended));
  const rows = [...cut, ...byAnother(stoppedBy, closed), ...unread.rows];
  return { meta: changed, rows, answer: { ...changed, version: meta.version + 1 } };
}

/**
 * Returns how many calls that META names the run does not have. A query can see part of a transaction; a call of the run that it has not
 * seen is read by its key.
 *
 * @throws RowConflict if there is such a row; the caller then reads again.
 */
async function missingCalls(
  table: Table,
  conversationId: string,
  { id, next }: StoredRun,
  ids: string[],
): Promise<number> {
  const named = [...(next?.call && !isAnswered(next.call) ? [next.call] : []), ...(next?.calls ?? [])];
  const unseen = named.map(({ callId }) => callIdIn(callId)).filter((callId) => !ids.includes(callId));
  for (const callId of unseen)
    if (callId.startsWith(`${id}.`) && (await readRow(table, conversationId, key.call(callId))))
      throw new RowConflict(key.call(callId));
  return unseen.length;
}

/** Returns the id of the call that a callback is of. A server's question has its call's id and a number. */
const callIdIn = (callbackId: string): string => /^.*\.\d{5}\.\d{2,}/.exec(callbackId)?.[0] ?? callbackId;

const lostWords = (count: number): string =>
  `The records of ${count} of its calls cannot be read: whether they took effect is unknown, and they are not undone.`;
