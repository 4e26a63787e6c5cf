// core/conversations/replies: a reply that its provider makes in the background.

import type { SegmentInput } from '../../base/state/loop-state';
import { addUsage, type Usage } from '../../base/state/schemas';
import { NotFound } from '../../base/text/errors';
import { stepPrefix } from '../calls/call';
import { closeCallback, isOpen, newCallback, putCallback, readCallback } from '../calls/callback';
import { eventsOfStep } from '../decisions/route';
import { key } from '../rows/keys';
import type { Draft, Meta, StoredRun } from '../rows/meta';
import { parsedAs } from '../rows/readable';
import { type PendingReply, ReplyPlace, StoredCallback, type StoredMessage } from '../rows/rows';
import { type Reservation, spent, spentBeside } from '../runs/spending';
import { changeConversation } from '../store/change-conversation';
import { ignoreConflict, readItem, readRow, type Table, write } from '../store/table';
import type { RowWrite } from '../store/write';

// A reply that a provider makes in the background is a callback of kind `model`. The execution waits for it with a task token. The
// provider's webhook answers the callback; without one, the wait ends after some time, and CallModel asks the provider. What counts is the
// step's draft: whoever commits the step has fetched the reply, and closes the callback.

/** A provider that has not completed a reply by then never will. */
export const longestReplySeconds = 86_400;

/** Providers keep a complete reply for some minutes only (OpenAI: ten), so it is asked for more often than that. */
const [leastSeconds, mostSeconds] = [10, 240];

/**
 * Returns after how many seconds a pending reply is asked for again: when it has taken twice as long. If the provider tells that it is over,
 * this only makes up for a lost webhook.
 */
export const secondsToNextPoll = ({ since, isTold }: NonNullable<Draft['pending']>, now: Date): number =>
  isTold ? mostSeconds : secondsAfter((now.getTime() - Date.parse(since)) / 1_000);

const secondsAfter = (elapsed: number): number => Math.round(Math.min(mostSeconds, Math.max(leastSeconds, elapsed)));

/**
 * For how many seconds CallModel listens to a reply that says nothing: one that has just begun, and one that is fetched, of which the provider
 * sends at once what there is. Then the execution waits for it, at no cost.
 */
export const secondsListening = { begun: 5, fetched: 1 };

/** Returns how often a reply that took so many seconds was asked for. */
export function pollsWithin(seconds: number): number {
  let polls = 0;
  for (let at = 0; at < Math.min(seconds, longestReplySeconds); polls++) at += secondsAfter(at);
  return polls;
}

/**
 * Stores that the provider has begun the reply of a step, with the callback that waits for it.
 *
 * @returns false if another attempt has taken over the step. Then nobody waits for this reply.
 */
export function keepPending(
  table: Table,
  { conversationId, runId, step }: SegmentInput,
  { seq, writer, attempt }: Draft,
  reply: PendingReply & Pick<NonNullable<Draft['pending']>, 'isSummary' | 'isTold'>,
  now: Date,
): Promise<boolean> {
  const { isSummary, isTold, ...stored } = reply;
  // A reply that was cut off leaves its step to another message.
  const callbackId = `${stepPrefix(runId, step)}reply${seq}-${attempt}`;
  const pending = { callbackId, since: now.toISOString(), maker: reply.maker, isSummary, isTold };
  const prompt = 'The provider makes the reply in the background.';
  const callback = newCallback(
    { id: callbackId, runId, kind: 'model', prompt, reply: stored, expiresInSeconds: longestReplySeconds },
    now,
  );
  return changeConversation<boolean>(table, conversationId, (meta) => {
    const { run } = meta;
    if (run?.draft?.writer !== writer) return { answer: false };
    // An earlier write has succeeded without an answer.
    if (run.draft.pending) return { answer: true };
    return {
      meta: { ...meta, run: { ...run, draft: { ...run.draft, pending } } },
      rows: [
        putCallback(callback),
        placeRow(stored, { conversationId, callbackId }, now),
        { sk: key.message(seq), set: { background: true }, onlyIf: { writer } },
      ],
      answer: true,
    };
  });
}

/** Finds the callback by the provider's id, which is all that a webhook tells. */
function placeRow({ provider, id }: PendingReply, place: ReplyPlace, now: Date): RowWrite {
  const ttl = Math.floor(now.getTime() / 1_000) + 2 * longestReplySeconds;
  return { pk: key.ofReply(provider, id), sk: key.reply, put: { ...place, ttl } };
}

/**
 * Notes that a reply is not complete, and decides how the execution waits.
 *
 * @param isShown whether people have seen a part of its text.
 * @returns undefined if another attempt has taken over the step.
 */
export function keepWaiting(
  table: Table,
  { conversationId }: SegmentInput,
  { writer }: Draft,
  isShown: boolean,
  now: Date,
): Promise<{ pending: NonNullable<Draft['pending']>; isOpen: boolean } | undefined> {
  return changeConversation(table, conversationId, async (meta) => {
    const { run } = meta;
    const { draft } = run ?? {};
    if (!run || draft?.writer !== writer || !draft.pending) return { answer: undefined };
    const callback = await readCallback(table, conversationId, draft.pending.callbackId);
    const pending = isShown ? { ...draft.pending, isShown: true as const } : draft.pending;
    // The history grows by another round of the loop, with a wait.
    const segmentEvents = run.segmentEvents + eventsOfStep([], []);
    return {
      meta: { ...meta, run: { ...run, segmentEvents, draft: { ...draft, pending } } },
      answer: { pending, isOpen: callback !== undefined && isOpen(callback, now) },
    };
  });
}

/** Forgets the reply of a step, so that the next attempt asks the model anew. @param cancels whether the provider is told to stop. */
export const dropPending = (
  table: Table,
  { conversationId }: SegmentInput,
  { writer }: Draft,
  { cancels, now }: { cancels: boolean; now: Date },
): Promise<void> =>
  changeConversation<void>(table, conversationId, async (meta) => {
    const { run } = meta;
    if (run?.draft?.writer !== writer || !run.draft.pending) return { answer: undefined };
    const rows = await closePending(table, conversationId, run, cancels ? 'cancelled' : 'answered', now);
    return { meta: { ...meta, run: withoutPending(run) }, rows, answer: undefined };
  });

export const withoutPending = (run: StoredRun): StoredRun =>
  run.draft ? { ...run, draft: { ...run.draft, pending: undefined } } : run;

/** Closes the callback of a run's pending reply. If it is `cancelled`, Relay tells the provider to stop. */
export async function closePending(
  table: Table,
  conversationId: string,
  { draft }: StoredRun,
  status: 'answered' | 'cancelled',
  now: Date,
): Promise<RowWrite[]> {
  if (!draft?.pending) return [];
  const callback = await readCallback(table, conversationId, draft.pending.callbackId);
  return callback?.status === 'pending' ? closeCallback(callback, status, now, { resumes: false }) : [];
}

/**
 * Answers the callback of a reply that its provider says is over, so that the execution fetches it.
 *
 * @returns the conversation; undefined if nobody waits for it any more.
 * @throws NotFound if there is no such reply, or it has begun just now: the provider repeats its webhook.
 */
export async function replyIsOver(table: Table, provider: string, id: string, now: Date) {
  const row = await readItem(table, { pk: key.ofReply(provider, id), sk: key.reply });
  if (!row) throw new NotFound('Nobody waits for this reply.');
  const { conversationId, callbackId } = parsedAs(ReplyPlace, row);
  for (;;) {
    const callback = await readCallback(table, conversationId, callbackId);
    if (!callback || !isOpen(callback, now)) return undefined;
    if (await write(table, conversationId, closeCallback(callback, 'answered', now)).catch(ignoreConflict))
      return conversationId;
  }
}

/** Returns the reply of a callback whose provider is to be told to stop; undefined if it is not to be. */
export async function cancelledReply(table: Table, conversationId: string, callbackId: string) {
  const row = await readRow(table, conversationId, key.callback(callbackId));
  const callback = row && parsedAs(StoredCallback, row);
  return callback?.status === 'cancelled' ? callback.reply : undefined;
}

/** Counts what a reply that was cancelled has used, once: its provider bills it. */
export const countCancelled = (
  table: Table,
  conversationId: string,
  callbackId: string,
  { seq }: PendingReply,
  usage: Usage,
  now: Date,
): Promise<void> =>
  changeConversation<void>(table, conversationId, async (meta) => {
    const row = await readRow(table, conversationId, key.callback(callbackId));
    const callback = row && parsedAs(StoredCallback, row);
    if (callback?.status !== 'cancelled' || callback.counted) return { answer: undefined };
    const counted: RowWrite = { sk: key.callback(callbackId), set: { counted: true }, onlyIf: { counted: null } };
    const message = (await readRow(table, conversationId, key.message(seq))) as Partial<StoredMessage> | undefined;
    const rows = [counted, ...spentOn(meta, seq, message, { usage, now })];
    return { meta: withUsage(meta, callback.runId, usage), rows, answer: undefined };
  });

/** The message that was cut off keeps the usage. If a step writes it anew, the message and the reservation are that step's. */
function spentOn(
  { owner }: Meta,
  seq: number,
  message: Partial<StoredMessage> | undefined,
  { usage, now }: { usage: Usage; now: Date },
): RowWrite[] {
  const { reserved, status, writer } = message ?? {};
  if (!owner) return [];
  if (writer !== undefined || (status !== 'cancelled' && status !== 'error')) return [spentBeside(owner, usage, now)];
  const onlyIf = { status, writer: null, ...(reserved !== undefined && { reserved }) };
  const own: RowWrite = { sk: key.message(seq), set: { usage }, remove: ['reserved'], onlyIf };
  return [own, ...(reserved === undefined ? [] : [spent(owner, JSON.parse(reserved) as Reservation, usage)])];
}

const withUsage = (meta: Meta, runId: string, usage: Usage): Meta =>
  meta.run?.id === runId
    ? { ...meta, run: { ...meta.run, usage: addUsage(meta.run.usage, usage) } }
    : { ...meta, earlierUsage: addUsage(meta.earlierUsage, usage) };
