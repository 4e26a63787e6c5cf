import { executionName, type LoopOutput, type SegmentInput } from '../loop-state';
import { isOver, noUsage, type RunStatus } from '../schemas';
import { closeOpen } from './close';
import { key, type Meta, type StoredRun } from './rows';
import { enterNextSegment } from './segment';
import { claimOf, isUnheard } from './step';
import { changeConversation, type Table } from './table';
import type { RowWrite } from './write';

/** A new run of the conversation's agent, claimed in the same transaction as the message that calls for it. */
export const newRun = (id: string, agent: string, now: Date): StoredRun => ({
  id,
  status: 'running',
  agent,
  segment: 1,
  step: 0,
  usage: noUsage,
  heard: { seq: 0, step: 0 },
  segmentStartedAt: now.toISOString(),
  segmentEvents: 0,
});

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
    if (run?.id !== at.runId || isOver(run.status) || run.segment !== at.segment) {
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
export function limitRun(table: Table, at: SegmentInput, reason: string, now: Date): Promise<LoopOutput> {
  return changeConversation<LoopOutput>(table, at.conversationId, (meta) => {
    const next: LoopOutput = { ...idsOf(at), next: 'done' };
    const claim = claimOf(meta, { ...at, step: at.step + 1 });
    if (claim.kind !== 'ours') return { answer: next };
    // A message has come in this moment: it gives the run its steps anew, and must be seen before the end.
    if (isUnheard(meta, claim.run)) return { answer: { ...next, next: 'again' } };
    return { meta: ended(meta, claim.run, { status: 'limited', reason }, now), answer: next };
  });
}

/**
 * Ends a run whose execution is over without having said so itself: it failed, timed out, or was stopped from outside.
 * Its half-written message is marked as such. Asked twice, or too late, it changes nothing.
 *
 * @returns whether it ended the run.
 */
export function settleRun(
  table: Table,
  at: SegmentInput,
  outcome: { status: 'failed' | 'cancelled'; reason: string },
  now: Date,
): Promise<boolean> {
  return changeConversation<boolean>(table, at.conversationId, async (meta) => {
    const { run } = meta;
    if (run?.id !== at.runId || run.segment !== at.segment || isOver(run.status)) return { answer: false };
    const cancelled = outcome.status === 'cancelled';
    const set = { status: cancelled ? 'cancelled' : 'error' };
    const rows: RowWrite[] = run.draft
      ? [{ sk: key.message(run.draft.seq), set, remove: ['writer'], onlyIf: { writer: run.draft.writer } }]
      : [];
    if (cancelled) rows.push(...(await closeOpen(table, meta.conversationId, run, outcome.reason, now)));
    const over = ended(meta, run, outcome, now);
    // A failed step keeps its place in the log: retried, its message is written there.
    return { meta: { ...over, run: { ...over.run!, draft: cancelled ? undefined : run.draft } }, rows, answer: true };
  });
}

function ended(meta: Meta, run: StoredRun, outcome: { status: RunStatus; reason: string }, now: Date): Meta {
  return {
    ...meta,
    status: outcome.status,
    until: undefined,
    updatedAt: now.toISOString(),
    outbox: undefined,
    run: { ...run, ...outcome, until: undefined, draft: undefined },
  };
}
