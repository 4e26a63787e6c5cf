import type { Tool } from '../agent/tool';
import { key } from '../rows/keys';
import type { StoredRun } from '../rows/meta';
import { replyRow, type StoredCall, type StoredCallback } from '../rows/rows';
import { isOver, isSettled } from '../state/schemas';
import { endText } from '../store/pieces';
import { type Table, unlessConflict, write } from '../store/table';
import type { RowWrite } from '../store/write';
import { runPrefix } from '../text/ids';
import { effectOf, transition } from './call-state';
import { closing, isForPeople, readCallbacks, readCallbacksOfRun } from './callback';
import { unknownOutcome } from './unknown-outcome';

/** The latest callbacks include all that the run waits for. A transaction has at most 100 rows. */
const closedAtOnce = 30;

/**
 * Closes the open calls and callbacks of a cancelled run, in the run's own transaction. A tool that is invoked late finds its
 * call settled and does nothing, and nothing can be answered any more.
 *
 * @param calls the calls of the last step, as read for the cancel. If one has begun since, its row's condition fails and the
 *   cancel is decided again.
 * @param letFinish whether a running call may finish. Its outcome must be known before it can be undone.
 * @param tools decide the outcome: running non-read tools may already have taken effect, and the model must know.
 */
export async function closeOpen(
  table: Table,
  conversationId: string,
  run: StoredRun,
  {
    calls,
    reason,
    letFinish,
    tools,
    now,
  }: {
    calls: StoredCall[];
    reason: string;
    letFinish(call: StoredCall): boolean;
    tools: ReadonlyMap<string, Tool>;
    now: Date;
  },
): Promise<RowWrite[]> {
  const callbacks = await readCallbacksOfRun(table, conversationId, run.id);
  const completedAt = now.toISOString();
  const outcome = (call: StoredCall) => {
    const closed = transition(call, 'cancel', effectOf(tools, call))!;
    return { ...closed, error: closed.status === 'unknown' ? lostWords(call) : reason };
  };
  const lostWords = (call: StoredCall) => {
    if (hasBegun(call)) return `${reason} Its work elsewhere had already started; the outcome will not be reported.`;
    const state = call.status === 'running' ? 'It was already running.' : 'An earlier attempt had been lost.';
    return `${reason} ${state} ${unknownOutcome(tools.get(call.tool))}`;
  };
  const open = calls.filter((call) => !isSettled(call.status) && !letFinish(call));
  return [
    // The half-written message of a failed run has already been marked.
    ...(isOver(run.status) ? [] : await cutDraft(table, conversationId, run, now)),
    ...open.map((call) => ({
      sk: key.call(call.id),
      set: { ...outcome(call), completedAt },
      onlyIf: { status: call.status, attempts: call.attempts },
    })),
    ...callbacks
      .filter(({ status }) => status === 'pending')
      .slice(-closedAtOnce)
      .map((callback) => closeCallbackRow(callback, now)),
  ];
}

/** Whether the call waits for the outcome of work that it started elsewhere. */
export const hasBegun = ({ status, attempts }: StoredCall): boolean => status === 'waiting' && attempts > 0;

/** Cuts off the message that is being written. It keeps its text but loses its writer, which then stops. */
export const cutDraft = (table: Table, conversationId: string, run: StoredRun, now: Date) =>
  endDraft(table, conversationId, run, 'cancelled', now);

/** Marks the message of a failed step. It keeps its place in the log, where a retry writes. */
export const breakOffDraft = (table: Table, conversationId: string, run: StoredRun, now: Date) =>
  endDraft(table, conversationId, run, 'error', now);

/**
 * META, which contains the draft, fences this write. The row's writer cannot: after a retry, it has none until the step begins. If the
 * step has only its place, this is the row's first write, and the attempt in it rejects a late one of `beginStep`.
 */
async function endDraft(
  table: Table,
  conversationId: string,
  run: StoredRun,
  status: 'cancelled' | 'error',
  now: Date,
): Promise<RowWrite[]> {
  const { draft } = run;
  if (!draft) return [];
  const { attempt } = draft;
  const { text, rows } = await endText(table, conversationId, draft, now);
  const ended: RowWrite = {
    sk: key.message(draft.seq),
    set: { text, status, attempt, completedAt: now.toISOString() },
    first: { ...replyRow(draft, run, now), ...(text === undefined && { text: '' }) },
    remove: ['writer'],
    onlyIf: { attempt: { atMost: attempt ?? 0 } },
  };
  return [ended, ...rows];
}

/** Closes a callback that was not answered in time, and the call that waits for it. */
export const expireCallback = (callback: StoredCallback, now: Date): RowWrite[] => [
  closing(callback, { status: 'expired' }, now, 'taskTokens'),
  endCall(callback, 'failed', callback.fallback!, now),
];

/** Closes a callback and the call that waits for it. The outbox requests that the execution be resumed. */
export const closeCallback = (
  callback: StoredCallback,
  error: string,
  now: Date,
  status: 'cancelled' | 'failed' = 'cancelled',
): RowWrite[] => [closeCallbackRow(callback, now, 'answer'), endCall(callback, status, error, now)];

const endCall = ({ callId }: StoredCallback, status: 'cancelled' | 'failed', error: string, now: Date): RowWrite => ({
  sk: key.call(callId!),
  set: { status, error, completedAt: now.toISOString() },
  onlyIf: { status: 'waiting' },
});

/**
 * Closes the open questions and approvals of failed runs that a message has replaced. Work that others do for those runs
 * continues. A decision that commits at the same moment holds.
 */
export async function closeAsked(table: Table, conversationId: string, run: StoredRun, now: Date): Promise<void> {
  const { id, undoFrom } = run;
  if (undoFrom === undefined || id.startsWith(runPrefix(undoFrom))) return;
  const callbacks = await readCallbacks(table, conversationId, runPrefix(undoFrom), `${id}.`);
  const why = 'The run failed, and the user sent a message before this was decided, so it was not done.';
  for (const callback of callbacks) {
    if (callback.status !== 'pending' || !isForPeople(callback.kind)) continue;
    const rows = callback.callId ? closeCallback(callback, why, now) : [closeCallbackRow(callback, now)];
    await write(table, conversationId, rows).catch(unlessConflict);
  }
}

/** A sub-agent's callback gets its own outbox, because META's may hold another action by the time the sub-agent is cancelled. */
const closeCallbackRow = ({ id, kind, version }: StoredCallback, now: Date, outbox?: 'answer'): RowWrite => {
  const set = { status: 'cancelled', outbox: kind === 'agent' ? 'answer' : outbox } as const;
  return outbox ? closing({ id, version }, set, now) : closing({ id, version }, set, now, 'taskTokens');
};
