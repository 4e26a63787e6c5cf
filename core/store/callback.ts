import { AlreadyAnswered, ConversationBusy, NotFound } from '../errors';
import type { CallRef } from '../loop-state';
import { callbackRow, key, StoredCallback } from './rows';
import { readRow, readRows, type Table, write } from './table';
import type { RowWrite } from './write';

/** Of retried invocations of Ask; all but one are dead. */
const tokensKept = 8;
const attemptsToStore = 25;

/** A callback that nobody has answered yet. */
export const newCallback = (
  {
    expiresInSeconds,
    ...fields
  }: Omit<StoredCallback, 'version' | 'status' | 'expiresAt'> & { expiresInSeconds: number },
  now: Date,
): StoredCallback => ({
  ...fields,
  version: 1,
  status: 'pending',
  expiresAt: new Date(now.getTime() + expiresInSeconds * 1_000).toISOString(),
});

/** Of a call's webhook. Its question or its approval has the call's own id. */
export const webhookId = (callId: string): string => `${callId}.webhook`;

export const putCallback = (callback: StoredCallback): RowWrite => ({
  sk: key.callback(callback.id),
  put: callbackRow(callback),
  onlyIf: 'absent',
});

/** The reference of a pending callback: its task token is good for the time that is left. */
export const callbackRef = ({ id: callId, kind, expiresAt }: StoredCallback, now: Date): CallRef => ({
  next: kind === 'approval' ? 'approval' : 'callback',
  callId,
  timeoutSeconds: Math.max(1, Math.ceil((Date.parse(expiresAt) - now.getTime()) / 1_000)),
});

export async function readCallback(
  table: Table,
  conversationId: string,
  id: string,
): Promise<StoredCallback | undefined> {
  const row = await readRow(table, conversationId, key.callback(id));
  return row && StoredCallback.parse(row);
}

/** All of a run: their ids begin with the run's. */
export async function readCallbacksOfRun(table: Table, conversationId: string, runId: string) {
  const prefix = key.callback(`${runId}.`);
  return (await readRows(table, conversationId, prefix, `${prefix}~`)).map((row) => StoredCallback.parse(row));
}

/** Whether it can still be answered. Past its time, it is as good as expired even before its execution says so. */
export const isOpen = ({ status, expiresAt }: StoredCallback, now: Date): boolean =>
  status === 'pending' && expiresAt > now.toISOString();

/**
 * What the waiting state is told: where its call goes from here. An approved call runs; of any other the outcome is in the
 * table already.
 */
export function wayOn({ kind, outcome, tool }: StoredCallback): string {
  const { approved } = (outcome ?? {}) as { approved?: boolean };
  return kind === 'approval' && approved ? `tool:${tool}` : 'served';
}

/**
 * Keeps a task token that resumes the waiting execution. It never leaves the backend.
 *
 * @returns false if the callback has its outcome already: the execution need not wait.
 */
export async function storeToken(
  table: Table,
  conversationId: string,
  id: string,
  taskToken: string,
): Promise<boolean> {
  for (let attempt = 0; attempt < attemptsToStore; attempt++) {
    const callback = await readCallback(table, conversationId, id);
    if (callback?.status !== 'pending') return false;
    const { version, taskTokens = [] } = callback;
    const set = { taskTokens: [...taskTokens.filter((other) => other !== taskToken).slice(-tokensKept), taskToken] };
    if (await write(table, conversationId, [{ sk: key.callback(id), set, onlyIf: { version } }])) return true;
  }
  throw new ConversationBusy(`The callback ${id} changes too fast. Try again.`);
}

/** The execution has been told; its tokens are of no more use. */
export const dropTokens = (table: Table, conversationId: string, id: string): Promise<boolean> =>
  write(table, conversationId, [
    {
      sk: key.callback(id),
      set: {},
      remove: ['taskTokens', 'outbox'],
      onlyIf: { status: ['answered', 'expired', 'cancelled'] },
    },
  ]);

/** Why a callback cannot be answered (any more). */
export async function refusal(table: Table, conversationId: string, id: string): Promise<NotFound | AlreadyAnswered> {
  const callback = await readCallback(table, conversationId, id);
  if (!callback) return new NotFound(`There is no callback ${id} in this conversation.`);
  return refusalOf(callback);
}

/** Pending, but not to be answered any more: its time has run out and the execution is about to say so. */
export const refusalOf = ({ status, outcome }: StoredCallback): AlreadyAnswered =>
  new AlreadyAnswered(status === 'pending' ? 'expired' : status, outcome);
