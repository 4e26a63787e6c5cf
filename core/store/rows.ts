import * as z from 'zod';
import type { Opaque } from '../state/items';
import { LoopOutput } from '../state/loop-state';
import { Call, Callback, ConversationSummary, Message, Run, RunStatus, Timer, Usage } from '../state/schemas';

/**
 * The rows of the one table. `pk` is the conversation, `sk` the kind of row:
 *
 *     META              the conversation and its latest run; its `version` fences every append and every step
 *     M#<seq>           a message
 *     CALL#<callId>     a tool call, with its result or the head of it
 *     PART#<callId>#<n> a large result, compressed, in pieces (apart from CALL#, so that the page does not read them)
 *     CALLBACK#<id>     a question that waits for an answer, with its task token
 *     TIMER#<id>        what comes into the conversation later
 *     NOTE#<agent>#<id> what an agent keeps for itself
 *     SENT#<id>         a client's message id, so that a message that is sent twice is stored once
 */
export const key = {
  conversation: (conversationId: string) => `C#${conversationId}`,
  meta: 'META',
  messages: 'M#',
  message: (seq: number) => `${key.messages}${String(seq).padStart(10, '0')}`,
  call: (callId: string) => `CALL#${callId}`,
  part: (callId: string, part: number) => `PART#${callId}#${String(part).padStart(3, '0')}`,
  timer: (timerId: string) => `TIMER#${timerId}`,
  callback: (callbackId: string) => `CALLBACK#${callbackId}`,
  sent: (clientMessageId: string) => `SENT#${clientMessageId}`,
};

/** The step that is being made: the row that the model's words go to, and who may write it. */
export const Draft = z.object({
  step: z.number().int(),
  seq: z.number().int(),
  writer: z.string(),
  /** Which attempt at the step this is. */
  attempt: z.number().int().optional(),
  /** Messages whose scheduled calls this step makes, instead of asking the model. */
  scheduled: z.array(z.number().int()).optional(),
});
export type Draft = z.infer<typeof Draft>;

/** A run as the table has it: the public part and what the loop needs to go on in any process. */
export const StoredRun = Run.extend({
  /** CallModel's answer of the last stored step: it is given again when CallModel is asked again. */
  next: LoopOutput.optional(),
  draft: Draft.optional(),
  segmentStartedAt: z.iso.datetime(),
  /** The last of the messages from outside that a model call has taken up, and the steps that there were before it. */
  lastRead: z.object({ seq: z.number().int(), step: z.number().int() }),
  /** A sleeping execution of an earlier segment, fenced off by a wake-up and still to be stopped. */
  stop: z.string().optional(),
  /** An upper bound of the events in the segment's history so far. */
  segmentEvents: z.number().int(),
  startedAt: z.iso.datetime(),
  /** How many of its replies in a row were cut off by the provider. */
  cutOff: z.number().int().optional(),
  /** How many of its answers in a row did not fit the agent's output. */
  misfits: z.number().int().optional(),
  /** The result, as JSON. */
  resultText: z.string().optional(),
  /** What runs from this number on did stands or falls with this one: it goes on from those that failed or were limited. */
  undoFrom: z.number().int().optional(),
  /** A failed run can be retried until then; after that it is rolled back. */
  heldUntil: z.iso.datetime().optional(),
});
export type StoredRun = z.infer<typeof StoredRun>;

export const Meta = ConversationSummary.omit({ id: true }).extend({
  conversationId: z.string(),
  version: z.number().int(),
  /** Empty once it is deleted: then it is nobody's. */
  owner: z.string().default(''),
  deletedFor: z.string().optional(),
  ttl: z.number().optional(),
  lastSeq: z.number().int(),
  /** The last message from outside the run, the user's or a timer's: each one gives the run its limits anew. */
  lastUserSeq: z.number().int(),
  /** Messages that no model call has taken up yet: while there is one, a run may not end. */
  pending: z.array(z.number().int()),
  /** Those of them that carry a scheduled call. */
  scheduled: z.array(z.number().int()).optional(),
  /** Messages that wait for the end of the run: the next run takes them up. */
  queued: z.array(z.number().int()).optional(),
  run: StoredRun.optional(),
  /** The number of the latest run; a fork counts on from the runs that it has copied. */
  runs: z.number().int().default(0),
  /** How often a message was amended. */
  amendments: z.number().int().optional(),
  /** The agent that it began with: it takes over when the active one is no longer deployed. */
  entry: z.string(),
  /** Of a sub-agent's conversation: what waits for its answer, and how many it is away from the first. */
  parent: z
    .object({
      conversationId: z.string(),
      callbackId: z.string(),
      depth: z.number().int(),
      reported: z.boolean(),
      /** What came of the first run, which was the one that was asked for. Others may follow it. */
      outcome: z
        .object({ runId: z.string(), status: RunStatus, reason: z.string().optional(), lastSeq: z.number().int() })
        .extend({ agent: z.string() })
        .optional(),
    })
    .optional(),
  /** Of a fork that is not whole yet, and nobody's so far: the request that began it, as JSON. */
  forking: z.string().optional(),
  /** Of a fork: instead of what its agents say; the instructions are those of the agent that it was forked for. */
  overrides: z
    .object({ agent: z.string(), model: z.string().optional(), instructions: z.string().optional() })
    .optional(),
  /** Of the runs before the latest. */
  earlierUsage: Usage,
  /**
   * What is committed and perhaps not done yet; the relay looks for it. `start`: the run's segment has to be started.
   * `stop`: the execution of a cancelled run has to be stopped. `cancel`: that, and its rollback started. `hold`: the rollback
   * of a failed run has to be set up, for when nobody retries it. `report`: a sub-agent is done, and who asked it is to be told.
   */
  outbox: z.enum(['start', 'stop', 'cancel', 'hold', 'report']).optional(),
});
export type Meta = z.infer<typeof Meta>;

/** DynamoDB's own maps refuse large numbers and deep nesting, which tools and models send; JSON text takes them as they are. */
const JsonText = z.string().transform((text): unknown => JSON.parse(text));

/** See `Opaque`. As text: nobody here reads it. */
const OpaqueText = z.string().transform((text) => JSON.parse(text) as Opaque);

export const StoredMessage = Message.extend({
  opaque: OpaqueText.optional(),
  writer: z.string().optional(),
  /** What the step recalled of its user, for the model only. */
  recalled: z.string().optional(),
  /** A call that was scheduled for now: the step that takes the message up makes it, without asking the model. */
  scheduled: z.object({ tool: z.string(), arguments: z.string() }).optional(),
});
export type StoredMessage = z.infer<typeof StoredMessage>;

export const StoredCall = Call.extend({
  arguments: JsonText,
  result: JsonText.optional(),
  opaque: OpaqueText.optional(),
  /** Whom the call is made for: the conversation's owner. */
  user: z.string(),
  /** Which agent asked for it. */
  agent: z.string().default(''),
  /** The id that the model's server gave the call: its result goes back under it. */
  modelCallId: z.string(),
  /** When the latest attempt began; `startedAt` is the first one's. */
  attemptAt: z.iso.datetime().optional(),
  /** See `CallState`. */
  uncertain: z.literal(true).optional(),
  /** What its tool does in the table is done: a webhook had delivered before the tool was. */
  lateEffect: z.literal(true).optional(),
  /** Of a deleted conversation: when the row expires, and whatever is written with it. */
  ttl: z.number().optional(),
  /** How many PART rows hold the result; `result` is then its head. */
  parts: z.number().int().optional(),
});
export type StoredCall = z.infer<typeof StoredCall>;

export const StoredCallback = Callback.extend({
  arguments: JsonText.optional(),
  outcome: JsonText.optional(),
  /** Of a webhook: what becomes of what is delivered. */
  delivers: z.enum(['result', 'message']).optional(),
  /** Whose answer counts: a user's id. Absent: an outside system's, which shows the signed address. */
  mayAnswer: z.string().optional(),
  /** What the model reads when nobody answers in time. */
  fallback: z.string().optional(),
  /** Of the execution that waits. Ask may be invoked twice, late and out of order: every token is told. */
  taskTokens: z.array(z.string()).optional(),
  /** `answer`: the outcome is committed, the waiting execution (cancelled: the sub-agent) perhaps not told. */
  outbox: z.enum(['answer']).optional(),
});
export type StoredCallback = z.infer<typeof StoredCallback>;

export const StoredTimer = Timer.extend({
  arguments: JsonText.optional(),
  conversationId: z.string(),
  /** The call that made it, and its tool: the author of what it says. */
  callId: z.string(),
  author: z.string(),
  /** It lets this webhook expire: nothing that anybody arranged, so that it is in no list of timers. */
  callbackId: z.string().optional(),
  /** Whom it is made for, and by which agent. */
  user: z.string(),
  everySeconds: z.number().optional(),
  /** Counts the executions that it is a chain of, from 1; the number fences late ones off. */
  segment: z.number().int(),
  segmentStartedAt: z.iso.datetime(),
  segmentFired: z.number().int(),
  /** The message of a recurring one's last firing. */
  lastSeq: z.number().int().optional(),
  /** `start`: its execution has to be started. `stop`: it is cancelled and its execution has to be stopped. */
  outbox: z.enum(['start', 'stop']).optional(),
});
export type StoredTimer = z.infer<typeof StoredTimer>;

/** A row with its JSON fields as text, undefined ones left out. */
export const withJsonText = <Row extends object>(row: Row, ...fields: (keyof Row)[]): object => ({
  ...row,
  ...Object.fromEntries(
    fields.filter((field) => row[field] !== undefined).map((field) => [field, JSON.stringify(row[field])]),
  ),
});

/** A call, a callback, a timer as their rows have them. */
export const callRow = (call: StoredCall): object => withJsonText(call, 'arguments', 'result', 'opaque');
export const callbackRow = (callback: StoredCallback): object => withJsonText(callback, 'arguments', 'outcome');
export const timerRow = (timer: StoredTimer): object => withJsonText(timer, 'arguments');
