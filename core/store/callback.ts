import { clip } from '../clip';
import { AlreadyAnswered, ConversationBusy, NotFound } from '../errors';
import type { CallRef, SegmentInput } from '../loop-state';
import { key, type Meta, StoredCallback } from './rows';
import { readRow, type Table, write } from './table';
import type { RowWrite } from './write';

/** How long a question waits for its answer. */
const questionDays = 30;
const day = 86_400;
/** Of retried invocations of Ask; all but one are dead. */
const tokensKept = 8;
const attemptsToStore = 25;
/** Question and answer share a row of at most 400 KB; the whole answer is the message. */
const answerBytes = 50_000;

/** The callback that a question to the user waits on, as a row and as the loop's reference to it. */
export function questionOf(at: SegmentInput, prompt: string, now: Date): { ref: CallRef; row: RowWrite } {
  const id = `${at.runId}.${at.step}.question`;
  const put: StoredCallback = {
    id,
    version: 1,
    runId: at.runId,
    kind: 'question',
    prompt,
    status: 'pending',
    expiresAt: new Date(now.getTime() + questionDays * day * 1000).toISOString(),
  };
  return { ref: callbackRef(put, now), row: { sk: key.callback(id), put, onlyIf: 'absent' } };
}

/** The reference of a pending callback: its task token is good for the time that is left. */
export const callbackRef = ({ id: callId, expiresAt }: StoredCallback, now: Date): CallRef => ({
  next: 'callback',
  callId,
  timeoutSeconds: Math.max(1, Math.ceil((Date.parse(expiresAt) - now.getTime()) / 1000)),
});

export async function readCallback(
  table: Table,
  conversationId: string,
  id: string,
): Promise<StoredCallback | undefined> {
  const row = await readRow(table, conversationId, key.callback(id));
  return row && StoredCallback.parse(row);
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

/** A callback whose outcome is being committed: the row's write, and the tokens of the execution to tell, if they have come yet. */
export interface AnsweredCallback {
  id: string;
  taskTokens: string[];
  row: RowWrite;
}

/** Why a callback cannot be answered (any more). */
export async function refusal(table: Table, conversationId: string, id: string): Promise<NotFound | AlreadyAnswered> {
  const callback = await readCallback(table, conversationId, id);
  if (!callback) return new NotFound(`There is no callback ${id} in this conversation.`);
  // Pending, but not what the run waits on: its time has run out and the execution is about to say so.
  return new AlreadyAnswered(callback.status === 'pending' ? 'expired' : callback.status, callback.outcome);
}

/**
 * The answer to the question that the run waits on, if it does. The outcome is committed before the token is used:
 * whichever commits first, answer or expiry, holds.
 */
export async function answerOf(
  table: Table,
  meta: Meta,
  text: string,
  now: Date,
): Promise<AnsweredCallback | undefined> {
  const { run, conversationId } = meta;
  if (run?.status !== 'waiting' || run.next?.next !== 'callback') return undefined;
  const id = run.next.call!.callId;
  const callback = await readCallback(table, conversationId, id);
  if (callback?.status !== 'pending' || callback.expiresAt <= now.toISOString()) return undefined;
  const set = { status: 'answered', outcome: { answer: clip(text, answerBytes) }, outbox: 'answer' };
  // The version fences the token too: were it stored between our read and this write, nobody would use it.
  return {
    id,
    taskTokens: callback.taskTokens ?? [],
    row: { sk: key.callback(id), set, onlyIf: { version: callback.version } },
  };
}
