import { errorWords } from './caught-error';
import { ConfigurationError } from './errors';
import { errorOf, type LoopInput, type LoopOutput, type SegmentInput } from './loop-state';
import { callbackRef, readCallback } from './store/callback';
import { noteTo } from './store/note';
import { key } from './store/rows';
import { changeConversation, RowConflict, type Table } from './store/table';

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
  callbackId: string,
  now: Date,
): Promise<LoopOutput | undefined> {
  const callback = await readCallback(table, at.conversationId, callbackId);
  if (callback?.status !== 'pending') return undefined;
  const error = errorOf(input, callbackId);
  if (error && error.Error !== 'States.Timeout')
    throw new ConfigurationError(`Nobody could be asked: ${errorWords(error)}`);
  if (!error && callback.expiresAt > now.toISOString())
    return { ...at, next: 'callback', call: callbackRef(callback, now) };
  const expired = {
    sk: key.callback(callbackId),
    set: { status: 'expired' },
    remove: ['taskTokens'],
    onlyIf: { status: 'pending' },
  };
  try {
    await changeConversation(table, at.conversationId, (meta) => {
      const note = noteTo(meta, at, 'No answer to your question came in time.', now);
      return { meta: note.meta, rows: [expired, note.row], answer: undefined };
    });
  } catch (conflict) {
    // Answered in the last moment: the answer holds, and is in the log.
    if (!(conflict instanceof RowConflict)) throw conflict;
  }
  return undefined;
}
