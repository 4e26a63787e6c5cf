import type { CallRef } from '../state/loop-state';
import { callbackRow, key, StoredCallback } from '../store/rows';
import { readRow, readRows, type Table, write } from '../store/table';
import type { RowWrite } from '../store/write';
import { AlreadyAnswered, ConversationBusy, InvalidInput, NotFound, WrongState } from '../text/errors';

/** Of retried invocations of Ask; all but one are dead. */
const tokensKept = 8;
const attemptsToStore = 25;

/** A callback that nobody has answered yet. */
export const newCallback = (
  {
    expiresInSeconds,
    ...fields
  }: Omit<StoredCallback, 'version' | 'status' | 'createdAt' | 'expiresAt'> & { expiresInSeconds: number },
  now: Date,
): StoredCallback => ({
  ...fields,
  version: 1,
  status: 'pending',
  createdAt: now.toISOString(),
  expiresAt: new Date(now.getTime() + expiresInSeconds * 1_000).toISOString(),
});

/** Of a call's webhook. Its question or its approval has the call's own id. */
export const webhookId = (callId: string): string => `${callId}.webhook`;

export const putCallback = (callback: StoredCallback): RowWrite => ({
  sk: key.callback(callback.id),
  put: callbackRow(callback),
  onlyIf: 'absent',
});

/** Nobody answered in time, or something else was said instead: whoever comes later is refused. */
export const closedRow = (id: string, status: 'expired' | 'cancelled', now: Date): RowWrite => ({
  sk: key.callback(id),
  set: { status, closedAt: now.toISOString() },
  remove: ['taskTokens'],
  onlyIf: { status: 'pending' },
});

/**
 * The reference of a pending callback: its task token is good for the time that is left, or for as long as the execution may
 * live (`furthest`, ISO 8601 UTC). What is open then is asked again in the next segment.
 */
export const callbackRef = ({ id: callId, kind, expiresAt }: StoredCallback, furthest: string, now: Date): CallRef => {
  const end = Date.parse(expiresAt < furthest ? expiresAt : furthest);
  const timeoutSeconds = Math.max(1, Math.ceil((end - now.getTime()) / 1_000));
  return { next: kind === 'approval' ? 'approval' : 'callback', callId, timeoutSeconds };
};

export async function readCallback(
  table: Table,
  conversationId: string,
  id: string,
): Promise<StoredCallback | undefined> {
  const row = await readRow(table, conversationId, key.callback(id));
  return row && StoredCallback.parse(row);
}

/** All of a run: their ids begin with the run's. */
export const readCallbacksOfRun = (table: Table, conversationId: string, runId: string) =>
  readCallbacks(table, conversationId, `${runId}.`);

/** Of several runs in turn, by what the first and the last of their ids begin with. */
export async function readCallbacks(table: Table, conversationId: string, first: string, last = first) {
  const rows = await readRows(table, conversationId, key.callback(first), `${key.callback(last)}~`);
  return rows.map((row) => StoredCallback.parse(row));
}

/** Whether it can still be answered. Past its time, it is as good as expired even before its execution says so. */
export const isOpen = ({ status, expiresAt }: Pick<StoredCallback, 'status' | 'expiresAt'>, now: Date): boolean =>
  status === 'pending' && expiresAt > now.toISOString();

/**
 * What the waiting state is told: where its call goes from here. An approved call runs; of any other the outcome is in the
 * table already.
 */
export function resumeRoute({ kind, outcome, tool }: StoredCallback): string {
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

/** What to do about each kind, for whoever tried something else. */
const howTo: Record<StoredCallback['kind'], [path: string, words: string]> = {
  question: ['answer', 'this is a question: give an answer in words'],
  approval: ['approved', 'this is an approval: give approved, true or false'],
  webhook: ['callbackId', 'an outside system delivers this; a person cannot answer it'],
  agent: ['callbackId', 'another agent answers this; a person cannot'],
};

/** Why somebody cannot answer a callback (any more), and what to do instead. */
export async function whyNotAnswered(
  table: Table,
  conversationId: string,
  id: string,
  as: StoredCallback['kind'],
  now: Date,
): Promise<Error> {
  const callback = await readCallback(table, conversationId, id);
  if (!callback) return new NotFound(`There is no callback ${id} in this conversation.`);
  if (!isOpen(callback, now)) return refusalOf(callback);
  if (callback.kind !== as) return new InvalidInput(...howTo[callback.kind]);
  return new WrongState(
    'The run does not wait at the moment. If it has failed, retry it first; this is then asked again.',
  );
}

/** Pending, but not to be answered any more: its time has run out and the execution is about to say so. */
export const refusalOf = ({ status, outcome }: StoredCallback): AlreadyAnswered =>
  new AlreadyAnswered(status === 'pending' ? 'expired' : status, outcome);
