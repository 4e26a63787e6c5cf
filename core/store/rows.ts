import * as z from 'zod';
import { LoopOutput } from '../loop-state';
import { Call, Callback, ConversationSummary, Message, Run, Usage } from '../schemas';

/**
 * The rows of the one table. `pk` is the conversation, `sk` the kind of row:
 *
 *     META              the conversation and its latest run; its `version` fences every append and every step
 *     M#<seq>           a message
 *     CALL#<callId>     a tool call, with its result or the head of it
 *     PART#<callId>#<n> a large result, compressed, in pieces (apart from CALL#, so that the page does not read them)
 *     CALLBACK#<id>     a question that waits for an answer, with its task token
 *     TIMER#<id>        what comes into the conversation later
 *     SENT#<id>         a client's message id, so that a message that is sent twice is stored once
 */
export const key = {
  conversation: (conversationId: string) => `C#${conversationId}`,
  meta: 'META',
  message: (seq: number) => `M#${String(seq).padStart(10, '0')}`,
  call: (callId: string) => `CALL#${callId}`,
  part: (callId: string, part: number) => `PART#${callId}#${String(part).padStart(3, '0')}`,
  timer: (timerId: string) => `TIMER#${timerId}`,
  callback: (callbackId: string) => `CALLBACK#${callbackId}`,
  sent: (clientMessageId: string) => `SENT#${clientMessageId}`,
};

/** The model call that is being made: the row that its words go to, and who may write it. */
export const Draft = z.object({ step: z.number().int(), seq: z.number().int(), writer: z.string() });

/** A run as the table has it: the public part and what the loop needs to go on in any process. */
export const StoredRun = Run.extend({
  /** CallModel's answer of the last stored step: it is given again when CallModel is asked again. */
  next: LoopOutput.optional(),
  draft: Draft.optional(),
  segmentStartedAt: z.iso.datetime(),
  /** The last of the user's messages that a model call has taken up, and the steps that there were before it. */
  heard: z.object({ seq: z.number().int(), step: z.number().int() }),
  /** A sleeping execution of an earlier segment, fenced off by a wake-up and still to be stopped. */
  stop: z.string().optional(),
  /** An upper bound of the events in the segment's history so far. */
  segmentEvents: z.number().int(),
});
export type StoredRun = z.infer<typeof StoredRun>;

/** `agent` is the one that takes the next message. */
export const Meta = ConversationSummary.omit({ id: true }).extend({
  conversationId: z.string(),
  version: z.number().int(),
  owner: z.string(),
  lastSeq: z.number().int(),
  /** The user's last message: each one gives the run its limits anew. */
  lastUserSeq: z.number().int(),
  /** Messages that no model call has taken up yet: while there is one, a run may not end. */
  pending: z.array(z.number().int()),
  run: StoredRun.optional(),
  /** Of the runs before the latest. */
  earlierUsage: Usage,
  /** `start`: the run's segment is committed, its execution perhaps not started. The relay looks for it. */
  outbox: z.enum(['start']).optional(),
});
export type Meta = z.infer<typeof Meta>;

export const StoredMessage = Message.extend({ writer: z.string().optional() });
export type StoredMessage = z.infer<typeof StoredMessage>;

/** DynamoDB's own maps refuse large numbers and deep nesting, which tools and models send; JSON text takes them as they are. */
const JsonText = z.string().transform((text): unknown => JSON.parse(text));

export const StoredCall = Call.extend({
  arguments: JsonText,
  result: JsonText.optional(),
  /** Whom the call is made for: the conversation's owner. */
  user: z.string(),
  /** The id that the model's server gave the call: its result goes back under it. */
  modelCallId: z.string(),
  /** How many PART rows hold the result; `result` is then its head. */
  parts: z.number().int().optional(),
});
export type StoredCall = z.infer<typeof StoredCall>;

export const StoredCallback = Callback.extend({
  /** Of the execution that waits. Ask may be invoked twice, late and out of order: every token is told. */
  taskTokens: z.array(z.string()).optional(),
  /** `answer`: the outcome is committed, the waiting execution perhaps not told. */
  outbox: z.enum(['answer']).optional(),
});
export type StoredCallback = z.infer<typeof StoredCallback>;

/** A call as its row has it. */
export const callRow = ({ arguments: args, result, ...call }: StoredCall): object => ({
  ...call,
  arguments: JSON.stringify(args),
  ...(result !== undefined && { result: JSON.stringify(result) }),
});
