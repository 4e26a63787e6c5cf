import { isSettled } from '../schemas';
import type { FunctionTool, TableEffect } from '../tool';
import { storeResult } from './result';
import { key, type Meta, StoredCall } from './rows';
import { changeConversation, RowConflict, readRow, readRows, type Table, write } from './table';
import type { RowWrite } from './write';

/** How a call ended, for the model to read. */
export type CallOutcome =
  | { status: 'completed'; result: unknown }
  | { status: 'failed' | 'unknown' | 'cancelled'; error: string };

export async function readCall(table: Table, conversationId: string, callId: string): Promise<StoredCall | undefined> {
  const row = await readRow(table, conversationId, key.call(callId));
  return row && StoredCall.parse(row);
}

export async function readCallsOfStep(table: Table, conversationId: string, runId: string, step: number) {
  const prefix = key.call(stepPrefix(runId, step));
  const rows = await readRows(table, conversationId, prefix, `${prefix}~`);
  return rows.map((row) => StoredCall.parse(row)).sort((a, b) => a.index - b.index);
}

/** Call ids derive from run, step and place, so that a step that is decided again finds its own rows, and rows sort by step. */
export const callIdOf = (runId: string, step: number, index: number): string =>
  `${stepPrefix(runId, step)}${String(index).padStart(2, '0')}`;
export const stepPrefix = (runId: string, step: number): string => `${runId}.${String(step).padStart(5, '0')}.`;

/**
 * Claims the next attempt of a call. Answers the row as claimed, or as it stands when there is nothing to do: it has its
 * outcome already, or it is a `once` tool whose earlier attempt broke off, whose outcome is then unknown for good.
 */
export async function startAttempt(
  table: Table,
  conversationId: string,
  callId: string,
  { effect, now }: { effect: FunctionTool['effect']; now: Date },
): Promise<{ call: StoredCall; claimed: boolean }> {
  const call = await readCall(table, conversationId, callId);
  if (!call) throw new RowConflict(key.call(callId));
  if (isSettled(call.status)) return { call, claimed: false };
  if (effect === 'once' && call.status === 'running') {
    await settleCall(table, conversationId, call, {
      status: 'unknown',
      error:
        'An attempt was under way when its process died. Whether it took effect is unknown: check before you try again.',
    });
    return { call, claimed: false };
  }
  const attempts = call.attempts + 1;
  const claimed = { ...call, status: 'running' as const, attempts, startedAt: call.startedAt ?? now.toISOString() };
  const set = { status: 'running', attempts, startedAt: claimed.startedAt };
  const done = await write(table, conversationId, [
    { sk: key.call(callId), set, onlyIf: { status: call.status, attempts: call.attempts } },
  ]);
  if (!done) throw new RowConflict(key.call(callId));
  return { call: claimed, claimed: true };
}

/** Keeps why an attempt failed, for people to see while the state machine retries. `again`: it surely had no effect. */
export async function noteFailedAttempt(
  table: Table,
  conversationId: string,
  call: StoredCall,
  error: string,
  again: boolean,
) {
  const set = { error, ...(again && { status: 'queued' }) };
  await write(table, conversationId, [{ sk: key.call(call.id), set, onlyIf: ownAttempt(call) }]);
}

/**
 * Gives a call its outcome, once: only while this attempt is the latest one and none has settled it.
 * What the effect puts into the conversation is committed with it.
 *
 * @returns false if the call has been settled, or is being tried again, by somebody else.
 */
export async function settleCall(
  table: Table,
  conversationId: string,
  call: StoredCall,
  outcome: CallOutcome,
  { maxResultBytes = 4_000_000, messages = [] as TableEffect<unknown>['messages'], now = new Date() } = {},
): Promise<boolean> {
  const stored = outcome.status === 'completed' ? storeResult(call.id, outcome.result, maxResultBytes) : undefined;
  const fields = outcome.status === 'completed' ? stored!.fields : { error: outcome.error };
  const remove = outcome.status === 'completed' ? ['error'] : [];
  const settled: RowWrite = {
    sk: key.call(call.id),
    set: { status: outcome.status, completedAt: now.toISOString(), ...fields },
    remove,
    onlyIf: ownAttempt(call),
  };
  const rows = [settled, ...(stored?.rows ?? [])];
  try {
    if (messages.length === 0) return await write(table, conversationId, rows);
    return await changeConversation(table, conversationId, (meta) => ({
      meta: { ...meta, lastSeq: meta.lastSeq + messages.length, updatedAt: now.toISOString() },
      rows: [...rows, ...messages.map((message, index) => postedBy(call, message, meta, index, now))],
      answer: true,
    }));
  } catch (error) {
    if (error instanceof RowConflict && error.sk === settled.sk) return false;
    throw error;
  }
}

const ownAttempt = (call: StoredCall) => ({ status: call.status, attempts: call.attempts });

/** A message from a tool. The model does not read it as a message: it knows it by the call. */
function postedBy(
  call: StoredCall,
  message: { role: 'assistant' | 'system'; text: string },
  meta: Meta,
  index: number,
  now: Date,
): RowWrite {
  const seq = meta.lastSeq + 1 + index;
  const { runId, step, id: callId, tool: author } = call;
  const put = {
    ...message,
    seq,
    version: 1,
    author,
    status: 'complete',
    runId,
    step,
    callId,
    createdAt: now.toISOString(),
  };
  return { sk: key.message(seq), put, onlyIf: 'absent' };
}
