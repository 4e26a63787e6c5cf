import { isSettled } from '../schemas';
import type { FunctionTool, Webhook } from '../tool';
import { unknownOutcome } from '../unknown-outcome';
import { newCallback, putCallback, webhookId } from './callback';
import { key, StoredCall, type StoredRun } from './rows';
import { settleCall } from './settle';
import { RowConflict, readRow, readRows, type Table, write } from './table';
import { putExpiry } from './timer';
import type { RowWrite } from './write';

export async function readCall(table: Table, conversationId: string, callId: string): Promise<StoredCall | undefined> {
  const row = await readRow(table, conversationId, key.call(callId));
  return row && StoredCall.parse(row);
}

/** In the order of the reply. */
export const readCallsOfStep = (table: Table, conversationId: string, runId: string, step: number) =>
  readCalls(table, conversationId, stepPrefix(runId, step));

/** In the order of the steps. */
export const readCallsOfRun = (table: Table, conversationId: string, runId: string) =>
  readCalls(table, conversationId, `${runId}.`);

/** Of a run and of those that it goes on from: what it answers for. */
export async function readCallsAnsweredFor(table: Table, conversationId: string, { id, continues = [] }: StoredRun) {
  const all = await Promise.all([...continues, id].map((runId) => readCallsOfRun(table, conversationId, runId)));
  return all.flat();
}

/** Ids are made so that they sort by step and place. */
async function readCalls(table: Table, conversationId: string, prefix: string): Promise<StoredCall[]> {
  const from = key.call(prefix);
  return (await readRows(table, conversationId, from, `${from}~`)).map((row) => StoredCall.parse(row));
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
  tool: Pick<FunctionTool, 'effect' | 'webhook' | 'verify'> & Partial<Pick<FunctionTool, 'retry'>>,
  now: Date,
): Promise<{ call: StoredCall; claimed: boolean }> {
  const call = await readCall(table, conversationId, callId);
  if (!call) throw new RowConflict(key.call(callId));
  if (isSettled(call.status)) return { call, claimed: false };
  if (call.status === 'waiting') return { call, claimed: false };
  if (tool.effect === 'once' && call.status === 'running') {
    const error = `An attempt was under way when its process died. ${unknownOutcome(tool)}`;
    await settleCall(table, conversationId, call, { status: 'unknown', error });
    return { call, claimed: false };
  }
  const attempts = call.attempts + 1;
  const attemptAt = now.toISOString();
  const set = {
    ...{ status: 'running' as const, attempts, startedAt: call.startedAt ?? attemptAt, attemptAt },
    ...(tool.retry && tool.effect !== 'once' && { attemptsAtMost: 1 + tool.retry.maxAttempts }),
  };
  const claimed = { ...call, ...set };
  const claim: RowWrite = { sk: key.call(callId), set, onlyIf: { status: call.status, attempts: call.attempts } };
  // The address that the tool hands out leads somewhere before anybody has it.
  const webhook = attempts === 1 && tool.webhook ? webhookRows(conversationId, call, tool.webhook, now) : [];
  if (!(await write(table, conversationId, [claim, ...webhook]))) throw new RowConflict(key.call(callId));
  return { call: claimed, claimed: true };
}

/** For a result the call's own state waits, and says so when the time is over; a message has nobody who waits for it. */
function webhookRows(conversationId: string, call: StoredCall, webhook: Webhook, now: Date): RowWrite[] {
  const callback = webhookOf(call, webhook, now);
  const expiry = webhook.delivers === 'message' ? [putExpiry(conversationId, call, callback, now)] : [];
  return [putCallback(callback), ...expiry];
}

const webhookOf = ({ id: callId, runId, tool }: StoredCall, webhook: Webhook, now: Date) =>
  newCallback(
    {
      ...{ ...webhook, id: webhookId(callId), callId, runId, kind: 'webhook', tool },
      prompt: `Waits for what ${tool} has started elsewhere.`,
    },
    now,
  );

const ownAttempt = (call: StoredCall) => ({ status: call.status, attempts: call.attempts });

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
