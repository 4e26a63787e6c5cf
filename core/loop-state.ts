import * as z from 'zod';

/**
 * The payload that travels through the agent loop: ids and outcomes, never content, so that it stays under 8 KiB however
 * long the conversation grows.
 */
export const CallRef = z.object({
  /** Which state serves the call: `tool:<name>` for a function, `wait`, or `callback`. */
  next: z.string(),
  callId: z.string(),
  /** `wait` only: ISO 8601 UTC. */
  until: z.string().optional(),
  /** `callback` only: how long the task token is good for. */
  timeoutSeconds: z.number().int().optional(),
});
export type CallRef = z.infer<typeof CallRef>;

/** What a catcher adds when a state gave up on a call. */
const CaughtError = z.object({ Error: z.string(), Cause: z.string().optional() });

/** An execution's input: canonical, so that starting the same segment twice is a no-op. */
export const SegmentInput = z.object({
  conversationId: z.string(),
  runId: z.string(),
  segment: z.number().int(),
  /** The last step that is stored; CallModel makes the next one. */
  step: z.number().int(),
});
export type SegmentInput = z.infer<typeof SegmentInput>;

/** CallModel's input: a segment's input, or what the last round of the loop left. */
export const LoopInput = SegmentInput.extend({
  next: z.string().optional(),
  call: CallRef.optional(),
  calls: z.array(CallRef.extend({ error: CaughtError.optional() })).optional(),
  error: CaughtError.optional(),
});
export type LoopInput = z.infer<typeof LoopInput>;

/**
 * CallModel's answer. Route chooses by `next`:
 * `done` · `tool:<name>` · `wait` · `callback` (with `call`) · `many` (with `calls`) · `again` (CallModel at once) ·
 * `continue` (with `execution`: the name of the next segment's execution).
 */
export const LoopOutput = SegmentInput.extend({
  next: z.string(),
  call: CallRef.optional(),
  calls: z.array(CallRef).optional(),
  execution: z.string().optional(),
});
export type LoopOutput = z.infer<typeof LoopOutput>;

/** Whether this round of the loop has just been through the state that serves the call. */
export const served = (input: LoopInput, callId: string): boolean =>
  input.call?.callId === callId || (input.calls ?? []).some((call) => call.callId === callId);

/** What the state that serves the call gave up with, if it did. */
export const errorOf = (input: LoopInput, callId: string): z.infer<typeof CaughtError> | undefined =>
  input.call?.callId === callId ? input.error : input.calls?.find((call) => call.callId === callId)?.error;

/** What a tool's Lambda is invoked with. */
export const ToolRequest = z.object({ conversationId: z.string(), runId: z.string(), callId: z.string() });
export type ToolRequest = z.infer<typeof ToolRequest>;

/** What `ask` is invoked with: the only place where a task token travels. */
export const AskRequest = ToolRequest.extend({ taskToken: z.string() });
export type AskRequest = z.infer<typeof AskRequest>;

/** Execution names derive from run and segment, so that a duplicate start finds the first. */
export const executionName = (runId: string, segment: number): string => `${runId}-${segment}`;
