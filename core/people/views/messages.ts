import type { Message } from '../../base/state/schemas';
import { key } from '../../conversations/rows/keys';
import { readText } from '../../conversations/store/pieces';
import { readRows, type Table } from '../../conversations/store/table';
import { shownMessage } from './shown';

/** Reads the messages after a `seq`. One that is being written has its text so far. */
export async function readMessages(table: Table, id: string, after: number): Promise<Message[]> {
  const rows = await readRows(table, id, key.message(after + 1), 'M#~');
  return Promise.all(rows.map((row) => withText(table, id, shownMessage(row))));
}

async function withText(table: Table, id: string, message: Message): Promise<Message> {
  const { seq, status, attempt } = message;
  if (status !== 'streaming' || attempt === undefined) return message;
  return { ...message, text: await readText(table, id, { seq, attempt }) };
}
