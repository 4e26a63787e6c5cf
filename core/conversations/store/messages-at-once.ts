import { fitting } from '../../base/text/fitting';
import { key } from '../rows/keys';
import { readRows, type Table } from './table';

/** So many of the largest messages (100,000 characters) fit into a transaction without a look at their size. */
const few = 4;

/**
 * Returns the first of some messages that one transaction can change. It is limited to 100 rows, and to 4 MB of whole rows,
 * whatever it changes in them.
 */
export async function messagesAtOnce(
  table: Table,
  conversationId: string,
  seqs: number[],
  { rows, bytes }: { rows: number; bytes: number },
): Promise<number[]> {
  const first = seqs.slice(0, rows);
  if (first.length <= few) return first;
  const found = await readRows(table, conversationId, key.message(first[0]!), key.message(first.at(-1)!));
  const messages = (found as { seq: number }[]).filter(({ seq }) => first.includes(seq));
  return first.slice(0, Math.max(1, fitting(messages, bytes).length));
}
