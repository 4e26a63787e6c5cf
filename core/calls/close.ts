import type { Tool } from '../agent/tool';
import { isOver, isSettled } from '../state/schemas';
import { type Draft, key, type StoredCall, type StoredCallback, type StoredRun } from '../store/rows';
import { type Table, unlessConflict, write } from '../store/table';
import type { RowWrite } from '../store/write';
import { runPrefix } from '../text/ids';
import { effectOf, transition } from './call-state';
import { readCallbacks, readCallbacksOfRun } from './callback';
import { unknownOutcome } from './unknown-outcome';

/** The latest, which include all that the run waits on: a transaction has at most 100 rows. */
const closedAtOnce = 30;

/**
 * What a cancelled run leaves open is closed with it, in the same transaction: a tool that is invoked late finds its call
 * settled and does nothing, and nothing can be answered any more.
 *
 * @param calls of the run's last step, as it was decided on them what there is to undo: one that has begun since makes it be decided anew.
 * @param letFinish calls at work that are let finish: what they did has to be known, so that it can be undone.
 * @param tools what is at work and no mere read may have taken effect, and the model must not think that it has not.
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
    if (hasBegun(call)) return `${reason} It had been started elsewhere by then, and nobody waits for how it ends.`;
    const when = call.status === 'running' ? 'It was at work by then.' : 'An attempt had been lost by then.';
    return `${reason} ${when} ${unknownOutcome(tools.get(call.tool))}`;
  };
  const open = calls.filter((call) => !isSettled(call.status) && !letFinish(call));
  return [
    // A failed run's half-written message has been marked as such.
    ...(isOver(run.status) ? [] : cutDraft(run, now)),
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

/** What waits for a delivery from elsewhere, which it has asked for. */
export const hasBegun = ({ status, attempts }: StoredCall): boolean => status === 'waiting' && attempts > 0;

/** A message that is being written stays as it is: whoever writes it finds that it may not any more, and stops. */
export const cutDraft = ({ draft }: StoredRun, now: Date): RowWrite[] => endDraft(draft, 'cancelled', now);

/** A step that broke off shows it, and keeps its place in the log: retried, its message is written there. */
export const breakOffDraft = ({ draft }: StoredRun, now: Date): RowWrite[] => endDraft(draft, 'error', now);

/** META, which the draft is in, fences this. Its writer does not: of a run that is retried, the row has none until the step begins. */
function endDraft(draft: Draft | undefined, status: 'cancelled' | 'error', now: Date): RowWrite[] {
  if (!draft) return [];
  const set = { status, completedAt: now.toISOString() };
  return [{ sk: key.message(draft.seq), set, remove: ['writer'], onlyIf: { seq: draft.seq } }];
}

/** A callback that is not asked any more, and the call that waits on it. Its execution is to be told. */
export const closeCallback = (
  callback: StoredCallback,
  error: string,
  now: Date,
  status: 'cancelled' | 'failed' = 'cancelled',
): RowWrite[] => [
  closeCallbackRow(callback, now, 'answer'),
  {
    sk: key.call(callback.callId!),
    set: { status, error, completedAt: now.toISOString() },
    onlyIf: { status: 'waiting' },
  },
];

/**
 * A message has taken the place of a retry: what the failed runs have asked is not to be decided any more. What others work on for
 * them goes on. Those that are decided in this moment stay so.
 */
export async function closeAsked(table: Table, conversationId: string, run: StoredRun, now: Date): Promise<void> {
  const { id, undoFrom } = run;
  if (undoFrom === undefined || id.startsWith(runPrefix(undoFrom))) return;
  const asked = await readCallbacks(table, conversationId, runPrefix(undoFrom), `${id}.`);
  const why = 'The run failed, and the user wrote something before this was decided, so it was not done.';
  for (const callback of asked) {
    if (callback.status !== 'pending' || (callback.kind !== 'question' && callback.kind !== 'approval')) continue;
    const rows = callback.callId ? closeCallback(callback, why, now) : [closeCallbackRow(callback, now)];
    await write(table, conversationId, rows).catch(unlessConflict);
  }
}

/** Whoever works for it is to be told as well: META's outbox may have something else in it by then. */
const closeCallbackRow = ({ id, kind, version }: StoredCallback, now: Date, outbox?: 'answer'): RowWrite => ({
  sk: key.callback(id),
  set: { status: 'cancelled', closedAt: now.toISOString(), outbox: kind === 'agent' ? 'answer' : outbox },
  remove: outbox ? [] : ['taskTokens'],
  onlyIf: { version },
});
