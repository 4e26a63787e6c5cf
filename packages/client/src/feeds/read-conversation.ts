import { newPauses } from '../again';
import type { Api } from '../api';
import type { Conversation, Message } from '../api-types';
import { amendable, conversationOf, type LiveState } from '../live/rows';
import { RequestFailed } from '../problem';
import { untilFresh } from './until-fresh';

/** The store of a conversation's rows. */
export interface HeldConversation {
  rows(): LiveState;
  /** `whole`: there are no further messages. */
  read(page: Conversation, whole: boolean): void;
  failed(error: unknown): void;
  /** Whether a read that failed in passing is to be repeated. Without a connection, the reconnect causes one. */
  isFollowed(): boolean;
}

/** Returns a function that reads the unsettled part of a conversation, one read at a time. */
export function readsConversation(api: Pick<Api, 'read'>, id: string, held: HeldConversation): () => Promise<void> {
  async function readPages(): Promise<void> {
    let after = settledSeq(conversationOf(held.rows())?.messages ?? []);
    for (;;) {
      const page = await api.read(id, after);
      held.read(page, !page.more);
      const last = page.messages.at(-1);
      if (!page.more || !last) return;
      after = last.seq;
    }
  }

  // The next pong is minutes away.
  const pauses = newPauses();
  const read = untilFresh(async () => {
    try {
      await readPages();
      pauses.reset();
    } catch (error) {
      held.failed(error);
      if (error instanceof RequestFailed && error.passing)
        setTimeout(() => held.isFollowed() && void read(), pauses.next(error));
    }
  });
  return read;
}

/**
 * Returns the seq after which to read: all messages up to it are known and final. A message is read again until it is
 * complete or cancelled. One that was interrupted may be written again, and the latest ones may be amended.
 */
export function settledSeq(messages: readonly Message[]): number {
  let seq = 0;
  for (const message of messages) {
    if (message.seq !== seq + 1 || (message.status !== 'complete' && message.status !== 'cancelled')) break;
    seq = message.seq;
  }
  const last = messages.at(-1)?.seq ?? 0;
  return Math.max(0, Math.min(seq, last - amendable - 1));
}
