import type { Incoming } from './append';
import { readCall } from './call';
import { expiredRow, readCallback } from './callback';
import type { StoredTimer } from './rows';
import { startedBy } from './started-by';
import type { Table } from './table';
import type { RowWrite } from './write';

/**
 * The time is over for a webhook whose delivery was to come as a message: it takes nothing any more, and the agent hears of
 * it. Of a call that has failed it has heard already.
 */
export async function nothingDelivered(
  table: Table,
  { conversationId, callbackId, callId }: StoredTimer,
  now: Date,
): Promise<{ message?: Incoming; rows: RowWrite[] }> {
  const callback = await readCallback(table, conversationId, callbackId!);
  if (callback?.status !== 'pending') return { rows: [] };
  const rows = [expiredRow(callback.id, now)];
  const call = await readCall(table, conversationId, callId);
  if (call?.status !== 'completed' && call?.status !== 'unknown') return { rows };
  const text = `${startedBy(call)} has not come to its end in time. ${callback.fallback}`;
  return { rows, message: { role: 'system', author: call.tool, text, about: callId } };
}
