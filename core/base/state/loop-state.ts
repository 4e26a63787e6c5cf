import * as z from 'zod';

/** A call in the payload of the agent loop. The payload has ids and outcomes, never content, so it always stays below 8 KiB. */
export const CallRef = z.object({
  /**
   * The state that serves the call: `tool:<name>` for a function, `wait`, `callback` or `approval`. After RunTools, an approval has
   * its route: `tool:<name>`, or `served` if it was denied.
   */
  next: z.string(),
  callId: z.string(),
  /** `wait` only: ISO 8601 UTC. */
  until: z.string().optional(),
  /** `callback` and `approval` only: how long the task token is valid. */
  timeoutSeconds: z.number().int().optional(),
});
export type CallRef = z.infer<typeof CallRef>;

/** The error that a catcher adds when a state gives up on a call. */
export const CaughtError = z.object({ Error: z.string(), Cause: z.string().optional() });
export type CaughtError = z.infer<typeof CaughtError>;

/** An execution's input. It is canonical, so starting the same segment twice is a no-op. */
export const SegmentInput = z.object({
  conversationId: z.string(),
  runId: z.string(),
  segment: z.number().int(),
  /** The last stored step. CallModel makes the next one. */
  step: z.number().int(),
});
export type SegmentInput = z.infer<typeof SegmentInput>;

/** CallModel's input: a segment's input, or the payload after the last round of the loop. */
export const LoopInput = SegmentInput.extend({
  next: z.string().optional(),
  call: CallRef.optional(),
  calls: z.array(CallRef.extend({ error: CaughtError.optional() })).optional(),
  error: CaughtError.optional(),
});
export type LoopInput = z.infer<typeof LoopInput>;

/**
 * The next action of the loop. Route chooses by `next`:
 * `done` · `tool:<name>` · `wait` · `callback` · `approval` (with `call`) · `many` (with `calls`) · `again` (CallModel at once) ·
 * `continue` (with `execution`: the name of the next segment's execution).
 */
export const NextState = z.object({
  next: z.string(),
  call: CallRef.optional(),
  calls: z.array(CallRef).optional(),
  execution: z.string().optional(),
});

/** CallModel's answer. */
export const LoopOutput = SegmentInput.extend(NextState.shape);
export type LoopOutput = z.infer<typeof LoopOutput>;

/** Another input of CallModel, which alone has the providers' keys: cancel a reply that a provider makes in the background. */
export const CancelReply = z.object({ cancelReply: z.object({ conversationId: z.string(), callbackId: z.string() }) });
export type CancelReply = z.infer<typeof CancelReply>;

/** Finds a call in the payload of this round of the loop. */
export const refIn = (input: LoopInput, callId: string): CallRef | undefined =>
  [...(input.call ? [input.call] : []), ...(input.calls ?? [])].find((call) => call.callId === callId);

/** Whether the state that serves the call waits for a callback. */
export const isAnswered = ({ next }: CallRef): boolean => next === 'callback' || next === 'approval';

/** Returns the error with which the call's state gave up, if any. */
export const errorOf = (input: LoopInput, callId: string): z.infer<typeof CaughtError> | undefined =>
  input.call?.callId === callId ? input.error : input.calls?.find((call) => call.callId === callId)?.error;

/** The input of a tool's Lambda function. `undo`: compensate the call instead of making it. */
export const ToolRequest = z.object({
  conversationId: z.string(),
  runId: z.string(),
  callId: z.string(),
  undo: z.boolean().optional(),
  /** The tool's name, for a function that serves several. */
  tool: z.string().optional(),
  /** The server of the tool is told to end this task, which is no longer needed. */
  cancelTask: z.string().optional(),
});
export type ToolRequest = z.infer<typeof ToolRequest>;

/** The input of Ask, the only function that receives a task token. */
export const AskRequest = ToolRequest.omit({ undo: true, tool: true, cancelTask: true }).extend({
  taskToken: z.string(),
});
export type AskRequest = z.infer<typeof AskRequest>;

/** Derives an execution's name from run and segment, so a repeated start has no effect. */
export const executionName = (runId: string, segment: number): string => `${runId}-${segment}`;
