// core/conversations/calls: the life of a tool call.

import { joined } from '../../base/content/sources';
import { attemptFailed, type Retry, withFailed } from '../../base/state/failed-attempts';
import { Throttled } from '../../base/text/errors';
import { runPrefix } from '../../base/text/ids';
import { type FunctionTool, sourcesOf, type Webhook } from '../agent/tool';
import { key } from '../rows/keys';
import type { StoredRun } from '../rows/meta';
import { parsedAs, readEach } from '../rows/readable';
import { StoredCall } from '../rows/rows';
import { pause } from '../store/retry-on-conflict';
import { RowConflict, readKind, readRow, type Table, write } from '../store/table';
import type { RowWrite } from '../store/write';
import { sourcesOfEdit } from './approved';
import { type CallTool, stateOf, transition } from './call-state';
import { newCallback, putCallback, webhookId } from './callback';
import { changeCall } from './change-call';
import { settleCall } from './settle';
import { putExpiry } from './timer';

export async function readCall(table: Table, conversationId: string, callId: string): Promise<StoredCall | undefined> {
  const row = await readRow(table, conversationId, key.call(callId));
  return row && parsedAs(StoredCall, row);
}

/** In the order of the reply. */
export const readCallsOfStep = (table: Table, conversationId: string, runId: string, step: number) =>
  readCalls(table, conversationId, stepPrefix(runId, step));

/** In the order of the steps. */
export const readCallsOfRun = (table: Table, conversationId: string, runId: string) =>
  readCalls(table, conversationId, `${runId}.`);

/**
 * Reads the calls of a run and of the failed runs that it continues from, in the order of their ids, which does not depend on clocks.
 *
 * @returns also the ids of those that cannot be read, which nothing can undo.
 */
export async function readCallsToUndoFor(table: Table, conversationId: string, { id, undoFrom }: StoredRun) {
  // A range that ends before it begins is refused.
  const first = undoFrom === undefined ? `${id}.` : [runPrefix(undoFrom), `${id}.`].sort()[0]!;
  const rows = await readKind(table, conversationId, 'call', first, `${id}.`);
  const { read: calls, unreadable } = readEach(rows, (row) => parsedAs(StoredCall, row));
  return { calls, lost: unreadable.map(({ row }) => row.slice(key.call('').length)) };
}

/** Reads a range of ids, which sort by run, step and place. */
async function readCalls(table: Table, conversationId: string, first: string, last = first): Promise<StoredCall[]> {
  const rows = await readKind(table, conversationId, 'call', first, last);
  return rows.map((row) => parsedAs(StoredCall, row));
}

/** Derives a call's id from run, step and place, so a repeated step finds its own rows, and rows sort by step. */
export const callIdOf = (runId: string, step: number, index: number): string =>
  `${stepPrefix(runId, step)}${String(index).padStart(2, '0')}`;
export const stepPrefix = (runId: string, step: number): string => `${runId}.${String(step).padStart(5, '0')}.`;

/**
 * Claims the next attempt of a call. There is nothing to claim if the call is settled or waiting, or if an earlier attempt of a
 * `once` tool died. The latter makes the call `unknown`.
 *
 * An attempt that timed out may still store why it failed, so a call that has changed since it was read is read again. That of a `once`
 * tool is not: the other attempt may be at work, and then its outcome must not become `unknown`.
 *
 * @returns the claimed row, or the row as it was read.
 * @throws RowConflict if there is no such call, or it keeps changing.
 * @throws Throttled if the server that the tool uses has asked for a pause, which is not over.
 */
export async function startAttempt(
  table: Table,
  conversationId: string,
  callId: string,
  tool: Claiming,
  now: Date,
): Promise<Started> {
  for (let look = 1; ; look++) {
    const started = await tryToStart(table, conversationId, callId, tool, now);
    if (started) return started;
    if (tool.effect === 'once' || look === looksAtCall) throw new RowConflict(key.call(callId));
    await pause(look);
  }
}

interface Started {
  call: StoredCall;
  claimed: boolean;
}

type Claiming = Pick<FunctionTool, 'effect' | 'webhook' | 'verify' | 'source'> & Partial<Pick<FunctionTool, 'retry'>>;

const looksAtCall = 5;

/**
 * The state machine cannot be told when to make the next attempt, so one that comes too soon ends at once.
 *
 * @throws Throttled, which is retried and counts as no attempt.
 */
export function assertPauseOver({ notBefore = '' }: StoredCall, now: Date): void {
  if (notBefore > now.toISOString())
    throw new Throttled(`The server that the tool uses asks to wait until ${notBefore}.`);
}

/** @returns undefined if the call has changed since it was read. */
async function tryToStart(
  table: Table,
  conversationId: string,
  callId: string,
  tool: Claiming,
  now: Date,
): Promise<Started | undefined> {
  const call = await readCall(table, conversationId, callId);
  if (!call) throw new RowConflict(key.call(callId));
  const next = transition(stateOf(call), 'claim', tool.effect);
  if (!next) return { call, claimed: false };
  if (call.status === 'queued') assertPauseOver(call, now);
  if (next.status === 'unknown') {
    const error = 'An attempt was under way when its process died.';
    await settleCall(table, conversationId, call, { status: 'ended', by: 'claim', error }, { tool, now });
    return { call, claimed: false };
  }
  const attempts = call.attempts + 1;
  const attemptAt = now.toISOString();
  const sources = joined(sourcesOfEdit(call), sourcesOf(tool));
  const set = {
    attempts,
    startedAt: call.startedAt ?? attemptAt,
    attemptAt,
    ...diedBefore(call),
    // Set before the tool runs, so that no outcome lacks it, whoever stores it.
    ...(sources && { sources }),
    ...(tool.retry &&
      tool.effect !== 'once' && {
        attemptsAtMost: 1 + tool.retry.maxAttempts + (call.throttled ?? 0),
      }),
  };
  const { status, uncertain } = next;
  const { own: claim } = changeCall(call, 'claim', { tool, now, set })!;
  // The webhook's row must exist before the tool hands out the address.
  const webhook = attempts === 1 && tool.webhook ? webhookRows(conversationId, call, tool.webhook, now) : [];
  if (!(await write(table, conversationId, [claim, ...webhook]))) return undefined;
  return { call: { ...call, ...set, status, uncertain }, claimed: true };
}

/** An attempt whose process died has stored nothing. */
function diedBefore({ status, attempts, attemptAt, failedAttempts }: StoredCall): Partial<StoredCall> {
  if (status !== 'running') return {};
  const error = 'It gave no answer: its process died, or it timed out.';
  return { failedAttempts: withFailed(failedAttempts, { attempt: attempts, startedAt: attemptAt, error }) };
}

/** For a result, the call's own state times out. No state waits for a message, so it needs an expiry timer. */
function webhookRows(conversationId: string, call: StoredCall, webhook: Webhook, now: Date): RowWrite[] {
  const { id: callId, runId, tool } = call;
  const { delivers, expiresInSeconds, fallback } = webhook;
  const prompt = `Waits for the outcome of ${tool} from outside.`;
  const callback = newCallback(
    { delivers, expiresInSeconds, fallback, id: webhookId(callId), callId, runId, kind: 'webhook', tool, prompt },
    now,
  );
  const expiry = delivers === 'message' ? putExpiry(conversationId, call, callback, now) : [];
  return [putCallback(callback), ...expiry];
}

/**
 * Stores why an attempt failed, which people see while the state machine retries, and the call's new state.
 *
 * @param failed.retry how the state machine retries it; undefined if it does not.
 */
export async function noteFailedAttempt(
  table: Table,
  conversationId: string,
  call: StoredCall,
  { error, retry, notBefore, now }: { error: string; retry?: Retry; notBefore?: string; now: Date },
  { event, tool }: { event: 'retry' | 'lose'; tool: CallTool },
) {
  const { attempts: attempt, attemptAt: startedAt, throttled } = call;
  const failed = attemptFailed({ attempt, startedAt, error, retry, throttled, notBefore }, now);
  const set = { failedAttempts: withFailed(call.failedAttempts, failed), ...(notBefore && { notBefore }) };
  const changed = changeCall(call, event, { tool, now, error, set });
  if (changed) await write(table, conversationId, [changed.own]);
}

/** Takes back an attempt that AWS has throttled. Its number stays used, because it fences the attempt. */
export async function takeBackAttempt(
  table: Table,
  conversationId: string,
  call: StoredCall,
  tool: CallTool,
  now: Date,
) {
  const changed = changeCall(call, 'retry', { tool, now, set: { throttled: (call.throttled ?? 0) + 1 } });
  if (changed) await write(table, conversationId, [changed.own]);
}
