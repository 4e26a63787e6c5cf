import type { Tool } from '../agent/tool';
import { readCallsAnsweredFor } from '../calls/call';
import { effectOf, mayHaveEffect } from '../calls/call-state';
import { closeOpen } from '../calls/close';
import { canBeUndone, isBeyondUndo, isDone } from '../calls/undoable';
import { checkOwner } from '../runs/conversation';
import { messagesAtOnce } from '../runs/messages-at-once';
import { reporting } from '../runs/run';
import { isAnswered, type SegmentInput } from '../state/loop-state';
import { isActive, isSettled } from '../state/schemas';
import { key, type Meta, type StoredCall, type StoredRun } from '../store/rows';
import { type Change, changeConversation, RowConflict, type Table, write } from '../store/table';
import type { RowWrite } from '../store/write';
import { WrongState } from '../text/errors';

type Tools = ReadonlyMap<string, Tool>;

/** Messages that nobody has taken up are closed in one transaction with the calls: it has at most 100 rows. */
const closedAtOnce = { rows: 40, bytes: 1_000_000 };

/**
 * Cancels a run, in whatever state it is: nothing more is said or done from here on. What it did is then undone by its
 * rollback, which ends it as `cancelled`. Asked twice, it answers the same.
 *
 * @param runId the run that is meant: asked again when another one has begun, it leaves that alone.
 * @throws NotFound if the conversation is not this user's, WrongState if there is nothing to cancel.
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
    if (status === 'idle' || status === 'done') throw new WrongState(`There is nothing to cancel: it is ${status}.`);
    return cancelling(table, tools, meta, 'Cancelled by the user.', now);
  });

/** Cancels the run of an execution that was stopped from outside. @returns whether it was this run's to cancel. */
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

/** The change that makes a run `cancelling`, or `cancelled` if it did nothing to be undone; META's outbox sees to the rest. */
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
  const calls = await readCallsAnsweredFor(table, meta.conversationId, run);
  assertWhole(run, calls);
  // What a run that this one goes on from left open is closed by the rollback.
  const isLeft = (call: StoredCall) => call.runId !== run.id && !isSettled(call.status);
  const isToUndo = (call: StoredCall) =>
    isDone(call) || letFinish(call) || mayHaveEffect(call, effectOf(tools, call)) || isLeft(call);
  const undoable = calls.some((call) => (canBeUndone(tools, call) && isToUndo(call)) || isBeyondUndo(tools, call));
  const status = undoable ? ('cancelling' as const) : ('cancelled' as const);
  const last = calls.filter(({ runId, step }) => runId === run.id && step === run.step);
  const closed = await closeOpen(table, meta.conversationId, run, { calls: last, reason, letFinish, tools, now });
  const unread = await messagesAtOnce(table, meta.conversationId, unreadOf(meta), closedAtOnce);
  const changed = reporting({
    ...meta,
    status,
    until: undefined,
    updatedAt: now.toISOString(),
    outbox: undoable ? 'cancel' : 'stop',
    // What was said before the cancel stays in the log, and starts nothing any more.
    pending: [],
    queued: undefined,
    scheduled: undefined,
    run: { ...run, status, reason, until: undefined, draft: undefined, heldUntil: undefined },
  });
  const rows = [...closed, ...unread.map(complete)];
  return { meta: changed, rows, answer: { ...changed, version: meta.version + 1 } };
}

/** A transaction's rows may come into sight one after the other: META names calls that are not there yet. Then look again. */
function assertWhole({ next }: StoredRun, calls: StoredCall[]): void {
  const handedOut = [...(next?.call && !isAnswered(next.call) ? [next.call] : []), ...(next?.calls ?? [])];
  const unseen = handedOut.find(({ callId }) => !calls.some(({ id }) => id === callId));
  if (unseen) throw new RowConflict(key.call(unseen.callId));
}

const unreadOf = ({ pending, queued = [] }: Meta): number[] => [...pending, ...queued];
const complete = (seq: number): RowWrite => ({ sk: key.message(seq), set: { status: 'complete' }, onlyIf: { seq } });

/**
 * A call may be claimed, or a token come, while we look: look again. Unread messages that are too many for the transaction are closed
 * after it: META does not know them any more.
 */
async function change<Answer>(
  table: Table,
  conversationId: string,
  decide: (meta: Meta) => Change<Answer> | Promise<Change<Answer>>,
): Promise<Answer> {
  let left: number[] = [];
  const answer = await changeConversation(table, conversationId, async (meta) => {
    const decided = await decide(meta);
    const closed = new Set(decided.rows?.map(({ sk }) => sk));
    left = decided.meta ? unreadOf(meta).filter((seq) => !closed.has(key.message(seq))) : [];
    return decided;
  });
  while (left.length > 0) {
    const some = await messagesAtOnce(table, conversationId, left, closedAtOnce);
    await write(table, conversationId, some.map(complete));
    left = left.slice(some.length);
  }
  return answer;
}
