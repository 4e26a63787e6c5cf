import { asksFor, isForPeople } from 'vigil-client/shared';
import * as z from 'zod';
import { Callback, Message } from '../../base/state/schemas';
import { clip } from '../../base/text/clip';
import { fitting } from '../../base/text/fitting';
import type { Caller } from '../../conversations/agent/approvers';
import type { Registry } from '../../conversations/agent/registry';
import { readStandIns } from '../../conversations/approvals/absence';
import { decidersOf } from '../../conversations/approvals/deciders';
import { noteDeciders } from '../../conversations/approvals/known-deciders';
import { capacityOf, standInOf } from '../../conversations/approvals/steps';
import { readCallbacksOfRun } from '../../conversations/calls/callback';
import { isAwaited } from '../../conversations/conversation/answer';
import { messageAsHeard } from '../../conversations/guards/heard';
import { conversationIn, key } from '../../conversations/rows/keys';
import { ifReadable, onlyReadable } from '../../conversations/rows/readable';
import { StoredCall, StoredCallback, StoredMessage, type StoredStandIn } from '../../conversations/rows/rows';
import { cursorAfter, type OpenEntry, placeIn, readOpen } from '../../conversations/store/open';
import { readLatestRows, readRow, readShownMeta, type Table } from '../../conversations/store/table';
import { shownCallback } from './shown';

/** An approval or a question that waits for the caller, and all that an approver may read of its conversation. */
export const WaitingApproval = z.object({
  conversationId: z.string(),
  callback: Callback,
  /** The conversation's owner, for whom the call is made. */
  owner: z.string(),
  /** The agent that made the call or asks. */
  agent: z.string(),
  /** The absent approver in whose place you may decide. */
  inPlaceOf: z.string().optional(),
  /** The question with which an approver has given back an earlier call of the tool in this run, and what the agent says with this one. */
  givenBack: z
    .object({ by: z.string(), name: z.string().optional(), question: z.string(), answer: z.string().optional() })
    .optional(),
  /** The latest messages up to the reply with the call, as far as the tool shows them. Long texts are cut. */
  messages: z.array(Message.pick({ seq: true, role: true, author: true, text: true, sources: true })).optional(),
});
export type WaitingApproval = z.infer<typeof WaitingApproval>;

interface Entry extends OpenEntry {
  kind: StoredCallback['kind'];
  expiresAt: string;
}

const entriesOfPage = 30;
/** A Lambda response has at most 6 MB. */
const pageBytes = 4_000_000;

/**
 * Returns what waits for the caller's decision or answer, the newest last. The index may lag behind, so each entry's rows are read: what is
 * closed, overdue, cannot be read, or belongs to a run that does not wait is left out. So a page may have few approvals or none.
 *
 * Whoever reads it is known as an approver from then on, so that others can assign approvals to them.
 *
 * @param cursor the opaque one of the previous page.
 */
export async function listApprovals(
  table: Table,
  registry: Registry,
  caller: Caller,
  now: Date,
  cursor?: string,
): Promise<{ approvals: WaitingApproval[]; cursor?: string }> {
  const after = cursor === undefined ? undefined : placeIn(cursor);
  const [standIns] = await Promise.all([
    readStandIns(table, caller.user, now),
    cursor === undefined ? noteDeciders(table, registry, caller, now) : undefined,
  ]);
  const deciders = decidersOf(caller, registry, standIns);
  const found = await Promise.all(
    deciders.map((decider) => readOpen<Entry>(table, decider, { after, limit: entriesOfPage })),
  );
  const entries = found
    .flat()
    .sort((a, b) => (a.openSince < b.openSince ? -1 : 1))
    .slice(0, entriesOfPage);
  const read = await Promise.all(
    entries.map(async (entry) => ({ entry, approval: await readApproval(table, caller, standIns, entry, now) })),
  );
  const whole = read.filter(({ approval }) => approval !== undefined);
  const kept = fitting(whole, pageBytes);
  const last = kept.length < whole.length ? kept.at(-1)?.entry : entries.length === entriesOfPage && entries.at(-1);
  return {
    approvals: kept.map(({ approval }) => approval!),
    ...(last && { cursor: cursorAfter(last) }),
  };
}

async function readApproval(
  table: Table,
  caller: Caller,
  standIns: readonly StoredStandIn[],
  { pk, sk, kind, expiresAt }: Entry,
  now: Date,
): Promise<WaitingApproval | undefined> {
  if (!isForPeople(kind) || expiresAt <= now.toISOString()) return undefined;
  const conversationId = conversationIn(pk);
  const [meta, row] = await Promise.all([readShownMeta(table, conversationId), readRow(table, conversationId, sk)]);
  const callback = ifReadable(StoredCallback, row);
  if (!meta?.owner || meta.unreadable || !callback || !isAwaited(meta, callback, now)) return undefined;
  // Also one whose step escalates later, or who has decided.
  const isOwn = capacityOf(callback, meta.owner, caller, now) === 'may decide';
  const standIn = isOwn ? undefined : standInOf(callback, meta.owner, caller, standIns, now);
  if (!isOwn && !standIn) return undefined;
  const { callId } = callback;
  const stored = callId === undefined ? undefined : await readRow(table, conversationId, key.call(callId));
  const call = ifReadable(StoredCall, stored);
  if (stored && !call) return undefined;
  return {
    conversationId,
    callback: shownCallback(row!, now),
    owner: meta.owner,
    agent: call?.agent ?? meta.agent,
    ...(standIn && { inPlaceOf: standIn.user }),
    ...(call && (await givenBackBefore(table, conversationId, callback, call))),
    ...(callback.showsMessages && {
      messages: await messagesBefore(table, conversationId, call, callback.showsMessages),
    }),
  };
}

/** What an agent writes with a call is for its approver only after a question of an approver. */
async function givenBackBefore(
  table: Table,
  conversationId: string,
  { tool, runId, kind }: StoredCallback,
  { step, replySeq = 0 }: StoredCall,
): Promise<Pick<WaitingApproval, 'givenBack'>> {
  if (!asksFor(kind, 'decision') || step < 2) return {};
  const earlier = (await readCallbacksOfRun(table, conversationId, runId)).filter((one) => one.tool === tool);
  const last = earlier.flatMap(({ decisions = [] }) => decisions.filter(({ question }) => question)).at(-1);
  if (!last) return {};
  const reply = ifReadable(StoredMessage, await readRow(table, conversationId, key.message(replySeq)));
  const text = reply && messageAsHeard(reply).text.trim();
  const answer = text ? clip(text, { bytes: textBytes }, '…') : undefined;
  const { by, name, question } = last;
  return { givenBack: { by, ...(name && { name }), question: question!, ...(answer && { answer }) } };
}

/** Replies without a text, and summaries, which tell of all messages before them, are passed over. */
const lookedBack = 100;
const textBytes = 4_000;

async function messagesBefore(table: Table, conversationId: string, call: StoredCall | undefined, count: number) {
  const upTo = key.message(call?.replySeq ?? 0);
  const rows = await readLatestRows(table, conversationId, key.messages, upTo, lookedBack);
  return onlyReadable(StoredMessage, rows)
    .map(messageAsHeard)
    .filter(({ text, covers }) => text.trim() && covers === undefined)
    .slice(-count)
    .map(({ seq, role, author, text, sources }) => ({
      seq,
      role,
      author,
      text: clip(text, { bytes: textBytes }, '…'),
      sources,
    }));
}
