import type { Agent } from '../agent/agent';
import { maxCallsPerReply } from '../decisions/judge';
import { key } from '../rows/keys';
import { type Draft, type Meta, nextMeta } from '../rows/meta';
import { replyRow } from '../rows/rows';
import type { SegmentInput } from '../state/loop-state';
import { messagesAtOnce } from '../store/messages-at-once';
import { type Change, changeConversation, type Table, writeOnce } from '../store/table';
import type { RowWrite, SetWrite } from '../store/write';
import { Superseded } from '../text/errors';
import { claimOf, isUnread, type Unneeded } from './claim';

/** `meta` is the conversation's META row after the step has begun. */
export interface Begun {
  kind: 'begun';
  draft: Draft;
  meta: Meta;
}

/** The messages that one step can read. Later steps read the rest. */
const readAtOnce = { rows: 80, bytes: 2_500_000 };

/**
 * Reserves the place of the step's message in the log and marks earlier messages as read. This fixes the order: a message that
 * arrives during the model call comes after the reply.
 *
 * The message's row follows in a write of its own, because a transaction of both costs double. META has what decides: the writer, and the
 * place. If the process dies between the two, the next attempt writes the row, or what ends the step does.
 *
 * If an earlier attempt of the step died, this attempt takes over its place and removes its partial text.
 *
 * @throws Superseded if the step was cut off, or another attempt has taken it over, before its row was written.
 */
export async function beginStep(
  table: Table,
  at: SegmentInput,
  { agent, writer, now, until, known }: { agent: Agent; writer: string; now: Date; until?: string; known?: Meta },
): Promise<Begun | Unneeded> {
  const begin = async (meta: Meta): Promise<Change<Begun | Unneeded>> => {
    const claim = claimOf(meta, at);
    if (claim.kind !== 'ours') return { answer: claim };
    const { run } = claim;
    const left = run.draft?.step === at.step ? run.draft : undefined;
    // The answer to an earlier request was lost.
    if (left?.writer === writer) return { answer: { kind: 'begun', draft: left, meta } };
    const toRead = left ? [] : await messagesAtOnce(table, at.conversationId, unread(meta), readAtOnce);
    const scheduled = left?.scheduled ?? meta.scheduled?.filter((seq) => toRead.includes(seq));
    const attempt = (left?.attempt ?? 0) + 1;
    const draft: Draft = { step: at.step, seq: left?.seq ?? meta.lastSeq + 1, writer, attempt, scheduled, until };
    const fresh = !left && isUnread(meta, run);
    const lastRead = fresh ? { seq: meta.lastUserSeq, step: run.step } : run.lastRead;
    const begun: Meta = {
      ...meta,
      lastSeq: Math.max(meta.lastSeq, draft.seq),
      pending: meta.pending.slice(toRead.length),
      scheduled: meta.scheduled?.filter((seq) => !toRead.includes(seq)),
      outbox: undefined,
      status: 'running',
      until: undefined,
      run: { ...run, draft, lastRead, stop: undefined, status: 'running', until: undefined },
    };
    return {
      meta: begun,
      rows: toRead.map((seq) => markRead(seq, draft)),
      answer: { kind: 'begun', draft, meta: nextMeta(meta, begun) },
    };
  };
  const begun = await changeConversation(table, at.conversationId, begin, { known, recognizes: true });
  if (begun.kind !== 'begun') return begun;
  const { draft } = begun;
  const { seq, attempt = 1 } = draft;
  const place: SetWrite = {
    sk: key.message(seq),
    set: { text: '', status: 'streaming', attempt },
    first: replyRow(draft, { id: at.runId, agent: agent.name }, now),
    remove: ['completedAt'],
    onlyIf: { attempt: { atMost: attempt - 1 } },
  };
  if (await writeOnce(table, at.conversationId, place, writer)) return begun;
  throw new Superseded('This step was cut off, or another attempt has taken over.');
}

/** Returns the oldest unread messages, with no more scheduled calls than one step can make. */
function unread({ pending, scheduled = [] }: Meta): number[] {
  // Queued messages can be in `scheduled` but not in `pending`.
  const tooMany = pending.filter((seq) => scheduled.includes(seq))[maxCallsPerReply];
  return tooMany === undefined ? pending : pending.slice(0, pending.indexOf(tooMany));
}

const markRead = (seq: number, draft: Draft): RowWrite => ({
  sk: key.message(seq),
  onlyIf: { seq },
  set: { status: 'complete', readBySeq: draft.seq },
});
