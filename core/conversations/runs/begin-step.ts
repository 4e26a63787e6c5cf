import type { Source } from '../../base/content/sources';
import { sourcesOfTools } from '../../base/models/hosted';
import type { SegmentInput } from '../../base/state/loop-state';
import { type StoredTrace, storedTrace } from '../../base/state/trace';
import type { Agent } from '../agent/agent';
import { maxCallsPerReply } from '../decisions/judge';
import { key } from '../rows/keys';
import type { Draft, Meta } from '../rows/meta';
import { type Change, changeConversation } from '../store/change-conversation';
import { messagesAtOnce } from '../store/messages-at-once';
import type { Table } from '../store/table';
import type { RowWrite } from '../store/write';
import { standing } from './standing';
import { checkStep, isUnread, type StepNotNeeded } from './step-check';

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
  { agent, writer, now }: { agent: Agent; writer: string; now: Date },
): Promise<Begun | StepNotNeeded> {
  const begin = async (meta: Meta): Promise<Change<Begun | StepNotNeeded>> => {
    const claim = checkStep(meta, at);
    if (claim.kind !== 'ours') return { answer: claim };
    const { run } = claim;
    const earlier = run.draft?.step === at.step ? run.draft : undefined;
    const toRead = earlier ? [] : await messagesAtOnce(table, at.conversationId, unread(meta), readAtOnce);
    const scheduled = meta.scheduled?.filter((seq) => toRead.includes(seq));
    const draft: Draft = earlier
      ? { ...earlier, writer, attempt: earlier.attempt + (isFetched(earlier) ? 0 : 1) }
      : { step: at.step, seq: meta.lastSeq + 1, writer, attempt: 1, scheduled };
    // A reply that is cut off may end before anybody knows what its provider's tools have brought.
    const hostedSources = sourcesOfTools(agent.hosted);
    const trace = storedTrace(run.segment, run.caller);
    const place = earlier
      ? takeOver(draft, { hostedSources, trace }, now)
      : newReply(draft, { runId: at.runId, author: agent.name, hostedSources, trace }, now);
    const lastRead = !earlier && isUnread(meta, run) ? { seq: meta.lastUserSeq, step: run.step } : run.lastRead;
    const next: Meta = {
      ...meta,
      lastSeq: Math.max(meta.lastSeq, draft.seq),
      pending: meta.pending.slice(toRead.length),
      scheduled: meta.scheduled?.filter((seq) => !toRead.includes(seq)),
      run: { ...run, draft, lastRead },
    };
    const begun = standing(next, { status: 'running' });
    return {
      meta: begun,
      rows: [place, ...toRead.map((seq) => markRead(seq, draft))],
      answer: { kind: 'begun', draft, meta: begun },
    };
  };
  return changeConversation(table, at.conversationId, begin);
}

/** Whether the attempt only fetches a reply that the provider makes in the background. Text that people have seen is written anew. */
const isFetched = ({ pending }: Draft): boolean => pending !== undefined && !pending.isShown;

const newReply = (
  { seq, step, writer, attempt }: Draft,
  {
    runId,
    author,
    hostedSources,
    trace,
  }: { runId: string; author: string; hostedSources?: Source[]; trace?: StoredTrace },
  now: Date,
): RowWrite => {
  const put = {
    seq,
    version: 1,
    role: 'assistant',
    author,
    runId,
    step,
    text: '',
    status: 'streaming',
    writer,
    attempt,
    ...(hostedSources && { hostedSources }),
    ...(trace && { trace }),
  };
  return { sk: key.message(seq), put: { ...put, createdAt: now.toISOString() }, onlyIf: 'absent' };
};

/** Without the text of the earlier attempt. What that one has reserved is this one's. */
const takeOver = (
  { seq, writer, attempt }: Draft,
  { hostedSources, trace }: { hostedSources?: Source[]; trace?: StoredTrace },
  now: Date,
): RowWrite => ({
  sk: key.message(seq),
  set: { text: '', status: 'streaming', writer, attempt, attemptAt: now.toISOString(), hostedSources, trace },
  remove: ['completedAt'],
  onlyIf: { seq },
});

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
