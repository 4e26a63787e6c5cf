// core/machines/rollback: how the effects of a run are undone, and how an execution that broke off is settled.

import { type RollbackInput, type RollbackOutput, rollbackName } from '../../base/state/rollback-state';
import { isSettled } from '../../base/state/schemas';
import { clockToleranceMs } from '../../base/state/waiting';
import { errorWords } from '../../base/text/caught-error';
import type { Registry } from '../../conversations/agent/registry';
import { attemptSeconds, type FunctionTool } from '../../conversations/agent/tool';
import { readCall, readCallsToUndoFor } from '../../conversations/calls/call';
import { isDelegation, mayHaveEffect, stateOf, toolOf } from '../../conversations/calls/call-state';
import { changeCall, writesOf } from '../../conversations/calls/change-call';
import { settleCall } from '../../conversations/calls/settle';
import { canBeUndone, isAbandoned, isBeyondUndo, isDone, isWithoutTool } from '../../conversations/calls/undoable';
import { cancelling } from '../../conversations/conversation/cancel';
import { cancelChild } from '../../conversations/conversation/children';
import { key } from '../../conversations/rows/keys';
import type { Meta, StoredRun } from '../../conversations/rows/meta';
import { ifReadable } from '../../conversations/rows/readable';
import { type StoredCall, StoredCallback } from '../../conversations/rows/rows';
import { endAndStartQueued } from '../../conversations/runs/run';
import { withRun } from '../../conversations/runs/standing';
import { type Change, changeConversation } from '../../conversations/store/change-conversation';
import { ignoreConflict, readRow, readShownMeta, type Table, write } from '../../conversations/store/table';
import type { RowWrite } from '../../conversations/store/write';

/** The rollback waits for a running call until its attempt must have timed out, and this much longer. */
const graceMs = 15_000;
/** Lambda's longest: nobody knows the timeout of a tool that is no longer deployed. */
const longestAttemptSeconds = 900;
/** The shortest time between two checks of a sub-agent's rollback. */
const lookAgainMs = 5_000;
/** An undo adds at most about 400 events to an execution's 25,000: its own attempts, and those of NextUndo. */
const undosPerExecution = 50;

/**
 * Chooses what a rollback does next: it undoes the newest call that took effect and can be undone. If none is left, the run becomes
 * `cancelled`. The calls' rows hold the progress, so the rollback continues after any crash. A call whose undo fails permanently
 * keeps the reason, and the others are still undone.
 */
export async function nextUndo(
  table: Table,
  registry: Registry,
  input: RollbackInput,
  now: Date,
): Promise<RollbackOutput> {
  const { conversationId, runId, segment } = input;
  const done: RollbackOutput = { conversationId, runId, segment, next: 'done' };
  const meta = await readShownMeta(table, conversationId);
  const run = meta?.run;
  if (run?.id !== runId || run.segment !== segment) return done;
  if (run.status === 'failed' && !(await holdIsOver(table, registry, run, input, now))) return done;
  if (run.status !== 'failed' && run.status !== 'cancelling') return done;
  if (input.error && input.call)
    await noteFailedUndo(table, conversationId, input.call.callId, errorWords(input.error));

  const { calls: all } = await readCallsToUndoFor(table, conversationId, run);
  const [lost] = all.filter((call) => isBeyondUndo(registry.tools, call));
  if (lost) {
    await write(table, conversationId, [notUndone(lost.id, 'Its tool is no longer deployed.')]);
    return nextUndo(table, registry, { ...input, error: undefined }, now);
  }
  const { tools } = registry;
  const calls = all.filter(
    (call) => canBeUndone(tools, call) || isAbandoned(tools, call) || call.undoError !== undefined,
  );
  for (const call of calls.filter(({ status }) => !isSettled(status))) {
    const until = await closeLeft(table, registry, conversationId, call, now);
    if (until) return { ...done, next: 'wait', until, count: input.count };
    return nextUndo(table, registry, { ...input, error: undefined }, now);
  }
  const newest = calls.findLast(isToBeUndone);
  if (!newest) return finish(table, done, calls, now);
  if (isDelegation(newest)) return undoDelegation(table, registry, input, newest, now);
  const count = (input.count ?? 0) + 1;
  if (count > undosPerExecution)
    return { ...done, next: 'continue', execution: rollbackName(runId, segment, newest.id) };
  return { ...done, next: `undo:${newest.tool}`, call: { callId: newest.id }, count };
}

/**
 * Closes a call that was open when the run was cancelled. A call that has not begun is cancelled. A running call may finish first.
 *
 * @returns the time until which to wait for a running call, if any.
 */
async function closeLeft(
  table: Table,
  { tools }: Registry,
  conversationId: string,
  call: StoredCall,
  now: Date,
): Promise<string | undefined> {
  const tool = toolOf(tools, call);
  const isAtWork = call.status === 'running' && mayHaveEffect(stateOf(call), tool.effect);
  const began = Date.parse(call.attemptAt ?? call.startedAt ?? call.createdAt);
  const own = tools.get(call.tool) as FunctionTool | undefined;
  const until = isAtWork && began + (own ? attemptSeconds(own) : longestAttemptSeconds) * 1_000 + graceMs;
  if (until && now.getTime() < until) return new Date(until).toISOString();
  const lost = call.uncertain ? 'An attempt was lost.' : notBegun;
  const error = isAtWork ? 'It was still running when the run was cancelled.' : lost;
  const callback = await callbackOf(table, conversationId, call);
  // A sub-agent may have done something already. Its failed delegation is undone next.
  const event = isDelegation(call) ? 'expire' : 'cancel';
  const changed = changeCall(call, event, { tool, now, callback, error });
  if (changed) await write(table, conversationId, writesOf(changed)).catch(ignoreConflict);
  return undefined;
}

/** Returns the callback that a call waits or has waited for; undefined if it cannot be read, too. */
const callbackOf = async (table: Table, conversationId: string, { callbackId }: StoredCall) =>
  callbackId === undefined
    ? undefined
    : ifReadable(StoredCallback, await readRow(table, conversationId, key.callback(callbackId)));

const notBegun = 'The run was cancelled before this was done.';

const isToBeUndone = (call: StoredCall): boolean => isDone(call) && call.undoError === undefined;

/** Undoes a delegation: the sub-agent's run has a rollback of its own, which this one checks until it is over. */
async function undoDelegation(
  table: Table,
  registry: Registry,
  input: RollbackInput,
  call: StoredCall,
  now: Date,
): Promise<RollbackOutput> {
  const { conversationId, runId, segment, count } = input;
  const callback = await callbackOf(table, conversationId, call);
  if (!callback) {
    const set = { undoError: 'The record of its sub-agent cannot be read.' };
    await write(table, conversationId, [{ sk: key.call(call.id), set, onlyIf: { status: call.status } }]);
    return nextUndo(table, registry, { ...input, error: undefined, call: undefined }, now);
  }
  const child = await cancelChild(table, registry.tools, callback.conversationId!, now);
  if (child?.run?.status === 'cancelling') {
    // The interval grows with the elapsed time, so this execution's history stays short.
    const sofar = now.getTime() - Date.parse(child.updatedAt);
    const until = new Date(now.getTime() + Math.max(lookAgainMs, sofar / 10)).toISOString();
    return { conversationId, runId, segment, next: 'wait', until, count };
  }
  await settleCall(table, conversationId, call, { status: 'undone' }, { now });
  return nextUndo(table, registry, { ...input, error: undefined, call: undefined }, now);
}

/** Begins the rollback of a failed run if its hold is over and it has not been retried. */
async function holdIsOver(
  table: Table,
  { tools }: Registry,
  { id, segment }: StoredRun,
  { conversationId }: RollbackInput,
  now: Date,
): Promise<boolean> {
  const begin = async (meta: Meta): Promise<Change<boolean>> => {
    const { run } = meta;
    if (run?.id !== id || run.segment !== segment) return { answer: false };
    // Another attempt of this invocation has begun it, or the user has cancelled the run. Both rely on this execution.
    if (run.status === 'cancelling') return { answer: true };
    const isHeld = run.status === 'failed' && run.heldUntil;
    if (!isHeld || Date.parse(isHeld) > now.getTime() + clockToleranceMs) return { answer: false };
    const reason = `It failed and was not retried in time: ${run.reason}`;
    const { answer: _, ...cancelled } = await cancelling(table, tools, meta, reason, now);
    // This execution is the rollback, so none must be started.
    const todos = cancelled.meta.todos?.filter(({ does }) => does !== 'rollback');
    return { ...cancelled, meta: { ...cancelled.meta, todos }, answer: true };
  };
  return changeConversation(table, conversationId, begin, { ends: true });
}

/** Stores why an undo failed. The reason that the compensation has written to the call's row takes precedence. */
async function noteFailedUndo(table: Table, conversationId: string, callId: string, words: string): Promise<void> {
  const call = await readCall(table, conversationId, callId);
  await write(table, conversationId, [notUndone(callId, call?.error ?? words)]);
}

const notUndone = (callId: string, undoError: string): RowWrite => ({
  sk: key.call(callId),
  set: { undoError },
  onlyIf: { status: ['completed', 'unknown'] },
});

function finish(table: Table, done: RollbackOutput, calls: StoredCall[], now: Date): Promise<RollbackOutput> {
  const end = (meta: Meta): Change<RollbackOutput> => {
    const { run } = meta;
    if (run?.id !== done.runId || run.status !== 'cancelling') return { answer: done };
    const reason = [run.reason, summary(calls)].filter(Boolean).join(' ');
    const over = withRun({ ...meta, updatedAt: now.toISOString() }, { ...run, status: 'cancelled', reason });
    // Messages that arrived since the cancel start the next run.
    return { meta: endAndStartQueued(over, now), answer: done };
  };
  return changeConversation(table, done.conversationId, end, { ends: true });
}

/**
 * Ends a rollback whose execution failed or was stopped from outside. Calls that are not undone get the reason.
 *
 * @returns whether there was a rollback to end.
 */
export async function abandonRollback(
  table: Table,
  { tools }: Registry,
  { conversationId, runId, segment }: RollbackInput,
  why: string,
  now: Date,
): Promise<boolean> {
  const run = (await readShownMeta(table, conversationId))?.run;
  if (run?.id !== runId || run.segment !== segment || run.status !== 'cancelling') return false;
  // A running call may complete after this, and is not undone either.
  const isLeft = (call: StoredCall) =>
    call.undoError === undefined &&
    (isWithoutTool(tools, call) || (canBeUndone(tools, call) && (isDone(call) || call.status === 'running')));
  let { calls } = await readCallsToUndoFor(table, conversationId, run);
  while (calls.some(isLeft)) {
    const set = { undoError: `The rollback was stopped. ${why}` };
    for (const { id, status } of calls.filter(isLeft))
      await write(table, conversationId, [{ sk: key.call(id), set, onlyIf: { status } }]);
    ({ calls } = await readCallsToUndoFor(table, conversationId, run));
  }
  await finish(table, { conversationId, runId, segment, next: 'done' }, calls, now);
  return true;
}

/** Summarizes the rollback for people. */
function summary(calls: StoredCall[]): string | undefined {
  const undone = calls.filter(({ status }) => status === 'undone').length;
  const failed = calls.filter(({ undoError }) => undoError !== undefined);
  if (undone + failed.length === 0) return undefined;
  const ok = `${undone} of ${undone + failed.length} effects undone.`;
  return failed.length === 0 ? ok : `${ok} Not undone: ${failed.map(({ tool }) => tool).join(', ')}.`;
}
