import type { Agent } from '../agent/agent';
import { maxCallsPerReply } from '../decisions/judge';
import type { SegmentInput } from '../state/loop-state';
import { type Draft, key, type Meta, nextMeta } from '../store/rows';
import { type Change, changeConversation, type Table } from '../store/table';
import type { RowWrite } from '../store/write';
import { claimOf, isUnread, type Unneeded } from './claim';
import { messagesAtOnce } from './messages-at-once';

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
 * If an earlier attempt of the step died, this attempt takes over its place and removes its partial text.
 */
export function beginStep(
  table: Table,
  at: SegmentInput,
  { agent, writer, now, until, known }: { agent: Agent; writer: string; now: Date; until?: string; known?: Meta },
): Promise<Begun | Unneeded> {
  const begin = async (meta: Meta): Promise<Change<Begun | Unneeded>> => {
    const claim = claimOf(meta, at);
    if (claim.kind !== 'ours') return { answer: claim };
    const { run } = claim;
    const left = run.draft?.step === at.step ? run.draft : undefined;
    const toRead = left ? [] : await messagesAtOnce(table, at.conversationId, unread(meta), readAtOnce);
    const scheduled = left?.scheduled ?? meta.scheduled?.filter((seq) => toRead.includes(seq));
    const attempt = (left?.attempt ?? 0) + 1;
    const draft: Draft = { step: at.step, seq: left?.seq ?? meta.lastSeq + 1, writer, attempt, scheduled, until };
    const fresh = !left && isUnread(meta, run);
    const lastRead = fresh ? { seq: meta.lastUserSeq, step: run.step } : run.lastRead;
    const place: RowWrite = left
      ? {
          sk: key.message(draft.seq),
          set: { text: '', status: 'streaming', writer, attempt },
          remove: ['completedAt'],
          onlyIf: { seq: draft.seq },
        }
      : { sk: key.message(draft.seq), put: emptyMessage(draft, at, agent, now), onlyIf: 'absent' };
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
      rows: [place, ...toRead.map((seq) => markRead(seq, draft))],
      answer: { kind: 'begun', draft, meta: nextMeta(meta, begun) },
    };
  };
  return changeConversation(table, at.conversationId, begin, { known });
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

const emptyMessage = ({ seq, writer, step, attempt }: Draft, { runId }: SegmentInput, agent: Agent, now: Date) => ({
  seq,
  version: 1,
  role: 'assistant',
  author: agent.name,
  text: '',
  status: 'streaming',
  runId,
  step,
  writer,
  attempt,
  createdAt: now.toISOString(),
});
