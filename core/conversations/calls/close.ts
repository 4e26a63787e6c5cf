import { isSettled } from '../../base/state/schemas';
import { runPrefix } from '../../base/text/ids';
import type { Tool } from '../agent/tool';
import { key } from '../rows/keys';
import type { StoredRun } from '../rows/meta';
import { ifReadable } from '../rows/readable';
import { StoredCall } from '../rows/rows';
import { ignoreConflict, readRow, type Table, write } from '../store/table';
import type { RowWrite } from '../store/write';
import { type CallTool, mayHaveEffect, stateOf, toolOf } from './call-state';
import { closeCallback, readCallbacks, readCallbacksOfRun } from './callback';
import { type CallChange, changeCall, notDone, writesOf } from './change-call';
import { waitKinds } from './wait-kinds';

/** The latest callbacks include all that the run waits for. A transaction has at most 100 rows; `closeRest` closes the others. */
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
  const closed = calls
    .filter((call) => !isSettled(call.status) && !letFinish(call))
    .flatMap((call) => {
      const callback = callbacks.find(({ id }) => id === call.callbackId);
      const tool = toolOf(tools, call);
      const error = [reason, ...lostWords(call, tool)].join(' ');
      return writesOf(changeCall(call, 'cancel', { tool, now, callback, error })!);
    });
  const others = callbacks
    .filter(({ status }) => status === 'pending')
    .slice(-closedAtOnce)
    .filter(({ id }) => !closed.some(({ sk }) => sk === key.callback(id)));
  return [...closed, ...others.flatMap((callback) => closeCallback(callback, 'cancelled', now))];
}

/** Returns the writes that close what a run has left open. If another person than the owner has stopped it, its sub-agents' effects stay. */
export const byAnother = (stoppedBy: string | undefined, rows: RowWrite[]): RowWrite[] =>
  rows.map((row) =>
    'todo' in row && row.todo.does === 'withdraw' ? { ...row, todo: { ...row.todo, stoppedBy } } : row,
  );

/** Closes what is still open of a cancelled run: addresses that earlier steps have given to outside systems. Repeating it changes nothing. */
export async function closeRest(
  table: Table,
  conversationId: string,
  { id, stoppedBy }: Pick<StoredRun, 'id' | 'stoppedBy'>,
  now: Date,
): Promise<void> {
  for (const callback of await readCallbacksOfRun(table, conversationId, id))
    if (callback.status === 'pending')
      await write(table, conversationId, byAnother(stoppedBy, closeCallback(callback, 'cancelled', now)));
}

/** Says of a call that may have taken effect why nobody knows. */
function lostWords(call: StoredCall, tool: CallTool): string[] {
  if (!mayHaveEffect(stateOf(call), tool.effect)) return [];
  if (call.status === 'waiting' && !call.uncertain)
    return ['Its work elsewhere had already started; the outcome will not be reported.'];
  return [call.status === 'running' ? 'It was already running.' : 'An earlier attempt had been lost.'];
}

/**
 * Withdraws a call that waits for a person, because a message came instead of the answer. The execution that waits is to be resumed.
 *
 * @param change.error says what came instead: see `notDone`.
 */
export const withdrawCall = (
  call: StoredCall,
  change: Pick<CallChange, 'tool' | 'callback' | 'error' | 'now'>,
): RowWrite[] => {
  const changed = changeCall(call, 'cancel', { ...change, resumes: true });
  return changed ? writesOf(changed) : [];
};

/**
 * Closes the open questions and approvals of failed runs that a message has replaced, and what their models still reply or their servers
 * work on, because no run would ask for it. Other work that others do for those runs continues. A decision that commits at the same moment
 * holds.
 */
export async function closeAsked(
  table: Table,
  conversationId: string,
  { id, undoFrom }: Pick<StoredRun, 'id' | 'undoFrom'>,
  now: Date,
  tools?: ReadonlyMap<string, Tool>,
): Promise<void> {
  if (undoFrom === undefined || id.startsWith(runPrefix(undoFrom))) return;
  const callbacks = await readCallbacks(table, conversationId, runPrefix(undoFrom), `${id}.`);
  const error = notDone('The run failed, and the user sent a message before this was decided');
  for (const callback of callbacks) {
    // The run itself waits for a reply in the background before its first step.
    if (callback.id.startsWith(`${id}.`)) continue;
    if (callback.status !== 'pending' || waitKinds[callback.kind].afterFailure === 'kept') continue;
    const row = callback.callId && (await readRow(table, conversationId, key.call(callback.callId)));
    const call = row ? ifReadable(StoredCall, row) : undefined;
    const rows = call
      ? withdrawCall(call, { tool: tools && toolOf(tools, call), callback, error, now })
      : closeCallback(callback, 'cancelled', now);
    await write(table, conversationId, rows).catch(ignoreConflict);
  }
}
