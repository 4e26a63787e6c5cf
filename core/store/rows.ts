import * as z from 'zod';
import { Claims } from '../state/given';
import type { Opaque } from '../state/items';
import { LoopOutput } from '../state/loop-state';
import { Call, Callback, ConversationSummary, isActive, Message, Run, RunStatus, Timer } from '../state/schemas';
import { Source } from '../state/sources';
import { Locale } from '../time/time-zone';
import { fromParentId, inParentId } from './family';
import { openIn, openList } from './open';
import { listedAttributes, listOf, ownedBy, ownerIn } from './owned';
import {
  type Reservation,
  ShortNext,
  ShortReservation,
  ShortUsage,
  shortNext,
  shortReservation,
  shortUsage,
  wholeNext,
} from './short-meta';

/**
 * The rows of the conversation table. `pk` is the conversation, `sk` the kind of row:
 *
 *     META              the conversation and its latest run; its `version` fences every append and every step
 *     M#<seq>           a message
 *     PIECE#<seq>#<attempt>#<from>  a piece of a message that is being written (`core/store/pieces.ts`)
 *     CALL#<callId>     a tool call, with its result or the beginning of it
 *     PART#<callId>#<n> a part of a large, compressed result (not under CALL#, so the page's query skips it)
 *     CALLBACK#<id>     a callback, with its task tokens
 *     TIMER#<id>        a timer
 *     NOTE#<agent>#<id> an agent's own note
 *     SENT#<id>         a client's message id, so a message that is sent twice is stored once
 *     FORK#<id>         of the root of a family: a fork, and where it departs
 */
export const key = {
  conversation: (conversationId: string) => `C#${conversationId}`,
  /** The partition with what belongs to a user and to no conversation. */
  user: (user: string) => `U#${user}`,
  /** The partition of a user's counts and spending. It is apart from memories, because more functions change it. */
  counted: (user: string) => `N#${user}`,
  /** The partition of Vigil's own progress. */
  own: 'V#',
  meta: 'META',
  messages: 'M#',
  message: (seq: number) => `${key.messages}${String(seq).padStart(10, '0')}`,
  pieces: 'PIECE#',
  piecesOf: ({ seq, attempt }: { seq: number; attempt: number }) =>
    `${key.pieces}${String(seq).padStart(10, '0')}#${String(attempt).padStart(5, '0')}#`,
  piece: (place: { seq: number; attempt: number; from: number }) =>
    `${key.piecesOf(place)}${String(place.from).padStart(7, '0')}`,
  call: (callId: string) => `CALL#${callId}`,
  part: (callId: string, part: number) => `PART#${callId}#${String(part).padStart(3, '0')}`,
  timer: (timerId: string) => `TIMER#${timerId}`,
  callback: (callbackId: string) => `CALLBACK#${callbackId}`,
  branch: (conversationId: string) => `FORK#${conversationId}`,
  sent: (clientMessageId: string) => `SENT#${clientMessageId}`,
  /** Where Reconcile continues. */
  reconcile: 'RECONCILE',
  /** How many runs, conversations and timers a user has. */
  counts: 'COUNTS',
  /** A user's time zone and language. */
  settings: 'SETTINGS',
  /** What a user spends in a month. */
  spent: 'SPENT#',
};

/** JSON as text, because DynamoDB's maps reject large numbers and deep nesting, which tools and models send. */
const JsonText = z.string().transform((text): unknown => JSON.parse(text));

/** The step that is being made: the place of its message in the log, and which writer may write there. */
export const Draft = z.object({
  step: z.number().int(),
  seq: z.number().int(),
  writer: z.string(),
  /** The number of the attempt at the step, from 1. */
  attempt: z.number().int().optional(),
  /** Messages whose scheduled calls this step makes, instead of asking the model. */
  scheduled: z.array(z.number().int()).optional(),
  /** In a burst only: when the writer's function has certainly ended, which may be after the burst. */
  until: z.iso.datetime().optional(),
});
export type Draft = z.infer<typeof Draft>;

/** A run as stored: the public part, and what any process needs to continue it. */
export const StoredRun = Run.extend({
  /** CallModel's answer for the last stored step. A repeated invocation returns it again. */
  next: LoopOutput.optional(),
  draft: Draft.optional(),
  segmentStartedAt: z.iso.datetime(),
  /** The last message from outside that the run has read, and the number of steps before that. */
  lastRead: z.object({ seq: z.number().int(), step: z.number().int() }),
  /** A stale execution that must still be stopped: of an earlier segment, or of a cancelled run. */
  stop: z.string().optional(),
  /** An upper bound of the events in the segment's history. */
  segmentEvents: z.number().int(),
  startedAt: z.iso.datetime(),
  /** How many replies in a row the provider has cut off. */
  cutOff: z.number().int().optional(),
  /** How many answers in a row did not fit the agent's `output`. */
  misfits: z.number().int().optional(),
  /** The result, as JSON. */
  resultText: z.string().optional(),
  /** The first run whose effects a cancel of this run undoes. Earlier runs that failed or were limited, and that this run continues. */
  undoFrom: z.number().int().optional(),
  /** Whether the user's counts include it while it is active. */
  counted: z.literal(true).optional(),
  /** How many sub-agents it has asked for. */
  delegations: z.number().int().optional(),
  /** A failed run can be retried until then. Afterwards it is rolled back. */
  heldUntil: z.iso.datetime().optional(),
  /** The user's claims when it began, as far as the deployment keeps them. */
  claims: Claims.optional(),
  /** What is left of its reservation of the user's budget. Only a run that is `running` has one. */
  reserved: z.custom<Reservation>().optional(),
});
export type StoredRun = z.infer<typeof StoredRun>;

/** META as stored. What its keys or its other fields say is left out: one that fits into 1 KB costs one write unit. */
const StoredMeta = ConversationSummary.omit({ id: true }).extend({
  pk: z.string().optional(),
  /** In rows from before it was left out. */
  conversationId: z.string().optional(),
  /** The version at the last change of what the list shows. Rows from before there was `fence` have the only version here. */
  version: z.number().int(),
  /** The version, which every change of the row increases and every write of it checks. */
  fence: z.number().int().optional(),
  parentId: z
    .string()
    .transform((stored) => fromParentId(stored).parentId)
    .optional(),
  /** Empty if the conversation is deleted, or a fork that is not complete. */
  owner: z.string().transform(ownerIn).default(''),
  /** `user`: the user gave the title. `model`: a model was asked for one, or gave it. Absent: it begins the first message. */
  titledBy: z.enum(['user', 'model']).optional(),
  deletedFor: z.string().optional(),
  /** Whether the user's counts include the conversation until it is deleted. */
  counted: z.literal(true).optional(),
  ttl: z.number().optional(),
  lastSeq: z.number().int(),
  /** The last message from outside the run, from a user, a timer or an outside system. Each one resets the step limit. */
  lastUserSeq: z.number().int(),
  /** Where the owner was when they sent their last message. */
  ...Locale.shape,
  /** The claims of the owner's last message. The next run begins with them. */
  claims: Claims.optional(),
  /** What the API's client gave to the conversation. */
  metadata: JsonText.optional(),
  /** The client id of the machine that started it on behalf of its owner. */
  startedBy: z.string().optional(),
  /** Unread messages. While there is one, a run does not end. */
  pending: z.array(z.number().int()),
  /** The messages in `pending` and `queued` that carry a scheduled call. */
  scheduled: z.array(z.number().int()).optional(),
  /** Messages that wait for the end of the run. The next run reads them. */
  queued: z.array(z.number().int()).optional(),
  run: StoredRun.extend({
    ...{ next: ShortNext.optional(), usage: ShortUsage, reserved: ShortReservation.optional() },
  }).optional(),
  /** The number of the latest run. A fork continues the original's count. */
  runs: z.number().int().default(0),
  /** The number of amendments, which invalidates cached logs. */
  amendments: z.number().int().optional(),
  /** The first agent. It takes over if the current one is no longer deployed. */
  entry: z.string(),
  /** In a sub-agent's conversation: the callback that waits for its result, and how many delegations led here. */
  parent: z
    .object({
      conversationId: z.string(),
      callbackId: z.string(),
      depth: z.number().int(),
      reported: z.boolean(),
      /** The outcome of the first run, which does the delegated task. Other runs may follow it. */
      outcome: z
        .object({ runId: z.string(), status: RunStatus, reason: z.string().optional(), lastSeq: z.number().int() })
        .extend({ agent: z.string(), sources: z.array(Source).optional() })
        .optional(),
    })
    .optional(),
  /** In a fork that is not complete: the first request, as JSON. */
  forking: z.string().optional(),
  /** In a fork: a model for all agents, and instructions for `agent`. */
  overrides: z
    .object({ agent: z.string(), model: z.string().optional(), instructions: z.string().optional() })
    .optional(),
  /** The usage of all runs before the latest, and of the title. */
  earlierUsage: ShortUsage,
  /**
   * The action that is committed and perhaps not done yet. Relay does it again.
   *
   * - `start`: start the execution of the run's segment.
   * - `stop`: stop the execution of a cancelled run.
   * - `cancel`: stop it, and start the rollback.
   * - `hold`: start the rollback execution of a failed run, which first waits for a retry.
   * - `report`: report a sub-agent's outcome to its parent.
   */
  outbox: z.enum(['start', 'stop', 'cancel', 'hold', 'report']).optional(),
});

/** META as processes have it: `version` fences it, `listedVersion` is that of its entry in the list. */
export type Meta = Omit<z.infer<typeof StoredMeta>, 'pk' | 'conversationId' | 'fence' | 'run'> & {
  conversationId: string;
  run?: StoredRun;
  listedVersion?: number;
};
export const Meta = StoredMeta.transform(({ pk, fence, run, ...stored }): Meta => {
  const { conversationId = pk && conversationIn(pk), version } = stored;
  if (!conversationId) throw new Error('META was read without its key.');
  const meta = {
    ...stored,
    conversationId,
    run: run && { ...run, next: run.next && wholeNext(run.next, conversationId, run) },
  };
  return fence === undefined ? meta : { ...meta, version: fence, listedVersion: version };
});

/** `Opaque` as JSON text. */
const OpaqueText = z.string().transform((text) => JSON.parse(text) as Opaque);

export const StoredMessage = Message.extend({
  opaque: OpaqueText.optional(),
  writer: z.string().optional(),
  /** Of a reply that was cut off: what stays counted until its usage is known, as JSON (`Reservation`). */
  reserved: z.string().optional(),
  /** What the step recalled about its user. Only the model reads it. */
  recalled: z.string().optional(),
  /** A scheduled call. The step that reads the message makes it without asking the model. */
  scheduled: z.object({ tool: z.string(), arguments: z.string() }).optional(),
});
export type StoredMessage = z.infer<typeof StoredMessage>;

export const StoredCall = Call.extend({
  arguments: JsonText,
  result: JsonText.optional(),
  opaque: OpaqueText.optional(),
  /** The conversation's owner, for whom the call is made. */
  user: z.string(),
  /** The user's time zone when the call was made, as an IANA name; absent for UTC. */
  timeZone: z.string().optional(),
  /** What code knew of the conversation when the call was made: `Given`. Absent if nothing. */
  given: JsonText.optional(),
  /** The agent whose reply made the call. */
  agent: z.string().default(''),
  /** The call's id in the transcript. */
  modelCallId: z.string(),
  /** When the latest attempt began; `startedAt` is the first one's. */
  attemptAt: z.iso.datetime().optional(),
  /** The `seq` of the reply that made the call. */
  replySeq: z.number().int().optional(),
  /** Who decides about the call, if it needs an approval: as in `StoredCallback`. */
  decider: z.string().optional(),
  /** The digest of the arguments that a person has approved. No others run. */
  approved: z.string().optional(),
  /** What the user has answered to the questions of the tool's server: `ServerAnswer[]`. */
  answers: JsonText.optional(),
  /** See `CallState`. */
  uncertain: z.literal(true).optional(),
  /** How many attempts AWS has throttled. They had no effect, and the tool's `retry` does not count them. */
  throttled: z.number().int().optional(),
  /** The table effect is committed, although a webhook delivery had completed the call before its tool returned. */
  lateEffect: z.literal(true).optional(),
  /** In a deleted conversation: when the row expires, and all rows that are written with it. */
  ttl: z.number().optional(),
  /** The number of PART rows with the result. `result` is then its beginning. */
  parts: z.number().int().optional(),
});
export type StoredCall = z.infer<typeof StoredCall>;

export const StoredCallback = Callback.extend({
  arguments: JsonText.optional(),
  outcome: JsonText.optional(),
  /** For a question of a server: `ServerQuestion`. */
  question: JsonText.optional(),
  /** For a webhook: what a delivery becomes. */
  delivers: z.enum(['result', 'message']).optional(),
  /** Who may answer or decide: see `deciderOf`. Absent for a webhook, which needs the signed address, and for a sub-agent. */
  decider: z.string().optional(),
  /** In rows from before there were deciders: the user. */
  mayAnswer: z.string().optional(),
  /** While the run waits for it: its decider, under which the index `byDecider` lists it. Whatever closes it removes this. */
  openFor: z.string().optional(),
  /** Its place there: its time and id. */
  openSince: z.string().optional(),
  /** How many messages before the call an approver may read. */
  showsMessages: z.number().int().optional(),
  /** What the model reads if the callback expires. */
  fallback: z.string().optional(),
  /** The tokens of the waiting execution. Ask may run twice, late and out of order, so every token is used. */
  taskTokens: z.array(z.string()).optional(),
  /** `answer`: the outcome is committed, but the execution (if cancelled: the sub-agent) is perhaps not notified. */
  outbox: z.enum(['answer']).optional(),
}).transform(({ mayAnswer, ...row }) => ({
  ...(mayAnswer !== undefined && { decider: `user:${mayAnswer}` }),
  ...row,
}));
export type StoredCallback = z.infer<typeof StoredCallback>;

export const StoredTimer = Timer.extend({
  arguments: JsonText.optional(),
  conversationId: z.string(),
  /** The call that created the timer, and its tool, which is the author of the timer's messages. */
  callId: z.string(),
  author: z.string(),
  /** The webhook that this timer expires. Such a timer is in no list that users see. */
  callbackId: z.string().optional(),
  /** The conversation's owner. */
  user: z.string(),
  /** Whether the user's counts include it while it is active. */
  counted: z.literal(true).optional(),
  everySeconds: z.number().optional(),
  /** The number of the current execution, from 1. It fences earlier ones. */
  segment: z.number().int(),
  segmentStartedAt: z.iso.datetime(),
  segmentFired: z.number().int(),
  /** The message of a recurring timer's last firing. */
  lastSeq: z.number().int().optional(),
  /** `start`: start the execution. `stop`: stop the execution of a cancelled timer. */
  outbox: z.enum(['start', 'stop']).optional(),
});
export type StoredTimer = z.infer<typeof StoredTimer>;

/** Returns a row with the named fields as JSON text. Undefined ones are left out. */
export const withJsonText = <Row extends object>(row: Row, ...fields: (keyof Row)[]): object => ({
  ...row,
  ...Object.fromEntries(
    fields.filter((field) => row[field] !== undefined).map((field) => [field, JSON.stringify(row[field])]),
  ),
});

/** Returns the conversation in whose partition a row is. */
export const conversationIn = (pk: string): string => pk.slice(key.conversation('').length);

/** META as stored: with its places in the indexes. DynamoDB rejects an empty key, so a row without an owner is in none of them. */
export function metaRow({ listedVersion, conversationId, ...meta }: Meta): Record<string, unknown> {
  const { owner, deletedFor, run, rootId, version, earlierUsage } = meta;
  const list = run && (owner ? openListOf(run) : run.status === 'cancelling' ? openList.unseen : undefined);
  const user = owner || deletedFor;
  const listed = owner ? ownedBy(owner, listOf(meta)) : undefined;
  return {
    ...withJsonText(meta, 'metadata'),
    ...(rootId && { parentId: inParentId(rootId) }),
    owner: listed,
    ...(list && user && openIn(list(user), run.startedAt, conversationId)),
    version: listedVersion ?? version,
    fence: version,
    run: run && {
      ...run,
      next: run.next && shortNext(run.next, run.id),
      usage: shortUsage(run.usage),
      reserved: run.reserved && shortReservation(run.reserved),
    },
    earlierUsage: shortUsage(earlierUsage),
  };
}

/**
 * Returns META as the next write stores it. While nothing changes that the list shows, the entry keeps its version too: DynamoDB then writes
 * no index.
 */
export function nextMeta(current: Meta, next: Meta): Meta {
  const version = current.version + 1;
  return {
    ...next,
    version,
    listedVersion: isListedAlike(current, next) ? (current.listedVersion ?? version) : version,
  };
}

/** Whether the list shows both in the same way, at the same place. */
export function isListedAlike(one: Meta, other: Meta): boolean {
  const [row, otherRow] = [metaRow(one), metaRow(other)];
  return ['owner', 'updatedAt', ...listedAttributes].every(
    (name) => name === 'version' || row[name] === otherRow[name],
  );
}

function openListOf({ status }: StoredRun): ((user: string) => string) | undefined {
  if (isActive(status) || status === 'cancelling') return openList.active;
  return status === 'failed' || status === 'limited' ? openList.failed : undefined;
}

/** What the row of a step's message has from its beginning, whichever write is its first. */
export const replyRow = (
  { seq, step }: Draft,
  { id: runId, agent: author }: Pick<StoredRun, 'id' | 'agent'>,
  now: Date,
) => ({
  ...{ seq, role: 'assistant', author, runId, step },
  createdAt: now.toISOString(),
});
export const callRow = (call: StoredCall): object =>
  withJsonText(call, 'arguments', 'result', 'opaque', 'given', 'answers');
export const callbackRow = (callback: StoredCallback): object =>
  withJsonText(callback, 'arguments', 'outcome', 'question');
export const timerRow = (timer: StoredTimer): object => withJsonText(timer, 'arguments');
