// core/conversations/runs: incoming messages, steps, segments, the log and what users spend.

import { carriedOutages } from '../../base/models/model-outage';
import { executionName, type LoopOutput, type SegmentInput } from '../../base/state/loop-state';
import { addUsage, isActive, isOver, noUsage, type RunStatus } from '../../base/state/schemas';
import { newRunId } from '../../base/text/ids';
import { closePending, withoutPending } from '../replies/pending-reply';
import { type Meta, type StoredRun, withTodo } from '../rows/meta';
import { changeConversation } from '../store/change-conversation';
import { breakOffDraft } from '../store/end-draft';
import type { Table } from '../store/table';
import { enterNextSegment } from './segment';
import { withRun } from './standing';
import { checkStep, isUnread } from './step-check';

/**
 * Adds the conversation's next run to META. It commits with the message that starts it, or with the end of the previous run,
 * and takes over all unread and queued messages.
 */
export function nextRun(meta: Meta, now: Date): Meta {
  const left = leftScheduled(meta);
  const number = meta.runs + 1;
  const id = newRunId(number);
  const next = {
    ...withTodo(meta, { does: 'start', runId: id, segment: 1, step: 0 }),
    runs: number,
    pending: [...left, ...meta.pending, ...(meta.queued ?? [])].sort((a, b) => a - b),
    scheduled: left.length > 0 ? [...left, ...(meta.scheduled ?? [])] : meta.scheduled,
    queued: undefined,
    caller: undefined,
    earlierUsage: addUsage(meta.earlierUsage, meta.run?.usage ?? noUsage),
  };
  return withRun(next, {
    id,
    status: 'running',
    agent: meta.agent,
    segment: 1,
    step: 0,
    usage: noUsage,
    lastRead: { seq: 0, step: 0 },
    startedAt: now.toISOString(),
    undoFrom: goesOnFrom(meta.run) ?? number,
    segmentStartedAt: now.toISOString(),
    segmentEvents: 0,
    counted: true,
    claims: meta.claims,
    outages: carriedOutages(meta.run?.outages, now),
    timeZone: meta.timeZone ?? 'UTC',
    caller: meta.caller,
  });
}

/** Scheduled calls that the failed run's last step could not make. They are still due. */
const leftScheduled = ({ run }: Meta): number[] =>
  run?.status === 'failed' || run?.status === 'limited' ? (run.draft?.scheduled ?? []) : [];

/** A new run replaces the retry of a failed run and becomes answerable for its effects. */
const goesOnFrom = (run: StoredRun | undefined): number | undefined =>
  run?.status === 'failed' || run?.status === 'limited' ? run.undoFrom : undefined;

/** Finishes a run. Messages that waited for its end start the next one. */
export function endAndStartQueued(meta: Meta, now: Date): Meta {
  const over = reporting(meta);
  return meta.pending.length > 0 || meta.queued?.length ? nextRun(over, now) : over;
}

/** Keeps the outcome of a sub-agent's first run for its parent, because another run may begin before it is reported. */
export function reporting(meta: Meta): Meta {
  const { parent, run, lastSeq } = meta;
  if (!parent || parent.outcome || !run || !isOver(run.status)) return meta;
  const { id: runId, agent, status, reason, sources } = run;
  const outcome = { runId, agent, status, reason, lastSeq, sources };
  return withTodo({ ...meta, parent: { ...parent, outcome } }, { does: 'report' });
}

/**
 * Moves the run to its next segment, which fences the old one. The state machine starts the new execution; Relay does so too,
 * in case the machine fails before that.
 */
export function nextSegment(table: Table, at: SegmentInput, now: Date): Promise<LoopOutput> {
  return changeConversation<LoopOutput>(table, at.conversationId, (meta) => {
    const { run } = meta;
    // A run that is being cancelled must stay in its segment, which identifies its rollback.
    if (run?.id !== at.runId || !isActive(run.status) || run.segment !== at.segment) {
      return { answer: handedOver(meta, at) ?? { ...idsOf(at), next: 'done' } };
    }
    return { meta: enterNextSegment(meta, run, now), answer: handOver(at, run.segment + 1) };
  });
}

/** Repeats the answer of an attempt that committed the hand-over and died. An execution is started once, by its name. */
export function handedOver({ run }: Meta, at: SegmentInput): LoopOutput | undefined {
  return run?.id === at.runId && run.segment === at.segment + 1 ? handOver(at, run.segment) : undefined;
}

const handOver = (at: SegmentInput, segment: number): LoopOutput => ({
  ...idsOf(at),
  segment,
  next: 'continue',
  execution: executionName(at.runId, segment),
});

const idsOf = ({ conversationId, runId, segment, step }: SegmentInput): SegmentInput => ({
  conversationId,
  runId,
  segment,
  step,
});

/** Ends a run that has reached a limit. `reason` names the limit and says what to do. */
export function limitRun(
  table: Table,
  at: SegmentInput,
  { reason, evenUnread = false }: { reason: string; evenUnread?: boolean },
  now: Date,
): Promise<LoopOutput> {
  return changeConversation<LoopOutput>(table, at.conversationId, async (meta) => {
    const next: LoopOutput = { ...idsOf(at), next: 'done' };
    const claim = checkStep(meta, { ...at, step: at.step + 1 });
    if (claim.kind !== 'ours') return { answer: next };
    // A message that has just arrived resets the step limit, and the run must read it before it ends.
    if (!evenUnread && isUnread(meta, claim.run)) return { answer: { ...next, next: 'again' } };
    const { run } = claim;
    const limited = ended(meta, run, { status: 'limited', reason }, now);
    // An earlier attempt may have begun the step, so a retry needs its draft.
    const kept = { ...limited, run: { ...limited.run!, draft: withoutPending(run).draft } };
    const rows = [
      ...(await breakOffDraft(table, at.conversationId, run, now)),
      ...(await closePending(table, at.conversationId, run, 'cancelled', now)),
    ];
    return { meta: reporting(kept), rows, answer: next };
  });
}

export function ended(meta: Meta, run: StoredRun, outcome: { status: RunStatus; reason: string }, now: Date): Meta {
  const over = { ...run, ...outcome, until: undefined, draft: undefined, modelWait: undefined };
  return withRun({ ...meta, updatedAt: now.toISOString() }, over);
}
