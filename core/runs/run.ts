import { breakOffDraft } from '../calls/close';
import { executionName, type LoopOutput, type SegmentInput } from '../state/loop-state';
import { addUsage, isActive, isOver, noUsage, type RunStatus } from '../state/schemas';
import type { Meta, StoredRun } from '../store/rows';
import { changeConversation, type Table } from '../store/table';
import { newRunId } from '../text/ids';
import { claimOf, isUnread } from './claim';
import { enterNextSegment } from './segment';

/**
 * The next run of the conversation's agent, claimed in the same transaction as the message that calls for it, or as the
 * end of the run before it. It takes up all that was said meanwhile.
 */
export function nextRun(meta: Meta, now: Date): Meta {
  const left = leftScheduled(meta);
  const number = meta.runs + 1;
  return {
    ...meta,
    runs: number,
    status: 'running',
    until: undefined,
    outbox: 'start',
    pending: [...left, ...meta.pending, ...(meta.queued ?? [])].sort((a, b) => a - b),
    scheduled: left.length > 0 ? [...left, ...(meta.scheduled ?? [])] : meta.scheduled,
    queued: undefined,
    earlierUsage: addUsage(meta.earlierUsage, meta.run?.usage ?? noUsage),
    run: {
      id: newRunId(number),
      status: 'running',
      agent: meta.agent,
      segment: 1,
      step: 0,
      usage: noUsage,
      lastRead: { seq: 0, step: 0 },
      // The cancelled run's execution may still be there.
      stop: meta.outbox === 'stop' && meta.run ? executionName(meta.run.id, meta.run.segment) : undefined,
      startedAt: now.toISOString(),
      undoFrom: goesOnFrom(meta.run) ?? number,
      segmentStartedAt: now.toISOString(),
      segmentEvents: 0,
    },
  };
}

/** Scheduled calls that a step had taken up and could not make, since its run has failed: they are due all the same. */
const leftScheduled = ({ run }: Meta): number[] =>
  run?.status === 'failed' || run?.status === 'limited' ? (run.draft?.scheduled ?? []) : [];

/** A new message takes the place of a retry: the run that failed is no longer held, and its effects are the new run's. */
const goesOnFrom = (run: StoredRun | undefined): number | undefined =>
  run?.status === 'failed' || run?.status === 'limited' ? run.undoFrom : undefined;

/** What follows when a run has come to its end: messages that waited for that begin the next one. */
export function atRest(meta: Meta, now: Date): Meta {
  const over = reporting(meta);
  return meta.pending.length > 0 || meta.queued?.length ? nextRun(over, now) : over;
}

/** Whether somebody waits for what came of the run, and has not been told. */
export const isUnreported = ({ parent }: Meta): boolean => parent?.outcome !== undefined && !parent.reported;

/**
 * Keeps what came of a sub-agent's run for whoever asked for it: another run may begin before they are told. The first run is
 * the one that was asked for. What else is in the outbox brings the relay to it, too.
 */
export function reporting(meta: Meta): Meta {
  const over = withOutcome(meta);
  return isUnreported(over) && over.outbox === undefined ? { ...over, outbox: 'report' } : over;
}

function withOutcome(meta: Meta): Meta {
  const { parent, run, lastSeq } = meta;
  if (!parent || parent.outcome || !run || !isOver(run.status)) return meta;
  const { id: runId, agent, status, reason } = run;
  return { ...meta, parent: { ...parent, outcome: { runId, agent, status, reason, lastSeq } } };
}

/** The input of the run's current segment, and the name of its execution. */
export function segmentOf(meta: Meta): { name: string; input: SegmentInput } | undefined {
  const { run, conversationId } = meta;
  if (!run || isOver(run.status)) return undefined;
  const input = { conversationId, runId: run.id, segment: run.segment, step: run.step };
  return { name: executionName(run.id, run.segment), input };
}

/**
 * Moves the run to its next segment. The old segment is fenced off by that; the execution of the new one is started by
 * the state machine, and by the relay in case that dies.
 */
export function nextSegment(table: Table, at: SegmentInput, now: Date): Promise<LoopOutput> {
  return changeConversation<LoopOutput>(table, at.conversationId, (meta) => {
    const { run } = meta;
    // Nor one that is being cancelled: its rollback knows it by its segment.
    if (run?.id !== at.runId || !isActive(run.status) || run.segment !== at.segment) {
      return { answer: handedOver(meta, at) ?? { ...idsOf(at), next: 'done' } };
    }
    return { meta: enterNextSegment(meta, run, now), answer: handOver(at, run.segment + 1) };
  });
}

/** The answer of an earlier attempt that committed the hand-over and died: while the next segment has not begun, it is given again. */
export function handedOver(meta: Meta, at: SegmentInput): LoopOutput | undefined {
  const { run, outbox } = meta;
  const next = run?.id === at.runId && run.segment === at.segment + 1 && outbox === 'start';
  return next ? handOver(at, run.segment) : undefined;
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

/** Ends a run that reached one of its limits; `reason` says which, and what to do. */
export function limitRun(
  table: Table,
  at: SegmentInput,
  { reason, evenUnread = false }: { reason: string; evenUnread?: boolean },
  now: Date,
): Promise<LoopOutput> {
  return changeConversation<LoopOutput>(table, at.conversationId, (meta) => {
    const next: LoopOutput = { ...idsOf(at), next: 'done' };
    const claim = claimOf(meta, { ...at, step: at.step + 1 });
    if (claim.kind !== 'ours') return { answer: next };
    // A message has come in this moment: it gives the run its steps anew, and must be seen before the end.
    if (!evenUnread && isUnread(meta, claim.run)) return { answer: { ...next, next: 'again' } };
    const { run } = claim;
    const limited = ended(meta, run, { status: 'limited', reason }, now);
    // An earlier attempt of the step that is not made now may have begun it.
    const kept = { ...limited, run: { ...limited.run!, draft: run.draft } };
    return { meta: reporting(kept), rows: breakOffDraft(run, now), answer: next };
  });
}

export function ended(meta: Meta, run: StoredRun, outcome: { status: RunStatus; reason: string }, now: Date): Meta {
  return {
    ...meta,
    status: outcome.status,
    until: undefined,
    updatedAt: now.toISOString(),
    outbox: undefined,
    run: { ...run, ...outcome, until: undefined, draft: undefined },
  };
}
