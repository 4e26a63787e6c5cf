// core/conversations/rows: the rows of the table: keys, META, formats, and the lists that they are in.

import * as z from 'zod';
import type { Opaque } from '../../base/content/items';
import { FilePart } from '../../base/content/parts';
import { Source } from '../../base/content/sources';
import { GuardVerdict } from '../../base/schemas/guard-verdict';
import {
  Absence,
  Assignment,
  Call,
  Callback,
  CallStatus,
  DecisionMade,
  Message,
  ReadMark,
  Member as ShownMember,
  StandingApproval,
  Timer,
  Usage,
} from '../../base/state/schemas';
import { StoredTrace } from '../../base/state/trace';
import { Locale } from '../../base/time/time-zone';
import { JsonText, withJsonText } from './json-text';

/** `Opaque` as JSON text. */
const OpaqueText = JsonText.transform((value) => value as Opaque);

/** What models read of a file, where a guard has changed that. */
const HeardFile = z.object({
  id: z.string(),
  /** Its name and its text, if they were replaced. */
  filename: z.string().optional(),
  text: z.string().optional(),
  /** Why models read neither. */
  withheld: z.string().optional(),
});
export type HeardFile = z.infer<typeof HeardFile>;

export const StoredMessage = Message.extend({
  opaque: OpaqueText.optional(),
  writer: z.string().optional(),
  /** The part of its user's budget that its step has reserved, until its usage is known: `Reservation`, as JSON. */
  reserved: z.string().optional(),
  /** The words that the step recalled about its user. Only the model and the owner read them: see `decisions/recalled.ts`. */
  recalled: z.string().optional(),
  /** For a summary: the first step whose recalled words it has; null for none. Those of earlier versions do not say. */
  recalledFrom: z.number().int().nullable().optional(),
  /** What guards have decided about these words. They are stored as the guards have left them. */
  recalledGuards: z.array(GuardVerdict).optional(),
  /** Where its user is, if that is new. The model reads it before the message. */
  locale: Locale.optional(),
  /** The words that the model reads instead of the text, after a guard. */
  heard: z.string().optional(),
  heardFiles: z.array(HeardFile).optional(),
  /** A scheduled call. The step that reads the message makes it without asking the model. */
  scheduled: z.object({ tool: z.string(), arguments: z.string() }).optional(),
  /** For a reply: its place in a trace, the start of its latest attempt, unless that is the first, and the number of its calls. */
  trace: StoredTrace.optional(),
  attemptAt: z.iso.datetime().optional(),
  made: z.number().int().optional(),
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
  /** The data that code had about the conversation when the call was made: `Given`. Absent if none. */
  given: JsonText.optional(),
  /** The agent whose reply made the call. */
  agent: z.string().default(''),
  /** The status that guards have checked, and the words that the model reads instead of that result or error, if they were replaced. */
  heard: z.object({ of: CallStatus, text: z.string().optional(), files: z.array(HeardFile).optional() }).optional(),
  /** The call's id in the transcript. */
  modelCallId: z.string(),
  /** The start of the latest attempt; `startedAt` is the first one's. */
  attemptAt: z.iso.datetime().optional(),
  /** The `seq` of the reply that made the call. */
  replySeq: z.number().int().optional(),
  /** Names who decides about the call, if it needs an approval: as in `StoredCallback`. */
  decider: z.string().optional(),
  /** The digest of the arguments that a person has approved. No others run. */
  approved: z.string().optional(),
  /** The user's answers to the questions of the tool's server: `ServerAnswer[]`. */
  answers: JsonText.optional(),
  /** The state of a call that has stopped at such a question, as its server wants it back: `ServerRound`. */
  round: JsonText.optional(),
  /** See `CallState`. */
  uncertain: z.literal(true).optional(),
  /** The number of attempts that AWS has throttled. They had no effect, and the tool's `retry` does not count them. */
  throttled: z.number().int().optional(),
  /** The server that the tool uses has asked not to be asked again before. */
  notBefore: z.iso.datetime().optional(),
  /** Its place in a trace. */
  trace: StoredTrace.optional(),
  /** The table effect is committed, although a webhook delivery had completed the call before its tool returned. */
  lateEffect: z.literal(true).optional(),
  /** In a deleted conversation: when the row expires, and all rows that are written with it. */
  ttl: z.number().optional(),
  /** For kind `read`: what the model reads as the result. */
  reads: z.object({ of: z.string(), from: z.number().int().min(1), file: FilePart.optional() }).optional(),
  /** The number of PART rows with the result. `result` is then its beginning. */
  parts: z.number().int().optional(),
  /** The writer in the keys of these rows. */
  partsBy: z.string().optional(),
});
export type StoredCall = z.infer<typeof StoredCall>;

/** A reply that a provider makes in the background. */
export const PendingReply = z.object({
  /** The provider, its id of the reply, and the maker, see `AboutModel`. */
  provider: z.string(),
  id: z.string(),
  maker: z.string(),
  model: z.string(),
  /** The step's message. */
  seq: z.number().int(),
  /** An estimate of what the provider bills if it does not say. */
  expected: Usage,
});
export type PendingReply = z.infer<typeof PendingReply>;

/** Where the callback of a pending reply is. */
export const ReplyPlace = z.object({ conversationId: z.string(), callbackId: z.string() });
export type ReplyPlace = z.infer<typeof ReplyPlace>;

/** A step of an approval: its deciders as `deciderOf` names them, fixed when it is asked. */
export const StoredStep = z.object({
  decider: z.string(),
  count: z.number().int().optional(),
  escalation: z.object({ decider: z.string(), afterSeconds: z.number() }).optional(),
});
export type StoredStep = z.infer<typeof StoredStep>;

export const StoredDecision = DecisionMade.extend({
  /** The digest of the arguments that were approved. */
  digest: z.string().optional(),
});
export type StoredDecision = z.infer<typeof StoredDecision>;

export const StoredAssignment = Assignment.extend({
  /** The step for which it is, from 0. */
  step: z.number().int(),
});
export type StoredAssignment = z.infer<typeof StoredAssignment>;

/** As it is stored. */
export const StoredCallback = Callback.omit({ dueStep: true }).extend({
  arguments: JsonText.optional(),
  asked: JsonText.optional(),
  steps: z.array(StoredStep).optional(),
  decisions: z.array(StoredDecision).optional(),
  assigned: StoredAssignment.optional(),
  /** When the step that is due became due, if it is not the first one. */
  dueSince: z.iso.datetime().optional(),
  /** How those who can decide are told again. */
  reminders: z.object({ everySeconds: z.number(), atMost: z.number() }).optional(),
  /** How often those of any step were told again. */
  told: z.number().int().optional(),
  outcome: JsonText.optional(),
  schema: JsonText.optional(),
  /** For a question of a server: `ServerQuestion`. */
  question: JsonText.optional(),
  /** For a webhook: what a delivery becomes. */
  delivers: z.enum(['result', 'message']).optional(),
  /** Names who may answer or decide: see `deciderOf`; with several steps, the decider of the step that is due. Absent for a webhook, which needs the signed address, and for a sub-agent. */
  decider: z.string().optional(),
  /** While the run waits for it: the list of its decider (`listFor`), in the index `byDecider`. Whatever closes it removes this. */
  openFor: z.string().optional(),
  /** Its place there: its time and id. */
  openSince: z.string().optional(),
  /** The number of messages before the call that an approver may read. */
  showsMessages: z.number().int().optional(),
  /** For kind `model`: the reply. */
  reply: PendingReply.optional(),
  /** For kind `task`: the server's id of the task. */
  taskId: z.string().optional(),
  /** For kind `task`: when the server is asked again how far it is. */
  lookAt: z.iso.datetime().optional(),
  /** For kind `model`: the usage of a reply that was cancelled is counted. */
  counted: z.literal(true).optional(),
  /** The text that the model reads if the callback expires. */
  fallback: z.string().optional(),
  /** The tokens of the waiting execution. Ask may run twice, late and out of order, so every token is used. */
  taskTokens: z.array(z.string()).optional(),
});
export type StoredCallback = z.infer<typeof StoredCallback>;

export const StoredTimer = Timer.extend({
  arguments: JsonText.optional(),
  conversationId: z.string(),
  /** The call that created the timer; absent if a person, a machine or the code has. */
  callId: z.string().optional(),
  /** The author of the timer's messages: the call's tool, or `schedule`. */
  author: z.string(),
  /** The webhook that this timer expires, or the approval of which it reminds. Such a timer is in no list that users see. */
  callbackId: z.string().optional(),
  /** The conversation's owner. */
  user: z.string(),
  /** Whether the user's counts include it while it is active. */
  counted: z.literal(true).optional(),
  everySeconds: z.number().optional(),
  /** The time of the rule that `nextAt` delays. Absent without jitter. */
  slotAt: z.iso.datetime().optional(),
  /** The number of the current execution, from 1. It fences earlier ones. */
  segment: z.number().int(),
  segmentStartedAt: z.iso.datetime(),
  segmentFired: z.number().int(),
  /** The message of a recurring timer's last firing. */
  lastSeq: z.number().int().optional(),
});
export type StoredTimer = z.infer<typeof StoredTimer>;

/** The data that was given to a conversation when it was created, if META would be large with it. It never changes. */
export const StoredGiven = z.object({
  metadata: JsonText.optional(),
  /** In a fork: the instructions of its agent. */
  instructions: z.string().optional(),
});
export type StoredGiven = z.infer<typeof StoredGiven>;

/** An agent's own note in a conversation. */
export const StoredNote = z.object({ note: z.string(), createdAt: z.iso.datetime() });

/** As it is stored, in its user's partition. */
export const StoredStanding = StandingApproval.extend({ same: JsonText });
export type StoredStanding = z.infer<typeof StoredStanding>;
export const standingRow = (standing: StoredStanding): object => withJsonText(standing, 'same');

/** In the absent approver's partition: who decides instead. Its version fences changes of both rows. */
export const StoredAbsence = Absence.extend({
  version: z.number().int(),
  endedAt: z.iso.datetime().optional(),
  /** The token that has named who decides, until another one of the sign-in has confirmed it. */
  token: z.object({ id: z.string(), signIn: z.string().optional() }).optional(),
});
export type StoredAbsence = z.infer<typeof StoredAbsence>;

/** In the partition of the one who decides instead: for whom, and as which deciders. */
export const StoredStandIn = z.object({
  version: z.number().int(),
  user: z.string(),
  deciders: z.array(z.string()),
  grantedAt: z.iso.datetime(),
  from: z.iso.datetime(),
  until: z.iso.datetime(),
  unconfirmedUntil: z.iso.datetime().optional(),
  endedAt: z.iso.datetime().optional(),
  /** The latest decision. A decision changes the row, so that none is made after the absence was ended. */
  usedAt: z.iso.datetime().optional(),
});
export type StoredStandIn = z.infer<typeof StoredStandIn>;

/** As which deciders a user was last seen, by their token: Vigil does not know the members of groups. */
export const SeenDeciders = z.object({
  deciders: z.array(z.string()),
  /** The user's name, for those who see to whom an approval is assigned. */
  name: z.string().optional(),
  seenAt: z.iso.datetime(),
});
export type SeenDeciders = z.infer<typeof SeenDeciders>;

/** A person or a group with whom a conversation is shared. */
export const Member = ShownMember.omit({ member: true });
export type Member = z.infer<typeof Member>;

/** Who invites somebody to a conversation, as what. It has no words of the conversation. */
const InvitedBy = z.object({
  user: z.string(),
  role: Member.shape.role,
  at: z.iso.datetime(),
  /** The first version of the conversation. One acceptance is for all of them. */
  rootId: z.string(),
});

/** Leads a member to the conversation, or somebody who is invited to the invitation. */
export const SharedRow = z.object({
  conversationId: z.string(),
  invitedBy: InvitedBy.optional(),
  ttl: z.number().optional(),
});
export type SharedRow = z.infer<typeof SharedRow>;

/** When a user ended what tokens that were issued until then may grant, in seconds since 1970. */
export const GrantsEnded = z.object({ version: z.number().int(), endedAt: z.number() });

/** The people and conversations that a user ignores: `user:<id>`, `conversation:<id>`. */
export const IgnoredRow = z.object({ version: z.number().int(), names: z.array(z.string()) });

/** A link to a conversation. */
export const StoredLink = z.object({
  version: z.number().int(),
  id: z.string(),
  /** The SHA-256 of its secret. */
  digest: z.string(),
  role: Member.shape.role,
  /** The owner who has made it. */
  by: z.string().optional(),
  /** Only one person may use it. */
  once: z.literal(true).optional(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  revokedAt: z.iso.datetime().optional(),
  /** How many have used it. */
  uses: z.number().int(),
  /** How often the conversation had got another owner. It is a link of that owner, and ends with their ownership. */
  handedOver: z.number().int().optional(),
});
export type StoredLink = z.infer<typeof StoredLink>;

/** How far a person has read a conversation of several people. */
export const StoredReadMark = ReadMark.extend({ version: z.number().int(), ttl: z.number() });
export type StoredReadMark = z.infer<typeof StoredReadMark>;

/** A fact that a user told an agent, kept for other conversations. */
export const Memory = z.object({
  id: z.string(),
  text: z.string(),
  /** The conversation that it comes from. */
  conversationId: z.string(),
  /** The outside sources that the agent had read when it kept the fact. Empty if a person told it, or approved it. */
  sources: z.array(Source).default(['unknown']),
  createdAt: z.iso.datetime(),
});
export type Memory = z.infer<typeof Memory>;

/** The vector of a message. In an erased row, only `ttl` is left. */
export const EmbeddingRow = z.object({
  version: z.number().int(),
  /** A byte for each number: see `quantised`. */
  vector: z.instanceof(Uint8Array).optional(),
  /** Vectors of different models cannot be compared. */
  embeddingModel: z.string().optional(),
  /** The digest of the words that were embedded. */
  digest: z.string().optional(),
  ttl: z.number().optional(),
});

/** Up to which message a conversation is embedded. */
export const EmbeddedRow = z.object({
  version: z.number().int(),
  through: z.number().int().nonnegative(),
  embeddingModel: z.string(),
  /** While something is left to embed or to erase: where Reconcile finds it (`core/conversations/rows/open-lists.ts`). */
  openFor: z.string().optional(),
  openSince: z.string().optional(),
  /** The conversation is deleted, or another's, so nothing of it is embedded here any more. */
  gone: z.literal(true).optional(),
  ttl: z.number().optional(),
});
export type EmbeddedRow = z.infer<typeof EmbeddedRow>;

export const callRow = (call: StoredCall): object =>
  withJsonText(call, 'arguments', 'result', 'opaque', 'given', 'answers', 'round');
export const callbackRow = (callback: StoredCallback): object =>
  withJsonText(callback, 'arguments', 'asked', 'schema', 'outcome', 'question');
export const timerRow = (timer: StoredTimer): object => withJsonText(timer, 'arguments');
