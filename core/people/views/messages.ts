import type { Message, UnreadablePart } from '../../base/state/schemas';
import { key } from '../../conversations/rows/keys';
import { readEach } from '../../conversations/rows/readable';
import { readText } from '../../conversations/store/pieces';
import { readRows, type Table } from '../../conversations/store/table';
import { shownMessage } from './shown';

/** Reads the messages after a `seq`. One that is being written has its text so far. */
export async function readMessages(
  table: Table,
  id: string,
  after: number,
): Promise<{ messages: Message[]; unreadable: UnreadablePart[] }> {
  const rows = await readRows(table, id, key.message(after + 1), 'M#~');
  const { read, unreadable } = readEach(rows, shownMessage);
  return { messages: await Promise.all(read.map((message) => withText(table, id, message))), unreadable };
}

async function withText(table: Table, id: string, message: Message): Promise<Message> {
  const { seq, status, attempt } = message;
  if (status !== 'streaming' || attempt === undefined) return message;
  return { ...message, text: await readText(table, id, { seq, attempt }) };
}
