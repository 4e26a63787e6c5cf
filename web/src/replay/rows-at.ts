import type { Callback, Message } from 'vigil-client';
import { asksFor, type Call, type FailedAttempt, type Run } from 'vigil-client/shared';
import { isReply, type Moment, type Rows, storedAt } from './moments';

/**
 * Returns the rows as they stood at a time, from the rows of today. A row that has not changed since is the same object.
 *
 * Rows keep their times but not their earlier texts. So a reply that was being written has no text, and an amended message has
 * its latest one.
 */
export function rowsAt({ messages, calls, callbacks }: Rows, at: string): Rows {
  const replies = new Map(messages.filter(isReply).map((one) => [one.seq, one]));
  const stored = storedAt({ messages, calls });
  const asked = new Map(callbacks.map((one) => [one.id, { ...one, createdAt: stored(one) }]));
  return {
    messages: messages.filter(({ createdAt }) => createdAt <= at).flatMap((one) => messageAt(one, replies, at)),
    calls: calls.filter((one) => stored(one) <= at).map((one) => callAt(one, asked.get(one.callbackId ?? ''), at)),
    callbacks: callbacks.filter((one) => stored(one) <= at).map((one) => callbackAt(one, at)),
  };
}

const isLater = (time: string | undefined, at: string): boolean => time !== undefined && time > at;
const isPast = (time: string | undefined, at: string): boolean => time !== undefined && time <= at;

function without<Row extends object, Field extends keyof Row>(row: Row, ...fields: Field[]): Omit<Row, Field> {
  const copy = { ...row };
  for (const field of fields) delete copy[field];
  return copy;
}

function failedBy(failed: readonly FailedAttempt[] = [], at: string): FailedAttempt[] | undefined {
  const seen = failed.filter(({ startedAt, endedAt }) => isPast(endedAt ?? startedAt, at));
  return seen.length > 0 ? seen : undefined;
}

function messageAt(message: Message, replies: ReadonlyMap<number, Message>, at: string): Message[] {
  const { completedAt, readBySeq, role, callId, status, failedAttempts } = message;
  if (isLater(completedAt, at)) {
    // The note that Vigil put in place of a reply names no agent.
    if (role === 'system') return [];
    const begun = without(message, 'completedAt', 'usage', 'cutOff', 'covers');
    return [{ ...begun, text: '', status: 'streaming', failedAttempts: failedBy(failedAttempts, at) }];
  }
  // The answer to a call's question is read with the call.
  if (role !== 'user' || callId !== undefined || status === 'pending') return [message];
  // Nothing says when a message that nobody read was closed: when its run was stopped.
  const isRead = readBySeq !== undefined && !isLater(replies.get(readBySeq)?.createdAt, at);
  return [isRead ? message : { ...without(message, 'readBySeq'), status: 'pending' }];
}

function callbackAt(callback: Callback, at: string): Callback {
  const { status, closedAt, expiresAt, asker } = callback;
  const closed = closedAt ?? (status === 'expired' ? expiresAt : undefined);
  if (!isLater(closed, at)) return callback;
  // After the decision, the fields are what was approved.
  const fields = callback.fields?.map(({ was, ...field }) => (was === undefined ? field : { ...field, text: was }));
  const open = { ...without(callback, 'outcome', 'closedAt', 'fields'), status: 'pending' as const };
  // A server's form was blank: its fields are what a person has entered since.
  return { ...open, ...(fields && !asker && { fields }) };
}

/** @param callback the callback that the call waits or waited for, as it is today. */
function callAt(call: Call, callback: Callback | undefined, at: string): Call {
  const { startedAt, completedAt, undoneAt, failedAttempts = [], failedUndos = [] } = call;
  const attempts = failedAttempts.map((one) => one.endedAt ?? one.startedAt);
  const undos = failedUndos.map(({ endedAt }) => endedAt);
  const changes = [startedAt, callback?.createdAt, callback?.closedAt, ...attempts, completedAt, ...undos, undoneAt];
  if (changes.every((time) => !isLater(time, at))) return call;
  return isPast(completedAt, at) ? settledAt(call, at) : openAt(call, callback, at);
}

/** A call with its outcome, before the rollback had undone it. */
function settledAt(call: Call, at: string): Call {
  const before = { ...without(call, 'undoneAt', 'undoError'), failedUndos: failedBy(call.failedUndos, at) };
  if (call.status !== 'undone') return before;
  // A call whose outcome is unknown has no result, and is undone, too.
  return { ...before, status: call.result === undefined ? 'unknown' : 'completed' };
}

const outcome = ['completedAt', 'undoneAt', 'undoError', 'failedUndos', 'result', 'error', 'sources'] as const;

/** A call before its outcome: queued, running, or waiting. */
function openAt(call: Call, callback: Callback | undefined, at: string): Call {
  const { startedAt, until, callbackId, failedAttempts = [] } = call;
  const began = isPast(startedAt, at);
  const failed = failedBy(failedAttempts, at);
  const numbers = failedAttempts.filter((one) => isPast(one.startedAt, at)).map(({ attempt }) => attempt);
  const attempts = Math.max(Number(began), ...numbers);
  const isDecided = callback !== undefined && asksFor(callback.kind, 'decision') && isPast(callback.closedAt, at);
  const then: Call = {
    ...without(call, ...outcome),
    attempts,
    failedAttempts: failed,
    startedAt: began ? startedAt : undefined,
    // The call has the arguments that were approved, its callback those that were asked about.
    ...(!isDecided && { decidedBy: undefined, edited: undefined }),
    ...(!isDecided && call.edited && { arguments: callback?.arguments }),
  };
  const isAsked = callback !== undefined && !isLater(callback.createdAt, at);
  if (isAsked && !isPast(callback.closedAt, at)) return { ...then, status: 'waiting' };
  if (until !== undefined && callbackId === undefined) return { ...then, status: 'waiting' };
  // An attempt may have asked for the approval. The row does not say when the next one began.
  const hasAsked = isAsked && isPast(startedAt, callback.createdAt ?? '');
  const hasFailed = failed?.at(-1)?.attempt === attempts;
  return { ...then, status: began && !hasAsked && !hasFailed ? 'running' : 'queued' };
}

/** Returns the run as it stood at one of its moments. The last one is today's. */
export function runAt(run: Run, rows: Rows, moments: readonly Moment[], index: number): Run {
  const { at = '', step = 0 } = moments[index] ?? {};
  if (index >= moments.length - 1) return run;
  const then = { ...without(run, 'reason', 'until', 'failedStep', 'result'), step };
  const ofRun = <Row extends { runId: string }>(all: readonly Row[]) => all.filter(({ runId }) => runId === run.id);
  const calls = ofRun(rows.calls);
  const open = calls.filter(({ status }) => status === 'queued' || status === 'running' || status === 'waiting');
  const awaited = new Set<string | undefined>([undefined, ...open.map(({ id }) => id)]);
  if (ofRun(rows.callbacks).some(({ status, callId }) => status === 'pending' && awaited.has(callId)))
    return { ...then, status: 'waiting' };
  if (open.length > 0 && open.every(({ until, callbackId }) => until !== undefined && callbackId === undefined))
    return {
      ...then,
      status: 'sleeping',
      until: open
        .map(({ until }) => until!)
        .sort()
        .at(-1),
    };
  const isUndoing = calls.some(({ undoneAt, failedUndos }) => isPast(undoneAt, at) || failedUndos !== undefined);
  return { ...then, status: isUndoing ? 'cancelling' : 'running' };
}
