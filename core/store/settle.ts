import type { TableEffect } from '../tool';
import { webhookId } from './callback';
import { storeResult } from './result';
import { key, type Meta, type StoredCall, type StoredMessage } from './rows';
import { changeConversation, RowConflict, type Table, write } from './table';
import { putTimer } from './timer';
import type { RowWrite } from './write';

/**
 * How an attempt at a call ended. `waiting`: the tool has begun something elsewhere, whose outcome comes by its webhook.
 * `undone`: a completed call was compensated.
 */
export type CallOutcome =
  | { status: 'completed'; result: unknown }
  | { status: 'waiting'; result: unknown }
  | { status: 'undone' }
  | { status: 'failed' | 'unknown' | 'cancelled'; error: string };

type Effect = Omit<TableEffect<unknown>, 'output'>;

/**
 * Gives a call its outcome, once: only while this attempt is the latest one and none has settled it. What the effect does
 * in the table is committed with it.
 *
 * @returns false if the call has been settled, or is being tried again, by somebody else.
 * @throws RowConflict if a row of the effect is not as the effect needs it: nothing was written.
 */
export async function settleCall(
  table: Table,
  conversationId: string,
  call: StoredCall,
  outcome: CallOutcome,
  { maxResultBytes = 4_000_000, effect = {} as Effect, now = new Date() } = {},
): Promise<boolean> {
  const { messages = [], timer, rows: others = [] } = effect;
  const [settled, ...parts] = outcomeRows(call, outcome, maxResultBytes, now);
  const rows = [settled!, ...parts, ...others, ...(timer ? [putTimer(conversationId, call, timer, now)] : [])];
  try {
    if (messages.length === 0) return await write(table, conversationId, rows);
    return await changeConversation(table, conversationId, (meta) => ({
      meta: { ...meta, lastSeq: meta.lastSeq + messages.length, updatedAt: now.toISOString() },
      rows: [...rows, ...messages.map((message, index) => postedBy(call, message, meta, index, now))],
      answer: true,
    }));
  } catch (error) {
    if (error instanceof RowConflict && error.sk === settled!.sk) return false;
    throw error;
  }
}

/** The call's own row first. */
function outcomeRows(call: StoredCall, outcome: CallOutcome, maxResultBytes: number, now: Date): RowWrite[] {
  const sk = key.call(call.id);
  const onlyIf = { status: call.status, attempts: call.attempts };
  const completedAt = now.toISOString();
  if (outcome.status === 'undone')
    return [{ sk, set: { status: 'undone', completedAt }, remove: ['undoError'], onlyIf }];
  if ('error' in outcome) return [{ sk, set: { status: outcome.status, completedAt, error: outcome.error }, onlyIf }];
  const { fields, rows } = storeResult(call.id, outcome.result, maxResultBytes);
  if (outcome.status === 'completed')
    return [{ sk, set: { status: 'completed', completedAt, ...fields }, remove: ['error'], onlyIf }, ...rows];
  const callbackId = webhookId(call.id);
  return [
    { sk, set: { status: 'waiting', callbackId, ...fields }, remove: ['error'], onlyIf },
    // Not if the run was cancelled while the tool still ran: then nobody waits.
    { sk: key.callback(callbackId), set: {}, onlyIf: { status: 'pending' } },
    ...rows,
  ];
}

/** A message from a tool. The model does not read it as a message: it knows it by the call. */
function postedBy(
  { runId, step, id: callId, tool: author }: StoredCall,
  message: { role: 'assistant' | 'system'; text: string },
  meta: Meta,
  index: number,
  now: Date,
): RowWrite {
  const seq = meta.lastSeq + 1 + index;
  const made = { seq, version: 1, author, status: 'complete' as const, createdAt: now.toISOString() };
  const put: StoredMessage = { ...message, ...made, runId, step, callId };
  return { sk: key.message(seq), put, onlyIf: 'absent' };
}
