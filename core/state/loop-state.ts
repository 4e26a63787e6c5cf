import * as z from 'zod';

/**
 * The payload that travels through the agent loop: ids and outcomes, never content, so that it stays under 8 KiB however
 * long the conversation grows.
 */
export const CallRef = z.object({
  /**
   * Which state serves the call: `tool:<name>` for a function, `wait`, `callback` or `approval`. What comes back from
   * RunTools says where an approval led: `tool:<name>`, or `served` when it was refused.
   */
  next: z.string(),
  callId: z.string(),
  /** `wait` only: ISO 8601 UTC. */
  until: z.string().optional(),
  /** `callback` only: how long the task token is good for. */
  timeoutSeconds: z.number().int().optional(),
});
export type CallRef = z.infer<typeof CallRef>;

/** What a catcher adds when a state gave up on a call. */
export const CaughtError = z.object({ Error: z.string(), Cause: z.string().optional() });
export type CaughtError = z.infer<typeof CaughtError>;

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
 * `done` · `tool:<name>` · `wait` · `callback` · `approval` (with `call`) · `many` (with `calls`) · `again` (CallModel at once) ·
 * `continue` (with `execution`: the name of the next segment's execution).
 */
export const LoopOutput = SegmentInput.extend({
  next: z.string(),
  call: CallRef.optional(),
  calls: z.array(CallRef).optional(),
  execution: z.string().optional(),
});
export type LoopOutput = z.infer<typeof LoopOutput>;

/** The call as this round of the loop handed it out, if it did. */
export const refIn = (input: LoopInput, callId: string): CallRef | undefined =>
  [...(input.call ? [input.call] : []), ...(input.calls ?? [])].find((call) => call.callId === callId);

/** Whether the state that serves it waits for somebody's answer. */
export const isAnswered = ({ next }: CallRef): boolean => next === 'callback' || next === 'approval';

/** What the state that serves the call gave up with, if it did. */
export const errorOf = (input: LoopInput, callId: string): z.infer<typeof CaughtError> | undefined =>
  input.call?.callId === callId ? input.error : input.calls?.find((call) => call.callId === callId)?.error;

/** What a tool's Lambda is invoked with. `undo`: the call is to be compensated, not made. */
export const ToolRequest = z.object({
  conversationId: z.string(),
  runId: z.string(),
  callId: z.string(),
  undo: z.boolean().optional(),
});
export type ToolRequest = z.infer<typeof ToolRequest>;

/** What `ask` is invoked with: the only place where a task token travels. */
export const AskRequest = ToolRequest.omit({ undo: true }).extend({ taskToken: z.string() });
export type AskRequest = z.infer<typeof AskRequest>;

/** Execution names derive from run and segment, so that a duplicate start finds the first. */
export const executionName = (runId: string, segment: number): string => `${runId}-${segment}`;
