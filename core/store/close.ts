import { isSettled } from '../schemas';
import { readCallsOfStep } from './call';
import { readCallback } from './callback';
import { key, type StoredRun } from './rows';
import type { Table } from './table';
import type { RowWrite } from './write';

/**
 * What a cancelled run leaves open is closed with it, in the same transaction: a tool that is invoked late finds its call
 * settled and does nothing, and a question can no longer be answered.
 */
export async function closeOpen(
  table: Table,
  conversationId: string,
  run: StoredRun,
  reason: string,
  now: Date,
): Promise<RowWrite[]> {
  const set = { status: 'cancelled', error: reason, completedAt: now.toISOString() };
  const calls = await readCallsOfStep(table, conversationId, run.id, run.step);
  const rows: RowWrite[] = calls
    .filter(({ status }) => !isSettled(status))
    .map(({ id, status, attempts }) => ({ sk: key.call(id), set, onlyIf: { status, attempts } }));
  if (run.next?.next !== 'callback') return rows;
  const callback = await readCallback(table, conversationId, run.next.call!.callId);
  if (callback?.status !== 'pending') return rows;
  const closed = { status: 'cancelled' };
  return [
    ...rows,
    { sk: key.callback(callback.id), set: closed, remove: ['taskTokens'], onlyIf: { status: 'pending' } },
  ];
}
