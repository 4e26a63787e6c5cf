import { key } from '../rows/keys';
import { bytesOf, firstThatFit, type Room } from '../rows/size';
import { readRows, type Table } from './table';

/** So many of the largest messages (100,000 characters) fit into a transaction without a look at their size. */
const few = 4;

/** Returns the first of some messages that one transaction can change. */
export async function messagesAtOnce(
  table: Table,
  conversationId: string,
  seqs: number[],
  room: Room,
): Promise<number[]> {
  const first = seqs.slice(0, room.rows);
  if (first.length <= few) return first;
  const found = await readRows(table, conversationId, key.message(first[0]!), key.message(first.at(-1)!));
  const messages = (found as { seq: number }[]).filter(({ seq }) => first.includes(seq));
  return first.slice(0, firstThatFit(messages, room, bytesOf).length);
}
