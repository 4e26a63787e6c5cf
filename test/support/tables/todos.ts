import { parsedAs } from '../../../core/conversations/rows/readable';
import { StoredTodos, type Todo, type TodoRow } from '../../../core/conversations/rows/todo';
import { closeTodos, readKind, type Table } from '../../../core/conversations/store/table';

const rowsIn = async (table: Table, conversationId: string) =>
  (await readKind(table, conversationId, 'todos')) as { pk: string; sk: string; at: string }[];

/** Returns what a conversation's transactions have asked for and nobody has done, oldest first. */
export async function todosIn(table: Table, conversationId: string): Promise<Todo[]> {
  const rows = (await rowsIn(table, conversationId)).sort((one, other) => one.at.localeCompare(other.at));
  return rows.flatMap((row) => parsedAs(StoredTodos, row).todos.map(({ todo }) => todo));
}

/** Empties what is to be done in a conversation, as if it was done. */
export async function forgetTodos(table: Table, conversationId: string): Promise<void> {
  for (const row of await rowsIn(table, conversationId)) await closeTodos(table, row as TodoRow);
}
