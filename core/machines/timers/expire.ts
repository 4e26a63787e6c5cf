import { dueStep, toldNext } from '../../conversations/approvals/steps';
import { readCall } from '../../conversations/calls/call';
import { startedBy } from '../../conversations/calls/call-state';
import { closeCallback, isOpen, readCallback, tellAgain } from '../../conversations/calls/callback';
import { waitKinds } from '../../conversations/calls/wait-kinds';
import type { StoredCallback, StoredTimer } from '../../conversations/rows/rows';
import type { Incoming } from '../../conversations/runs/append';
import type { Table } from '../../conversations/store/table';
import type { RowWrite } from '../../conversations/store/write';

/** What a timer does that no user sees: a message, rows, and when it is due again. */
export interface Unseen {
  message?: Incoming;
  rows: RowWrite[];
  next?: Date;
}

/** Does what the timer of a callback is for: it expires a webhook, or reminds those who can decide. */
export async function fireForCallback(table: Table, timer: StoredTimer, now: Date): Promise<Unseen> {
  const callback = await readCallback(table, timer.conversationId, timer.callbackId!);
  if (callback?.status !== 'pending') return { rows: [] };
  const isExpiry = waitKinds[callback.kind].timer === 'expires';
  return isExpiry ? expireWebhook(table, timer, callback, now) : remind(timer, callback, now);
}

/**
 * Tells those who can decide about an approval again: its row changes, and the stream brings that to their lists and devices. A callback
 * that its failed run does not wait for is told of when a retry waits for it again.
 */
function remind({ id, nextAt }: StoredTimer, callback: StoredCallback, now: Date): Unseen {
  // Another step is due, which has its own timer.
  if (!id.endsWith(`.step${dueStep(callback)}`)) return { rows: [] };
  const next = toldNext(callback, new Date(Math.max(now.getTime(), Date.parse(nextAt))));
  const tells = callback.openFor !== undefined && isOpen(callback, now);
  return { rows: tells ? [tellAgain(callback, now)] : [], next };
}

/**
 * Expires a webhook that delivers messages. It accepts no further delivery, and a message tells the agent, unless the call has
 * failed, which the agent already knows.
 */
async function expireWebhook(
  table: Table,
  { conversationId, callId }: StoredTimer,
  callback: StoredCallback,
  now: Date,
): Promise<Unseen> {
  const rows = closeCallback(callback, 'expired', now);
  const call = await readCall(table, conversationId, callId!);
  if (call?.status !== 'completed' && call?.status !== 'unknown') return { rows };
  const text = `${startedBy(call)} did not finish in time. ${callback.fallback}`;
  return { rows, message: { role: 'system', author: call.tool, text, about: callId } };
}
