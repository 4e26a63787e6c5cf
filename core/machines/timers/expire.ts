import { readCall } from '../../conversations/calls/call';
import { closeCallback, readCallback } from '../../conversations/calls/callback';
import { startedBy } from '../../conversations/calls/started-by';
import type { StoredTimer } from '../../conversations/rows/rows';
import type { Incoming } from '../../conversations/runs/append';
import type { Table } from '../../conversations/store/table';
import type { RowWrite } from '../../conversations/store/write';

/**
 * Expires a webhook that delivers messages. It accepts no further delivery, and a message tells the agent, unless the call has
 * failed, which the agent already knows.
 */
export async function expireWebhook(
  table: Table,
  { conversationId, callbackId, callId }: StoredTimer,
  now: Date,
): Promise<{ message?: Incoming; rows: RowWrite[] }> {
  const callback = await readCallback(table, conversationId, callbackId!);
  if (callback?.status !== 'pending') return { rows: [] };
  const rows = [closeCallback(callback, 'expired', now)];
  const call = await readCall(table, conversationId, callId!);
  if (call?.status !== 'completed' && call?.status !== 'unknown') return { rows };
  const text = `${startedBy(call)} did not finish in time. ${callback.fallback}`;
  return { rows, message: { role: 'system', author: call.tool, text, about: callId } };
}
