import {
  type CaughtError,
  errorOf,
  isAnswered,
  type LoopInput,
  type LoopOutput,
  refIn,
  type SegmentInput,
} from '../../base/state/loop-state';
import { clockToleranceMs } from '../../base/state/waiting';
import { errorWords } from '../../base/text/caught-error';
import { ConfigurationError } from '../../base/text/errors';
import type { Tool } from '../../conversations/agent/tool';
import { toolOf } from '../../conversations/calls/call-state';
import { callbackRef, closeCallback, isOpen, listEntryWrites, readCallback } from '../../conversations/calls/callback';
import { type CallChange, changeCall, notDone, writesOf } from '../../conversations/calls/change-call';
import { postponeLook } from '../../conversations/calls/task';
import { lastDayOf } from '../../conversations/decisions/route';
import type { Meta } from '../../conversations/rows/meta';
import type { StoredCall, StoredCallback } from '../../conversations/rows/rows';
import { noteTo } from '../../conversations/runs/note';
import { nextSegment } from '../../conversations/runs/run';
import { standing } from '../../conversations/runs/standing';
import { type Change, changeConversation } from '../../conversations/store/change-conversation';
import { ignoreConflict, type Table, write } from '../../conversations/store/table';

/**
 * Finishes the question that the run's last step asked.
 *
 * - Answered: the answer is already in the log.
 * - Expired: a note tells the model.
 * - Open, for example in a new segment: the run waits again.
 *
 * @returns where the loop goes instead of to the model; undefined if the question is closed.
 * @throws ConfigurationError if the question could not be sent.
 */
export async function finishQuestion(
  table: Table,
  input: LoopInput,
  at: SegmentInput,
  { callbackId, segmentStartedAt, now }: { callbackId: string; segmentStartedAt: string; now: Date },
): Promise<LoopOutput | undefined> {
  const callback = await readCallback(table, at.conversationId, callbackId);
  if (callback?.status !== 'pending') return undefined;
  const error = errorOf(input, callbackId);
  if (error && !isTimeout(error)) throw new ConfigurationError(`The request could not be sent: ${errorWords(error)}`);
  if (error && outlives(callback, now)) return nextSegment(table, at, now);
  if (!error && isOpen(callback, now)) {
    if (!(await showsQuestion(table, at, callback, now))) return undefined;
    return { ...at, next: 'callback', call: callbackRef(callback, lastDayOf(segmentStartedAt), now) };
  }
  // A last-moment answer makes this write fail, and the answer holds.
  const expire = (meta: Meta) => {
    const note = noteTo(meta, at, callback.fallback!, now);
    return { meta: note.meta, rows: [...closeCallback(callback, 'expired', now), note.row], answer: undefined };
  };
  await changeConversation<void>(table, at.conversationId, expire, { throwsAt: () => true }).catch(ignoreConflict);
  return undefined;
}

/**
 * Sets a retried run to `waiting`, so that a message counts as the answer. A message that arrived earlier replaces the question.
 *
 * @returns whether the question is still open.
 */
async function showsQuestion(table: Table, at: SegmentInput, callback: StoredCallback, now: Date): Promise<boolean> {
  let isAsked = true;
  const show = async (meta: Meta): Promise<Change<void>> => {
    const { run } = meta;
    isAsked = true;
    if (run?.id !== at.runId || run.segment !== at.segment || run.status !== 'running') return { answer: undefined };
    isAsked = meta.pending.length === 0;
    if (!isAsked) return { meta, rows: closeCallback(callback, 'cancelled', now), answer: undefined };
    const rows = await listEntryWrites(table, at.conversationId, [callback]);
    return { meta: standing(meta, { status: 'waiting', waitsFor: 'you' }), rows, answer: undefined };
  };
  await changeConversation(table, at.conversationId, show, { throwsAt: () => true }).catch(ignoreConflict);
  return isAsked;
}

/**
 * Checks a call that waits for a callback after its state has been left.
 *
 * @returns the callback if it can still be answered; undefined if the call now has its outcome.
 */
export async function finishCallback(
  table: Table,
  input: LoopInput,
  { call, tools, now }: { call: StoredCall; tools: ReadonlyMap<string, Tool>; now: Date },
): Promise<StoredCallback | undefined> {
  const { conversationId } = input;
  const expire = async (callback: StoredCallback | undefined, error: CallChange['error']) => {
    const changed = changeCall(call, 'expire', { tool: toolOf(tools, call), now, callback, error });
    if (changed) await write(table, conversationId, writesOf(changed)).catch(ignoreConflict);
    return undefined;
  };
  const callback = await readCallback(table, conversationId, call.callbackId!).catch((error: Error) => {
    if (error.name !== 'UnreadableRow') throw error;
    return 'unreadable' as const;
  });
  if (callback === 'unreadable') return expire(undefined, 'The record of what it waited for cannot be read.');
  if (callback?.status !== 'pending') return undefined;
  // An error of the tool's own state is late: its attempt has asked.
  const isAsked = isAnswered(refIn(input, callback.id) ?? { next: '', callId: '' });
  const error = isAsked ? errorOf(input, callback.id) : undefined;
  // A task notifies no person, and its server can be asked as long as the tool is there.
  const isTask = callback.lookAt !== undefined;
  const couldNotLook = isTask && errorOf(input, call.id) !== undefined;
  const isGone = couldNotLook && !tools.has(call.tool);
  const isBroken = error && !isTimeout(error) && !isTask;
  if (!isGone && !isBroken && (error ? outlives(callback, now) : isOpen(callback, now)))
    return couldNotLook ? postponeLook(table, conversationId, callback, now) : callback;
  // A server's question may come in a later attempt than one that has taken effect.
  const unanswered = callback.asker ? notDone(callback.fallback!) : callback.fallback!;
  const late = isGone ? goneWords(call) : unanswered;
  const why = isBroken ? `The request could not be sent: ${errorWords(error)}` : late;
  // Work that the tool started elsewhere may have finished although nothing was delivered.
  return expire(callback, why);
}

/** Says that nothing can be done for a call any more. */
export const goneWords = ({ tool }: Pick<StoredCall, 'tool'>): string =>
  `The tool "${tool}" is not part of this deployment.`;

const isTimeout = (error: CaughtError): boolean => error.Error === 'States.Timeout';
/** Whether the callback is still open after a timeout, which was then the execution's. */
const outlives = (callback: StoredCallback, now: Date): boolean =>
  isOpen(callback, new Date(now.getTime() + clockToleranceMs));
