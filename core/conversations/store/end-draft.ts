import { key } from '../rows/keys';
import type { StoredRun } from '../rows/meta';
import { endText } from './pieces';
import type { Table } from './table';
import type { RowWrite } from './write';

/** Cuts off the message that is being written. It keeps its text but loses its writer, which then stops. */
export const cutDraft = (table: Table, conversationId: string, run: StoredRun, now: Date) =>
  endDraft(table, conversationId, run, 'cancelled', now);

/** Marks the message of a failed step. It keeps its place in the log, where a retry writes. */
export const breakOffDraft = (table: Table, conversationId: string, run: StoredRun, now: Date) =>
  endDraft(table, conversationId, run, 'error', now);

/** META, which contains the draft, fences this write. The row's writer cannot: after a retry, it has none until the step begins. */
async function endDraft(
  table: Table,
  conversationId: string,
  run: StoredRun,
  status: 'cancelled' | 'error',
  now: Date,
): Promise<RowWrite[]> {
  const { draft } = run;
  if (!draft) return [];
  const { seq } = draft;
  const { text, rows } = await endText(table, conversationId, draft, now);
  const set = { text, status, completedAt: now.toISOString() };
  return [{ sk: key.message(seq), set, remove: ['writer'], onlyIf: { seq } }, ...rows];
}
