import { key } from '../rows/keys';
import type { Meta } from '../rows/meta';
import { messagesAtOnce } from '../store/messages-at-once';
import { type Table, write } from '../store/table';
import type { RowWrite } from '../store/write';

/** Unread messages that are closed in one transaction, together with the calls of a cancelled run. */
const closedAtOnce = { rows: 40, bytes: 1_000_000 };

/**
 * Drops the unread and queued messages of a run that is cancelled: they stay in the log but start no run. The transaction marks as many
 * rows as fit into it.
 *
 * @returns `left`: the others, which are to be closed.
 */
export async function dropUnread(table: Table, meta: Meta): Promise<{ meta: Meta; rows: RowWrite[]; left: number[] }> {
  const { pending, queued = [] } = meta;
  const unread = [...pending, ...queued];
  const closed = await messagesAtOnce(table, meta.conversationId, unread, closedAtOnce);
  return {
    meta: { ...meta, pending: [], queued: undefined, scheduled: undefined },
    rows: closed.map(markClosed),
    left: unread.slice(closed.length),
  };
}

/** Marks the dropped messages that the transaction of their cancel could not. Repeating it changes nothing. */
export async function closeDropped(table: Table, conversationId: string, seqs: readonly number[]): Promise<void> {
  for (let left = [...seqs]; left.length > 0; ) {
    const closed = await messagesAtOnce(table, conversationId, left, closedAtOnce);
    await write(table, conversationId, closed.map(markClosed));
    left = left.slice(closed.length);
  }
}

const markClosed = (seq: number): RowWrite => ({
  sk: key.message(seq),
  set: { status: 'complete' },
  onlyIf: { seq },
});
