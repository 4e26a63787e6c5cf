import { key } from '../rows/keys';
import { bytesOf, firstThatFit, type Room } from '../rows/size';
import { readRows, type Table } from './table';

/** So many of the largest messages (100,000 characters) fit into a transaction without a look at their size. */
const few = 4;

/** Returns the first of some messages that one transaction can change: at least one. They may be in any order. */
export async function messagesAtOnce(
  table: Table,
  conversationId: string,
  seqs: number[],
  room: Room,
): Promise<number[]> {
  const first = seqs.slice(0, room.rows);
  if (first.length <= few) return first;
  const [from, to] = [Math.min(...first), Math.max(...first)];
  const found = (await readRows(table, conversationId, key.message(from), key.message(to))) as { seq: number }[];
  const messages = new Map(found.map((message) => [message.seq, message]));
  return firstThatFit(first, room, (seq) => bytesOf(messages.get(seq)));
}
