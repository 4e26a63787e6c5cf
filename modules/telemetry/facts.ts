// modules/telemetry: the facts of which spans are made.

import * as z from 'zod';
import { FailedAttempt } from '../../core/base/state/failed-attempts';
import { CallStatus, isOver, isSettled, Message, RunStatus, ToolKind, Usage } from '../../core/base/state/schemas';
import { TraceContext, tracedBy } from '../../core/base/state/trace';
import { key } from '../../core/conversations/rows/keys';
import { Meta } from '../../core/conversations/rows/meta';
import { StoredCall, StoredMessage } from '../../core/conversations/rows/rows';
import type { RowChange } from '../../core/people/live/broadcast';

/**
 * What spans are made of (docs/telemetry.md): facts about work that is finished, taken from a row before and after its commit. They have ids,
 * names, times and figures. What people and models wrote stays in the rows, where the function that makes spans reads it, if at all.
 */
const everyFact = {
  conversationId: z.string(),
  runId: z.string(),
  segment: z.number().int(),
  caller: TraceContext.optional(),
  agent: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
};

/** A reply, with the failed attempts to get it. */
export const ChatFact = z.object({
  kind: z.literal('chat'),
  ...everyFact,
  seq: z.number().int(),
  step: z.number().int(),
  attempt: z.number().int(),
  status: Message.shape.status,
  model: z.string().optional(),
  agentVersion: z.string().optional(),
  usage: Usage.optional(),
  /** The number of tool calls in it. */
  calls: z.number().int(),
  cutOff: z.string().optional(),
  background: z.literal(true).optional(),
  /** It summarises earlier messages. */
  compacts: z.literal(true).optional(),
  failedAttempts: z.array(FailedAttempt).optional(),
});
export type ChatFact = z.infer<typeof ChatFact>;

/** A tool call that has its outcome, with its failed attempts; or one that was undone. */
export const CallFact = z.object({
  kind: z.literal('call'),
  ...everyFact,
  callId: z.string(),
  /** Its id in the transcript. */
  modelCallId: z.string(),
  step: z.number().int(),
  tool: z.string(),
  toolKind: ToolKind.optional(),
  status: CallStatus,
  attempts: z.number().int(),
  failedAttempts: z.array(FailedAttempt).optional(),
  /** When it was called, if it began later: it waited for a person. */
  calledAt: z.iso.datetime(),
});
export type CallFact = z.infer<typeof CallFact>;

/** A segment of a run that is over: the run has ended, or continues in the next one. */
export const SegmentFact = z.object({
  kind: z.literal('segment'),
  ...everyFact,
  status: RunStatus.or(z.literal('continued')),
});
export type SegmentFact = z.infer<typeof SegmentFact>;

export const Fact = z.discriminatedUnion('kind', [ChatFact, CallFact, SegmentFact]);
export type Fact = z.infer<typeof Fact>;

/**
 * Returns the fact that a change has finished. It depends on the row before and after the change alone, so a change that the stream delivers
 * again gives the same fact.
 */
export function factOf(change: RowChange): Fact | undefined {
  // The original has had its spans.
  if (Object.hasOwn(change.row, 'copiedFrom')) return undefined;
  if (change.sk.startsWith(key.messages)) return chatOf(change);
  if (change.sk.startsWith(key.call(''))) return callOf(change);
  return change.sk === key.meta ? segmentOf(change) : undefined;
}

const isFinal = ({ status }: Pick<Message, 'status'>): boolean => status !== 'pending' && status !== 'streaming';

function chatOf({ conversationId, row, before }: RowChange): ChatFact | undefined {
  const message = StoredMessage.parse(row);
  const { runId, step, attempt } = message;
  const isReply = runId !== undefined && step !== undefined && attempt !== undefined;
  if (!isReply || !isFinal(message) || (before && isFinal(StoredMessage.parse(before)))) return undefined;
  // A step that makes scheduled calls asks no model.
  if (message.usage?.modelCalls === 0) return undefined;
  const { seq, status, model, usage, made = 0, cutOff, background, covers, failedAttempts, author } = message;
  const { agentVersion } = message;
  const startedAt = message.attemptAt ?? message.createdAt;
  return {
    kind: 'chat',
    ...tracedBy(conversationId, { runId, trace: message.trace }),
    agent: author,
    seq,
    step,
    attempt,
    status,
    model,
    agentVersion,
    usage,
    cutOff,
    background,
    failedAttempts,
    calls: made,
    ...(covers !== undefined && { compacts: true }),
    ...interval(startedAt, message.completedAt ?? startedAt),
  };
}

function callOf({ conversationId, row, before }: RowChange): CallFact | undefined {
  const call = StoredCall.parse(row);
  const { id: callId, status, agent, modelCallId, step, tool, kind: toolKind, attempts, failedAttempts } = call;
  if (!isSettled(status) || (before && StoredCall.parse(before).status === status)) return undefined;
  const isUndone = status === 'undone';
  const startedAt = isUndone ? call.undoneAt : (call.attemptAt ?? call.startedAt);
  const endedAt = isUndone ? call.undoneAt : call.completedAt;
  return {
    kind: 'call',
    ...tracedBy(conversationId, call),
    agent,
    callId,
    modelCallId,
    step,
    tool,
    toolKind,
    status,
    attempts,
    failedAttempts,
    calledAt: call.createdAt,
    ...interval(startedAt ?? call.createdAt, endedAt ?? startedAt ?? call.createdAt),
  };
}

/** A message and a retry move a run to its next segment, and so does its age. */
function segmentOf({ conversationId, row, before }: RowChange): SegmentFact | undefined {
  const { run, updatedAt } = Meta.parse(row);
  const last = before && Meta.parse(before).run;
  if (!run || !last || isOver(last.status)) return undefined;
  const { id: runId, segment, segmentStartedAt, caller } = last;
  const isNext = run.id === runId && run.segment > segment;
  // One transaction may end a run and start the next one. Only runs that end as `done` or `cancelled` do this.
  const status = isNext
    ? 'continued'
    : run.id !== runId
      ? last.status === 'cancelling'
        ? 'cancelled'
        : 'done'
      : isOver(run.status)
        ? run.status
        : undefined;
  if (!status) return undefined;
  return {
    kind: 'segment',
    conversationId,
    runId,
    segment,
    caller,
    status,
    agent: run.id === runId ? run.agent : last.agent,
    ...interval(segmentStartedAt, isNext ? run.segmentStartedAt : updatedAt),
  };
}

/** The clocks of two functions may differ. */
const interval = (startedAt: string, endedAt: string) => ({
  startedAt,
  endedAt: endedAt < startedAt ? startedAt : endedAt,
});
