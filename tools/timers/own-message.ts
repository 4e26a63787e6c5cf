import { amendable } from '../../core/live/live-merge';
import { key } from '../../core/rows/keys';
import { StoredMessage } from '../../core/rows/rows';
import { changeOf } from '../../core/store/change-conversation';
import { readMeta, readRows, type Table } from '../../core/store/table';
import type { RowWrite } from '../../core/store/write';

/**
 * Finds the message that an agent may amend: its own last one. Messages further back have been read and acted on. Messages of people and of other agents never change. A person
 * who wants to change their own sends another message or forks the conversation.
 *
 * @returns the message's number and the rows that amend it; undefined if there is none. The count in META makes processes
 *   that cache the log read it again.
 */
export async function ownMessageToAmend(
  table: Table,
  conversationId: string,
  by: { agent: string; runId: string; callId: string },
  text: string,
): Promise<{ seq: number; rows: RowWrite[] } | undefined> {
  const meta = (await readMeta(table, conversationId))!;
  const rows = await readRows(table, conversationId, key.message(Math.max(0, meta.lastSeq - amendable)), 'M#~');
  const step = Number(by.callId.split('.')[1]);
  const own = rows
    .map((row) => StoredMessage.parse(row))
    .filter(
      ({ role, author, status, callId }) =>
        role === 'assistant' && author === by.agent && status === 'complete' && !callId,
    )
    // Not the message whose reply makes this call.
    .findLast((message) => message.text.trim() && !(message.runId === by.runId && message.step === step));
  if (!own) return undefined;
  const { seq, version } = own;
  const amended: RowWrite = { sk: key.message(seq), set: { text, amended: true }, onlyIf: { version } };
  return { seq, rows: [amended, changeOf(meta, { ...meta, amendments: (meta.amendments ?? 0) + 1 })] };
}
