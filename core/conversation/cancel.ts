import type { Tool } from '../agent/tool';
import { readCallsToUndoFor } from '../calls/call';
import { effectOf, mayHaveEffect } from '../calls/call-state';
import { closeOpen } from '../calls/close';
import { canBeUndone, isBeyondUndo, isDone } from '../calls/undoable';
import { key } from '../rows/keys';
import type { Meta, StoredRun } from '../rows/meta';
import type { StoredCall } from '../rows/rows';
import { checkOwner } from '../runs/conversation';
import { messagesAtOnce } from '../runs/messages-at-once';
import { reporting } from '../runs/run';
import { isAnswered, type SegmentInput } from '../state/loop-state';
import { isActive, isSettled } from '../state/schemas';
import { type Change, changeConversation, RowConflict, type Table, unlessConflict, write } from '../store/table';
import type { RowWrite } from '../store/write';
import { WrongState } from '../text/errors';

type Tools = ReadonlyMap<string, Tool>;

/** Unread messages that are closed in the same transaction as the calls. The others are closed after it. */
const closedAtOnce = { rows: 40, bytes: 1_000_000 };

/**
 * Cancels a run in any state. It says and does nothing more. If it has effects to undo, it is `cancelling` until its rollback
 * has undone them; otherwise it is `cancelled` at once. A second request changes nothing.
 *
 * @param runId the run to cancel. A repeated request leaves a later run alone.
 * @throws NotFound if the conversation is not this user's.
 * @throws WrongState if there is nothing to cancel.
 */
export const cancelRun = (
  table: Table,
  tools: Tools,
  { conversationId, user, runId }: { conversationId: string; user: string; runId?: string },
  now: Date,
): Promise<Meta> =>
  change(table, conversationId, (meta) => {
    checkOwner(meta, user);
    const status = meta.run?.status ?? 'idle';
    if (status === 'cancelling' || status === 'cancelled') return { answer: meta };
    if (runId !== undefined && runId !== meta.run?.id) return { answer: meta };
    if (status === 'idle' || status === 'done')
      throw new WrongState(`There is nothing to cancel: the conversation is ${status}.`);
    return cancelling(table, tools, meta, 'Cancelled by the user.', now);
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
  const before = await change(table, at.conversationId, (meta) =>
    active(meta) ? cancelling(table, tools, meta, reason, now) : { answer: undefined },
  );
  return before !== undefined;
};

/** Builds the change that makes a run `cancelling`, or `cancelled` if it has nothing to undo. META's outbox says what remains. */
export async function cancelling(
  table: Table,
  tools: Tools,
  meta: Meta,
  reason: string,
  now: Date,
): Promise<Change<Meta> & { meta: Meta }> {
  const run = meta.run!;
  const letFinish = (call: StoredCall) =>
    call.status === 'running' && canBeUndone(tools, call) && mayHaveEffect(call, effectOf(tools, call));
  const calls = await readCallsToUndoFor(table, meta.conversationId, run);
  assertWhole(run, calls);
  // The rollback closes calls that earlier runs, which this one continues from, left open.
  const isLeft = (call: StoredCall) => call.runId !== run.id && !isSettled(call.status);
  const isToUndo = (call: StoredCall) =>
    isDone(call) || letFinish(call) || mayHaveEffect(call, effectOf(tools, call)) || isLeft(call);
  const undoable = calls.some((call) => (canBeUndone(tools, call) && isToUndo(call)) || isBeyondUndo(tools, call));
  const status = undoable ? ('cancelling' as const) : ('cancelled' as const);
  const lost = calls.filter(({ unreadable }) => unreadable !== undefined).length;
  const last = calls.filter(({ runId, step }) => runId === run.id && step === run.step);
  const closed = await closeOpen(table, meta.conversationId, run, { calls: last, reason, letFinish, tools, now });
  const unread = await messagesAtOnce(table, meta.conversationId, unreadOf(meta), closedAtOnce);
  const changed = reporting({
    ...meta,
    status,
    until: undefined,
    updatedAt: now.toISOString(),
    outbox: undoable ? 'cancel' : 'stop',
    // Messages sent before the cancel stay in the log but start no run.
    pending: [],
    queued: undefined,
    scheduled: undefined,
    run: {
      ...run,
      status,
      reason: lost ? `${reason} ${lostWords(lost)}` : reason,
      until: undefined,
      draft: undefined,
      heldUntil: undefined,
    },
  });
  const rows = [...closed, ...unread.map(complete)];
  return { meta: changed, rows, answer: { ...changed, version: meta.version + 1 } };
}

/**
 * Checks that all calls that META names were read. A query can see part of a transaction.
 *
 * @throws RowConflict if one is missing; the caller then reads again.
 */
function assertWhole({ next }: StoredRun, calls: StoredCall[]): void {
  const named = [...(next?.call && !isAnswered(next.call) ? [next.call] : []), ...(next?.calls ?? [])];
  const unseen = named.find(({ callId }) => !calls.some(({ id }) => id === callId));
  if (unseen) throw new RowConflict(key.call(unseen.callId));
}

const lostWords = (count: number): string =>
  `The records of ${count} of its calls cannot be read: whether they took effect is unknown, and they are not undone.`;

const unreadOf = ({ pending, queued = [] }: Meta): number[] => [...pending, ...queued];
const complete = (seq: number): RowWrite => ({ sk: key.message(seq), set: { status: 'complete' }, onlyIf: { seq } });

/**
 * Makes a change, and tries again when a call is claimed or a token stored meanwhile. Unread messages that do not fit into the
 * transaction are closed after it, when META no longer lists them.
 */
async function change<Answer>(
  table: Table,
  conversationId: string,
  decide: (meta: Meta) => Change<Answer> | Promise<Change<Answer>>,
): Promise<Answer> {
  let left: number[] = [];
  const closing = async (meta: Meta) => {
    const decided = await decide(meta);
    const closed = new Set(decided.rows?.map(({ sk }) => sk));
    left = decided.meta ? unreadOf(meta).filter((seq) => !closed.has(key.message(seq))) : [];
    return decided;
  };
  const answer = await changeConversation(table, conversationId, closing, { repairs: true });
  while (left.length > 0) {
    const some = await messagesAtOnce(table, conversationId, left, closedAtOnce);
    await write(table, conversationId, some.map(complete)).catch(unlessConflict);
    left = left.slice(some.length);
  }
  return answer;
}
