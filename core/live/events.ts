import * as z from 'zod';
import { CallStatus, MessageStatus, RunStatus, Usage } from '../state/schemas';

/**
 * What Vigil tells other systems, on the stack's event bus: `source` is `vigil`, `detail-type` one of the keys of
 * `eventDetails`, `detail` what stands there. Ids, states, times and figures; what people and models said is in `content`, and only
 * where the deployment says so. docs/events.md is its page.
 *
 * A field that is added leaves `schemaVersion` as it is; one that goes or changes its meaning makes it the next number.
 */
export const eventSource = 'vigil';

/** With VIGIL_EVENTS_CONTENT, content that would make the event larger than EventBridge takes is left out. */
const contentOmitted = z.literal(true).optional();

const everyDetail = {
  schemaVersion: z.literal(1),
  /** The row's key, version and status: the same each time that an event comes again. */
  deduplicationId: z.string(),
  conversationId: z.string(),
};

/** A message that will not grow any more: a person's once the model has taken it up, a model's once it is whole or cut off. */
export const MessageFinished = z.object({
  ...everyDetail,
  seq: z.number().int(),
  role: z.enum(['user', 'assistant', 'system']),
  author: z.string(),
  status: MessageStatus.extract(['complete', 'cancelled', 'error']),
  runId: z.string().optional(),
  step: z.number().int().optional(),
  /** Of a tool's message: its call. */
  callId: z.string().optional(),
  createdAt: z.iso.datetime(),
  /** Of a model's message: when it was through, and what it took. */
  completedAt: z.iso.datetime().optional(),
  usage: Usage.optional(),
  content: z.object({ text: z.string() }).optional(),
  contentOmitted,
});
export type MessageFinished = z.infer<typeof MessageFinished>;

/** A run has nothing left to do. One that failed or was limited can be retried: then it ends again, as another version. */
export const RunEnded = z.object({
  ...everyDetail,
  runId: z.string(),
  status: RunStatus.extract(['done', 'failed', 'limited', 'cancelled']),
  /** The one that had the floor at the end. */
  agent: z.string(),
  user: z.string(),
  /** Of a sub-agent's run: the conversation that waits for its answer. */
  parentId: z.string().optional(),
  /** How many executions it was a chain of. */
  segments: z.number().int(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  usage: Usage,
  content: z.object({ title: z.string(), reason: z.string().optional() }).optional(),
  contentOmitted,
});
export type RunEnded = z.infer<typeof RunEnded>;

/** A tool call has its outcome. One that is compensated later settles again, as `undone`. */
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
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().optional(),
  completedAt: z.iso.datetime().optional(),
  /** `resultCut`: it is the beginning of a large result. */
  content: z
    .object({
      arguments: z.unknown(),
      result: z.unknown().optional(),
      resultCut: z.literal(true).optional(),
      error: z.string().optional(),
    })
    .optional(),
  contentOmitted,
});
export type ToolCallSettled = z.infer<typeof ToolCallSettled>;

export const eventDetails = {
  'Message finished': MessageFinished,
  'Run ended': RunEnded,
  'Tool call settled': ToolCallSettled,
} as const;

/** `time`: when it happened, by Vigil's clock. */
export type FinishedEvent = { time: string } & (
  | { detailType: 'Message finished'; detail: MessageFinished }
  | { detailType: 'Run ended'; detail: RunEnded }
  | { detailType: 'Tool call settled'; detail: ToolCallSettled }
);
