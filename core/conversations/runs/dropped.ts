import { key } from '../rows/keys';
import type { Meta } from '../rows/meta';
import { type Change, changeConversation } from '../store/change-conversation';
import { messagesAtOnce } from '../store/messages-at-once';
import type { Table } from '../store/table';
import type { RowWrite } from '../store/write';

/** Unread messages that are closed in one transaction, together with the calls of a cancelled run. */
const closedAtOnce = { rows: 40, bytes: 1_000_000 };

/**
 * Drops the unread and queued messages of a run that is cancelled: they stay in the log but start no run. The transaction marks as many
 * rows as fit into it. META lists the others until `closeDropped` has marked them, so a process that dies in between loses none.
 */
export async function dropUnread(table: Table, meta: Meta): Promise<{ meta: Meta; rows: RowWrite[] }> {
  const { pending, queued = [], dropped = [] } = meta;
  const unread = [...dropped, ...pending, ...queued];
  const closed = await messagesAtOnce(table, meta.conversationId, unread, closedAtOnce);
  const left = unread.slice(closed.length);
  return {
    meta: {
      ...meta,
      pending: [],
      queued: undefined,
      scheduled: undefined,
      dropped: left.length > 0 ? left : undefined,
    },
    rows: closed.map((seq) => ({ sk: key.message(seq), set: { status: 'complete' }, onlyIf: { seq } })),
  };
}

/** Marks the dropped messages that the transaction of their cancel could not. Relay does the same after a crash. */
export async function closeDropped(table: Table, conversationId: string): Promise<void> {
  const closeSome = async (meta: Meta): Promise<Change<boolean>> => {
    if (!meta.dropped) return { answer: false };
    const { pending, queued, scheduled } = meta;
    const { meta: fewer, rows } = await dropUnread(table, { ...meta, pending: [], queued: undefined });
    return { meta: { ...fewer, pending, queued, scheduled }, rows, answer: fewer.dropped !== undefined };
  };
  while (await changeConversation<boolean>(table, conversationId, closeSome));
}
