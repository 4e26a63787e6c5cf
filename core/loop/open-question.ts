import type { Tool } from '../agent/tool';
import { effectOf, transition } from '../calls/call-state';
import { callbackRef, closedRow, isOpen, readCallback } from '../calls/callback';
import { unknownOutcome } from '../calls/unknown-outcome';
import { lastDayOf } from '../decisions/route';
import { noteTo } from '../runs/note';
import { nextSegment } from '../runs/run';
import { type CaughtError, errorOf, type LoopInput, type LoopOutput, type SegmentInput } from '../state/loop-state';
import { clockToleranceMs } from '../state/waiting';
import { key, type Meta, type StoredCall, type StoredCallback } from '../store/rows';
import { type Change, changeConversation, type Table, unlessConflict, write } from '../store/table';
import type { RowWrite } from '../store/write';
import { errorWords } from '../text/caught-error';
import { ConfigurationError } from '../text/errors';

/**
 * Finishes the question that the run's last step asked: answered, the answer is in the log; its time over, the model is
 * told; still open, for example in a new segment, it is waited for again.
 *
 * @returns where the loop goes instead of to the model; undefined when the question is closed.
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
  if (error && !isTimeout(error)) throw new ConfigurationError(`Nobody could be asked: ${errorWords(error)}`);
  if (error && outlives(callback, now)) return nextSegment(table, at, now);
  if (!error && isOpen(callback, now)) {
    if (!(await showsQuestion(table, at, callbackId, now))) return undefined;
    return { ...at, next: 'callback', call: callbackRef(callback, lastDayOf(segmentStartedAt), now) };
  }
  // Answered in the last moment: the answer holds, and is in the table.
  const expire = (meta: Meta) => {
    const note = noteTo(meta, at, callback.fallback!, now);
    return { meta: note.meta, rows: [closedRow(callbackId, 'expired', now), note.row], answer: undefined };
  };
  await changeConversation<void>(table, at.conversationId, expire, { throwsAt: () => true }).catch(unlessConflict);
  return undefined;
}

/**
 * A run that was retried waits for its answer again, and says so: only then does a message count as one. A message that came before
 * it said so takes the question's place.
 *
 * @returns whether it is still asked.
 */
async function showsQuestion(table: Table, at: SegmentInput, callbackId: string, now: Date): Promise<boolean> {
  let asked = true;
  const show = (meta: Meta): Change<void> => {
    const { run } = meta;
    asked = true;
    if (run?.id !== at.runId || run.segment !== at.segment || run.status !== 'running') return { answer: undefined };
    asked = meta.pending.length === 0;
    if (!asked) return { meta, rows: [closedRow(callbackId, 'cancelled', now)], answer: undefined };
    const waiting = { status: 'waiting', until: undefined } as const;
    return { meta: { ...meta, ...waiting, waitsFor: 'you', run: { ...run, ...waiting } }, answer: undefined };
  };
  await changeConversation(table, at.conversationId, show, { throwsAt: () => true }).catch(unlessConflict);
  return asked;
}

/**
 * Looks at a call that waits on a callback, once its state has been left.
 *
 * @returns the callback while it can still be answered; undefined when the call has its outcome now.
 */
export async function finishCallback(
  table: Table,
  input: LoopInput,
  { call, tools, now }: { call: StoredCall; tools: ReadonlyMap<string, Tool>; now: Date },
): Promise<StoredCallback | undefined> {
  const { conversationId } = input;
  const callback = await readCallback(table, conversationId, call.callbackId!);
  if (callback?.status !== 'pending') return undefined;
  const error = errorOf(input, callback.id);
  if (error ? isTimeout(error) && outlives(callback, now) : isOpen(callback, now)) return callback;
  const broken = error && !isTimeout(error);
  // What a tool has begun elsewhere may have come to its end there although nobody said so.
  const { status } = transition(call, 'give-up', effectOf(tools, call))!;
  const words = broken ? `Nobody could be asked: ${errorWords(error)}` : callback.fallback!;
  const told = status === 'unknown' ? `${words} ${unknownOutcome(tools.get(call.tool))}` : words;
  const over = { status, error: told, completedAt: now.toISOString() };
  const settled: RowWrite = { sk: key.call(call.id), set: over, onlyIf: { status: 'waiting' } };
  await write(table, conversationId, [settled, closedRow(callback.id, 'expired', now)]).catch(unlessConflict);
  return undefined;
}

const isTimeout = (error: CaughtError): boolean => error.Error === 'States.Timeout';
/** The time that is over was the execution's: there is more of the callback's. */
const outlives = (callback: StoredCallback, now: Date): boolean =>
  isOpen(callback, new Date(now.getTime() + clockToleranceMs));
