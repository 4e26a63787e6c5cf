import { SentenceFeed } from '../../base/text/sentences';
import type { Draft } from '../../conversations/rows/meta';
import { addPiece } from '../../conversations/store/pieces';
import type { Loop } from '../loop/advance';

/**
 * Sends a reply's words to those who watch, before their rows are written. It may lose, double and delay them.
 *
 * @param unwanted is aborted when the reply is cut off. Nothing is sent then.
 */
export type Deltas = (
  reply: { conversationId: string; seq: number; attempt: number },
  unwanted: AbortSignal,
) => ReplyDeltas;

/** Neither method waits or throws. */
export interface ReplyDeltas {
  add(piece: string): void;
  /** Sends the rest. */
  close(): void;
}

/**
 * The one place where a reply's text leaves before the step is committed: by sentences as rows, and by words to those who watch. A reply
 * without a screen is seen when it is committed.
 *
 * A failed write does not fail the step, because the commit stores the text. A reply that was cut off is `unwanted`.
 */
export function openScreen(
  { table, now, deltas }: Loop,
  conversationId: string,
  { seq, attempt }: Draft,
  unwanted: AbortController,
) {
  const words = deltas?.({ conversationId, seq, attempt }, unwanted.signal);
  const rows = new SentenceFeed(async (text, from) => {
    const piece = { seq, attempt, from, text };
    const isAdded = await addPiece(table, conversationId, piece, now()).catch(() => undefined);
    if (isAdded === false) unwanted.abort();
    return isAdded === true;
  });
  return {
    add(piece: string) {
      words?.add(piece);
      rows.add(piece);
    },
    /** Waits for the row that is being written. No other follows. */
    async close() {
      words?.close();
      await rows.close();
    },
  };
}
