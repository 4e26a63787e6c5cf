import { namesOfFiles } from '../../base/content/parts';
import { isOver } from '../../base/state/schemas';
import type { TraceContext } from '../../base/state/trace';
import { clip } from '../../base/text/clip';
import { type Locale, localeOf } from '../../base/time/time-zone';
import type { MessagePolicy } from '../agent/agent';
import { key } from '../rows/keys';
import type { Meta } from '../rows/meta';
import type { StoredMessage } from '../rows/rows';
import { noConversation } from '../store/change-conversation';
import type { RowWrite } from '../store/write';
import { type SentOnce, sentRow } from './once';
import { nextRun } from './run';
import { moveToNewSegment } from './segment';

/** A message from outside the run: from a person, a timer or an outside system. */
export interface Incoming
  extends Pick<
    StoredMessage,
    | 'author'
    | 'authorName'
    | 'aside'
    | 'mentions'
    | 'text'
    | 'parts'
    | 'callId'
    | 'about'
    | 'clientMessageId'
    | 'scheduled'
    | 'sources'
    | 'locale'
  > {
  role: 'user' | 'system';
  /** The id under which its client sends it. */
  once?: SentOnce;
  /** The trace context of the request. A run that the message begins belongs to that trace. */
  caller?: TraceContext;
}

/** Returns what a person says, as what a repeated request must say again. */
export const contentOf = ({
  text,
  parts,
}: {
  text?: string;
  parts?: readonly unknown[];
}): { text: string; parts?: unknown } => ({
  text: text ?? '',
  ...(parts && { parts }),
});

/**
 * The way a message is appended. `answer`: it answers a waiting call, and reaches the model as the call's result. `aside`: it is for people, so
 * it starts and wakes nothing; the model reads it at its place, in a later step.
 */
export type Way = Exclude<MessagePolicy, 'reject'> | 'answer' | 'aside';

const titleCharacters = 60;

/**
 * Appends a message. It starts a run if none is active, wakes a sleeping run, is read by the next model call, or waits for the
 * end of the run.
 *
 * @param cut for the way `interrupt`: what cuts off the reply that is being written.
 * @throws NotFound if the conversation is deleted.
 */
export function append(current: Meta, given: Incoming, now: Date, way: Way = 'merge', cut: RowWrite[] = []) {
  const { caller, once, ...incoming } = given;
  // All messages from outside pass here. A deleted conversation has no owner and must not start again.
  if (!current.owner) throw noConversation(current.conversationId);
  const { text } = incoming;
  const seq = current.lastSeq + 1;
  const createdAt = now.toISOString();
  const isRead = way === 'answer' || way === 'aside';
  const status = isRead ? 'complete' : 'pending';
  // The first message says where its user is. Later ones do if that has changed.
  const locale = incoming.locale ?? (current.lastSeq === 0 ? knownLocale(current) : undefined);
  const message: StoredMessage = { ...incoming, ...(locale && { locale }), seq, version: 1, status, createdAt };
  const meta: Meta = {
    ...current,
    title: current.title || titleOf(text || namesOfFiles(incoming)),
    // A message from outside, also a timer’s, brings an archived conversation back to the list.
    archived: undefined,
    lastSeq: seq,
    // `lastUserSeq` resets the step limit. Messages of timers and outside systems count too, because on an idle conversation they
    // would start a run with its own limits. A queued message counts for the next run.
    lastUserSeq: isQueued(current, way) || way === 'aside' ? current.lastUserSeq : seq,
    updatedAt: createdAt,
    scheduled: incoming.scheduled ? [...(current.scheduled ?? []), seq] : current.scheduled,
  };
  const rows: RowWrite[] = [{ sk: key.message(seq), put: message, onlyIf: 'absent' }];
  if (once) rows.push(sentRow(once, seq, now));
  const placed = place(meta, seq, { way, cut, now, caller });
  return { meta: placed.meta, rows: [...rows, ...placed.rows], message };
}

const knownLocale = (meta: Meta): Locale | undefined =>
  meta.timeZone === undefined && meta.language === undefined ? undefined : localeOf(meta);

function place(
  meta: Meta,
  seq: number,
  { way, cut, now, caller }: { way: Way; cut: RowWrite[]; now: Date; caller?: TraceContext },
): { meta: Meta; rows: RowWrite[] } {
  if (way === 'answer' || way === 'aside') return { meta, rows: [] };
  const pending = [...meta.pending, seq];
  const { run } = meta;
  if (!run || isOver(run.status)) return { meta: nextRun({ ...meta, pending, caller }, now), rows: [] };
  if (isQueued(meta, way)) {
    const queued = { queued: [...(meta.queued ?? []), seq], caller: meta.caller ?? caller };
    return { meta: { ...meta, ...queued }, rows: [] };
  }
  const fed = { ...meta, pending };
  if (run.status === 'sleeping') return { meta: moveToNewSegment(fed, run, now), rows: [] };
  // A step that makes scheduled calls does not call the model. Interrupting it would lose the calls.
  const speaks = run.status === 'running' && run.draft && !run.draft.scheduled?.length;
  // The partial text stays, and the run reads the message in its next segment.
  if (way === 'interrupt' && speaks)
    return { meta: moveToNewSegment(fed, { ...run, draft: undefined }, now), rows: cut };
  return { meta: fed, rows: [] };
}

const isQueued = ({ run }: Meta, way: Way): boolean => way === 'queue' && run !== undefined && !isOver(run.status);

export const titleOf = (text = ''): string => {
  const line = text.trim().replace(/\s+/g, ' ');
  return clip(line, { characters: titleCharacters }, '…');
};
