import { key, StoredMessage } from '../store/rows';
import { readMeta, readRows, type Table } from '../store/table';
import type { RowWrite } from '../store/write';

/** How far back an agent may correct itself: what lies further back has been read and acted upon. */
const lookedBack = 50;

/**
 * Who may change which message: an agent its own last one, and nobody any other. Neither a person's words nor another agent's are ever
 * changed: a person who wants something else says so, or forks the conversation.
 *
 * @returns the message's number and the rows that amend it; the count in META tells processes that keep the log to read it anew.
 */
export async function ownMessageToAmend(
  table: Table,
  conversationId: string,
  by: { agent: string; runId: string; callId: string },
  text: string,
): Promise<{ seq: number; rows: RowWrite[] } | undefined> {
  const meta = (await readMeta(table, conversationId))!;
  const rows = await readRows(table, conversationId, key.message(Math.max(0, meta.lastSeq - lookedBack)), 'M#~');
  const step = Number(by.callId.split('.')[1]);
  const own = rows
    .map((row) => StoredMessage.parse(row))
    .filter(
      ({ role, author, status, callId }) =>
        role === 'assistant' && author === by.agent && status === 'complete' && !callId,
    )
    // Not the one that asks for it.
    .findLast((message) => message.text.trim() && !(message.runId === by.runId && message.step === step));
  if (!own) return undefined;
  const { seq, version } = own;
  const fence: RowWrite = {
    sk: key.meta,
    set: { amendments: (meta.amendments ?? 0) + 1 },
    onlyIf: { version: meta.version },
  };
  return { seq, rows: [{ sk: key.message(seq), set: { text, amended: true }, onlyIf: { version } }, fence] };
}
