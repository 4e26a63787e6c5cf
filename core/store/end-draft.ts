import { key } from '../rows/keys';
import type { StoredRun } from '../rows/meta';
import { replyRow } from '../rows/rows';
import { endText } from './pieces';
import type { Table } from './table';
import type { RowWrite } from './write';

/** Cuts off the message that is being written. It keeps its text but loses its writer, which then stops. */
export const cutDraft = (table: Table, conversationId: string, run: StoredRun, now: Date) =>
  endDraft(table, conversationId, run, 'cancelled', now);

/** Marks the message of a failed step. It keeps its place in the log, where a retry writes. */
export const breakOffDraft = (table: Table, conversationId: string, run: StoredRun, now: Date) =>
  endDraft(table, conversationId, run, 'error', now);

/**
 * META, which contains the draft, fences this write. The row's writer cannot: after a retry, it has none until the step begins. If the
 * step has only its place, this is the row's first write, and the attempt in it rejects a late one of `beginStep`.
 */
async function endDraft(
  table: Table,
  conversationId: string,
  run: StoredRun,
  status: 'cancelled' | 'error',
  now: Date,
): Promise<RowWrite[]> {
  const { draft } = run;
  if (!draft) return [];
  const { attempt } = draft;
  const { text, rows } = await endText(table, conversationId, draft, now);
  const ended: RowWrite = {
    sk: key.message(draft.seq),
    set: { text, status, attempt, completedAt: now.toISOString() },
    first: { ...replyRow(draft, run, now), ...(text === undefined && { text: '' }) },
    remove: ['writer'],
    onlyIf: { attempt: { atMost: attempt ?? 0 } },
  };
  return [ended, ...rows];
}
