import * as z from 'zod';
import { CallStatus, MessageStatus, RunStatus, Usage } from '../../base/state/schemas';

/**
 * The events on the stack's event bus (docs/events.md). `source` is `vigil`, `detail-type` is a key of `eventDetails`, and `detail`
 * fits the schema there. Events have ids, states, times and figures, and nothing that people or models wrote.
 *
 * Adding a field keeps `schemaVersion`. Removing one or changing its meaning increments it.
 */
export const eventSource = 'vigil';

const everyDetail = {
  schemaVersion: z.literal(1),
  /** Derived from the row's key, version and status. A repeated event has the same id. */
  deduplicationId: z.string(),
  conversationId: z.string(),
};

/** A message is final: a person's when a model call has read it, a reply when it is complete or cut off. */
export const MessageFinished = z.object({
  ...everyDetail,
  seq: z.number().int(),
  role: z.enum(['user', 'assistant', 'system']),
  author: z.string(),
  status: MessageStatus.extract(['complete', 'cancelled', 'error']),
  runId: z.string().optional(),
  step: z.number().int().optional(),
  /** For a tool's message: its call. */
  callId: z.string().optional(),
  createdAt: z.iso.datetime(),
  /** For a reply: when it was complete, and its usage. */
  completedAt: z.iso.datetime().optional(),
  usage: Usage.optional(),
});
export type MessageFinished = z.infer<typeof MessageFinished>;

/** A run has ended. A failed or limited run that is retried ends again, with another `deduplicationId`. */
export const RunEnded = z.object({
  ...everyDetail,
  runId: z.string(),
  status: RunStatus.extract(['done', 'failed', 'limited', 'cancelled']),
  /** The agent at the end of the run. */
  agent: z.string(),
  user: z.string(),
  /** For a sub-agent's run: the conversation that delegated the task. */
  parentId: z.string().optional(),
  /** The number of segments. */
  segments: z.number().int(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  usage: Usage,
});
export type RunEnded = z.infer<typeof RunEnded>;

/** A tool call has its outcome. A call that is compensated later settles again, as `undone`. */
export const ToolCallSettled = z.object({
  ...everyDetail,
  callId: z.string(),
  runId: z.string(),
  step: z.number().int(),
  tool: z.string(),
  agent: z.string(),
  user: z.string(),
  status: CallStatus.extract(['completed', 'failed', 'unknown', 'undone', 'cancelled']),
  attempts: z.number().int(),
  /** The user who approved or denied it. */
  decidedBy: z.string().optional(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().optional(),
  completedAt: z.iso.datetime().optional(),
});
export type ToolCallSettled = z.infer<typeof ToolCallSettled>;

export const eventDetails = {
  'Message finished': MessageFinished,
  'Run ended': RunEnded,
  'Tool call settled': ToolCallSettled,
} as const;

/** `time`: when the change happened, by Vigil's clock. */
export type FinishedEvent = { time: string } & (
  | { detailType: 'Message finished'; detail: MessageFinished }
  | { detailType: 'Run ended'; detail: RunEnded }
  | { detailType: 'Tool call settled'; detail: ToolCallSettled }
);
