// core/base/state: what travels between functions and what the API shows: schemas, payloads of the state machines, traces.

import * as z from 'zod';
import { Part } from '../content/parts';
import { HostedUse, Reference, Source } from '../content/sources';
import { ModelWait, PassedOver } from '../models/model-outage';
import { GuardVerdict } from '../schemas/guard-verdict';
import { catchUps, overlaps } from '../time/rule';
import { FailedAttempt } from './failed-attempts';

/**
 * The schemas of the API, which the page uses too. Ids are opaque strings, times are ISO 8601 UTC, and money is an integer of
 * micro-dollars or cents, as the field's name says.
 */
export const RunStatus = z.enum([
  'running',
  'sleeping',
  'waiting',
  'done',
  'failed',
  'limited',
  'cancelling',
  'cancelled',
]);
export type RunStatus = z.infer<typeof RunStatus>;

export const Usage = z.object({
  modelCalls: z.number().int(),
  toolCalls: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  /** The part of the input that the provider read from its cache, at a lower price. Absent if it does not report this. */
  cachedInputTokens: z.number().int().optional(),
  /** The part of the input that the provider wrote to its cache, at a higher price. Absent if it does not report this. */
  cacheWriteTokens: z.number().int().optional(),
  /** The part of the output that is the model's hidden reasoning. Absent if the provider does not report this. */
  reasoningTokens: z.number().int().optional(),
  /** The cost of the model calls by the price list, in millionths of a dollar. */
  costMicrodollars: z.number().int(),
  /**
   * What the provider's cache has saved, in millionths of a dollar: negative if the writes cost more than the reads saved. It is part of
   * no other figure. Absent if nothing was read or written, if the model has no price, and in steps from before 2026-11-27.
   */
  savedMicrodollars: z.number().int().optional(),
  /** Model calls that count at the dearest known price, because their model has none. */
  unpricedCalls: z.number().int().optional(),
});
export type Usage = z.infer<typeof Usage>;

export const Run = z.object({
  id: z.string(),
  status: RunStatus,
  agent: z.string(),
  /** The number of the current segment, from 1. */
  segment: z.number().int(),
  /** The number of stored steps. */
  step: z.number().int(),
  /** The step that failed, if the run is `failed`. */
  failedStep: z.number().int().optional(),
  /** The reason why the run ended, unless it is `done`. */
  reason: z.string().optional(),
  /** The person besides the owner who has stopped it. What it has done stays, unless the owner cancels it, too, which undoes that. */
  stoppedBy: z.string().optional(),
  /** While `sleeping`: when the run wakes. */
  until: z.iso.datetime().optional(),
  /** The result of a `done` run, for an agent with `output`: an object that fits its schema. */
  result: z.record(z.string(), z.unknown()).optional(),
  usage: Usage,
  /** While `running`: the model that does not answer, and when it is asked again. */
  modelWait: ModelWait.optional(),
  /** The outside sources of what the run's last step had read. */
  sources: z.array(Source).optional(),
});
export type Run = z.infer<typeof Run>;

/** What a person of the conversation thinks of a message. */
export const Feedback = z.object({
  user: z.string(),
  /** Of a reply: whether it is good. */
  verdict: z.enum(['up', 'down']).optional(),
  /** Why, in their words. */
  reason: z.string().optional(),
  /** It is to become a case of an eval. */
  dataset: z.literal(true).optional(),
  at: z.iso.datetime(),
});
export type Feedback = z.infer<typeof Feedback>;

export const MessageStatus = z.enum(['pending', 'streaming', 'complete', 'cancelled', 'error']);
export const Message = z.object({
  seq: z.number().int(),
  /** Increases with every change of the row. */
  version: z.number().int(),
  role: z.enum(['user', 'assistant', 'system']),
  /** The user's id, an agent's name, or a tool's name. */
  author: z.string(),
  /** Of a member: the name by which the conversation knows them. */
  authorName: z.string().optional(),
  /** Written to the people of the conversation: no agent answers it. Agents read it with what comes later. */
  aside: z.literal(true).optional(),
  /** The users whom its author mentions. */
  mentions: z.array(z.string()).optional(),
  text: z.string(),
  /** Its parts, if it has others than one text. `text` then has the words of all. */
  parts: z.array(Part).optional(),
  /** A user's message is `pending` until a model call has read it. */
  status: MessageStatus,
  runId: z.string().optional(),
  step: z.number().int().optional(),
  /** The call that posted the message, or that it answers. The model reads the call instead. */
  callId: z.string().optional(),
  /** The call that led to the message later, for example a reminder that is due. The model reads the message. */
  about: z.string().optional(),
  /** Whether its author has replaced the text. */
  amended: z.boolean().optional(),
  /** Set on a summary: the last message that it replaces for the model. People can still read those messages. */
  covers: z.number().int().optional(),
  clientMessageId: z.string().optional(),
  /** For a reply: which attempt writes it or has written it, from 1. While it is `streaming`, its text is that attempt's pieces. */
  attempt: z.number().int().optional(),
  /** For a reply: the model that gave it. */
  model: z.string().optional(),
  /** For a reply: the version of its agent. It changes with the instructions, the tools, and the agents that it can reach. */
  agentVersion: z.string().optional(),
  /** For a reply of a later model in the agent's list: the models before it, and why they did not answer. */
  insteadOf: z.array(PassedOver).optional(),
  /** The provider's reason for cutting off the reply, in its own term, such as `length`. */
  cutOff: z.string().optional(),
  /** The reply that read this message from outside. The model reads the message right before that reply. */
  readBySeq: z.number().int().optional(),
  /** The outside sources of the text. Absent if it is the user's, an agent's or the deployment's own. */
  sources: z.array(Source).optional(),
  /** For a reply: something was recalled about the owner for it. For a summary: it has such words. The owner alone reads them. */
  hasRecalled: z.literal(true).optional(),
  /** For a reply: the outside sources of what was recalled for it. */
  recalledSources: z.array(Source).optional(),
  /** For a reply: the calls of tools that the model's provider ran for it. */
  hosted: z.array(HostedUse).optional(),
  /** For a reply: the pages and files that its text cites. */
  citations: z.array(Reference).optional(),
  /** For a reply: the outside sources of what its provider's tools returned. While it is written: of what they may return. */
  hostedSources: z.array(Source).optional(),
  /** Whether the owner has declared words from outside as trusted. */
  trusted: z.boolean().optional(),
  /**
   * What guards have decided about the text. The model reads what has replaced a message. For a reply, `text` is what has replaced it; of a
   * reply or a first message that was refused, the reason.
   */
  guards: z.array(GuardVerdict).optional(),
  /** What people think of it, one entry for each. No model reads it. */
  feedback: z.array(Feedback).optional(),
  createdAt: z.iso.datetime(),
  /** For a reply: its provider makes or has made it in the background. CallModel has only asked for it from time to time. */
  background: z.literal(true).optional(),
  /** For a reply: the latest failed attempts to get it. */
  failedAttempts: z.array(FailedAttempt).optional(),
  /** For a reply: when it was complete or cut off, and its usage. */
  completedAt: z.iso.datetime().optional(),
  usage: Usage.optional(),
});
export type Message = z.infer<typeof Message>;

/** A part of a reply that is being written. */
export const Piece = z.object({
  /** The message, and the attempt that writes it. */
  seq: z.number().int(),
  attempt: z.number().int(),
  /** The beginning of the piece in the text, in UTF-16 code units. */
  from: z.number().int(),
  text: z.string(),
});
export type Piece = z.infer<typeof Piece>;

export const CallStatus = z.enum([
  'queued',
  'running',
  'waiting',
  'completed',
  'failed',
  'unknown',
  'undone',
  'cancelled',
]);
export type CallStatus = z.infer<typeof CallStatus>;

export const ToolKind = z.enum(['function', 'wait', 'callback', 'hand-off', 'delegate', 'person', 'read']);

export const Call = z.object({
  id: z.string(),
  version: z.number().int(),
  runId: z.string(),
  step: z.number().int(),
  /** The call's place in its reply, from 0. */
  index: z.number().int(),
  tool: z.string(),
  /** The kind of tool. Absent if the call was refused before it began. */
  kind: ToolKind.optional(),
  /** The tool's name for people, if it has one. */
  title: z.string().optional(),
  arguments: z.unknown().optional(),
  status: CallStatus,
  attempts: z.number().int(),
  /** The most attempts before the call fails. A retry of the run starts a new count. */
  attemptsAtMost: z.number().int().optional(),
  /** The latest attempts that failed. */
  failedAttempts: z.array(FailedAttempt).optional(),
  result: z.unknown().optional(),
  /** The text that the model reads instead of a result, or why the last attempt failed. */
  error: z.string().optional(),
  until: z.iso.datetime().optional(),
  /** The callback that the call waits or waited for. */
  callbackId: z.string().optional(),
  /** The user who approved or denied the call. */
  decidedBy: z.string().optional(),
  /** The standing approval on whose authority the call was made. */
  standing: z.string().optional(),
  /** Whether the approver changed the arguments. `arguments` are the approved ones. */
  edited: z.boolean().optional(),
  /** The outside sources of the result or error. */
  sources: z.array(Source).optional(),
  /** Whether the owner has declared the result as trusted. */
  trusted: z.boolean().optional(),
  /**
   * The outside sources that the agent had read when it made the call. After an approval: `person` if somebody else than the owner
   * changed the arguments, else absent.
   */
  after: z.array(Source).optional(),
  /** What guards have decided about the call and about its result. The model reads what has replaced a result. */
  guards: z.array(GuardVerdict).optional(),
  /** The reason why the rollback could not undo the call. */
  undoError: z.string().optional(),
  /** The latest attempts to undo the call that failed. */
  failedUndos: z.array(FailedAttempt).optional(),
  /** The time when the rollback undid the call. */
  undoneAt: z.iso.datetime().optional(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().optional(),
  completedAt: z.iso.datetime().optional(),
});
export type Call = z.infer<typeof Call>;

/** An argument as a person reads it who decides about a call. Cards, notifications and e-mails draw the same fields. */
export const DecisionField = z.object({
  name: z.string(),
  /** Its name in words. Other characters than letters and digits are quoted. */
  label: z.string(),
  /** `date` and `time`: as the input's schema says, in ISO 8601. */
  kind: z.enum(['text', 'number', 'money', 'date', 'time', 'yes or no', 'list', 'object', 'nothing']),
  /** The value. A text is a JSON string, in which all that cannot be seen is written out, so no value looks like another one or like a field. */
  text: z.string(),
  /** The kind of the argument, as the tool or its server says, such as `account number`. */
  what: z.string().optional(),
  /** For money: an ISO 4217 code. The argument counts its smallest unit. */
  currency: z.string().optional(),
  /** The original text, if the approver has changed it. */
  was: z.string().optional(),
  /** Whether a part of the field, or fields after it, are left out. */
  cut: z.literal(true).optional(),
});
export type DecisionField = z.infer<typeof DecisionField>;

/** A part of a sentence: fixed words of the tool, or a field of the decision by its name. */
export const SentencePart = z.union([z.object({ text: z.string() }), z.object({ field: z.string() })]);
export type SentencePart = z.infer<typeof SentencePart>;

/** A group of the user directory, or the users with a claim in their token. */
export const Approvers = z.union([z.object({ group: z.string() }), z.object({ claim: z.string(), value: z.string() })]);

/** A step of an approval with several decisions. The steps are decided in order. */
export const StepOfApproval = z.object({
  by: z.union([z.literal('owner'), Approvers]),
  /** How many different people must approve. */
  count: z.number().int(),
  /** Who else may approve in this step after a time. */
  escalatesTo: Approvers.optional(),
  /** For the step that is due: the time from which they may. */
  escalatesAt: z.iso.datetime().optional(),
});

/** What a person may allow for later, from an approval's card. */
export const StandingOffer = z.object({
  /** The arguments that may differ from call to call. All others stay as they are approved, but for the amounts. */
  mayDiffer: z.array(z.string()),
  /** The arguments that are money, with their currency: each gets a largest amount. */
  money: z.record(z.string(), z.string()).optional(),
  mostCalls: z.number().int(),
  mostDays: z.number().int(),
});
export type StandingOffer = z.infer<typeof StandingOffer>;

/** The largest amount of a call, and of all calls together, in the currency's smallest unit. */
export const AmountLimit = z.object({
  perCall: z.number().int().positive(),
  inAll: z.number().int().positive(),
});

/** What a person allows for later. */
export const StandingLimits = z.object({
  calls: z.number().int().positive(),
  days: z.number().int().positive(),
  /** By the name of the argument. */
  money: z.record(z.string(), AmountLimit).optional(),
});
export type StandingLimits = z.infer<typeof StandingLimits>;

/** A call that was made on the authority of a standing approval. */
export const StandingUse = z.object({
  conversationId: z.string(),
  callId: z.string(),
  at: z.iso.datetime(),
  /** By the name of the argument. */
  amounts: z.record(z.string(), z.number().int()).optional(),
});
export type StandingUse = z.infer<typeof StandingUse>;

/** A standing approval: a user's calls of a tool that need not be approved one by one, within limits. */
export const StandingApproval = z.object({
  id: z.string(),
  version: z.number().int(),
  tool: z.string(),
  /** The agent whose calls it is for. */
  agent: z.string(),
  /** The arguments that a call must have. */
  same: z.record(z.string(), z.unknown()),
  /** The arguments that may differ. */
  mayDiffer: z.array(z.string()),
  /** The limits of the arguments that are money, by name. */
  money: z.record(z.string(), AmountLimit.extend({ currency: z.string() })).optional(),
  calls: z.number().int(),
  /** The calls made so far. One that certainly had no effect is replaced when its share is needed. */
  uses: z.array(StandingUse),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  revokedAt: z.iso.datetime().optional(),
  /** The approval from whose card it was made. */
  madeFrom: z.object({ conversationId: z.string(), callbackId: z.string() }),
});
export type StandingApproval = z.infer<typeof StandingApproval>;

/** Who decides in the place of an absent approver, and when. */
export const Absence = z.object({
  /** The person who decides instead. */
  to: z.string(),
  from: z.iso.datetime(),
  until: z.iso.datetime(),
  /** One token has named them, and it ends then with that token, unless a second token of the sign-in confirms it. */
  unconfirmedUntil: z.iso.datetime().optional(),
});
export type Absence = z.infer<typeof Absence>;

/** An absent approver in whose place somebody decides. */
export const StandIn = z.object({
  /** The absent person. */
  user: z.string(),
  from: z.iso.datetime(),
  until: z.iso.datetime(),
  /** The groups and claims of which the absent person approves. */
  approvers: z.array(Approvers),
});
export type StandIn = z.infer<typeof StandIn>;

/** What one person has decided about an approval. */
export const DecisionMade = z.object({
  by: z.string(),
  /** The name of that person, as their token had it. Absent if it had none. */
  name: z.string().optional(),
  at: z.iso.datetime(),
  approved: z.boolean(),
  /** The step in which it was decided, from 0. */
  step: z.number().int(),
  /** The absent person in whose place it was decided. */
  inPlaceOf: z.string().optional(),
  via: z.literal('notification').optional(),
  /** Whether this person has changed the arguments. Those who decide later approve the changed ones. */
  changed: z.literal(true).optional(),
  reason: z.string().optional(),
  /** The question with which the approval was given back. */
  question: z.string().optional(),
});
export type DecisionMade = z.infer<typeof DecisionMade>;

/** A person who is asked to decide about an approval. Others who can decide still may. */
export const Assignment = z.object({
  to: z.string(),
  /** The name of that person, as their token had it when they last looked. */
  toName: z.string().optional(),
  /** Who asked. */
  by: z.string(),
  byName: z.string().optional(),
  at: z.iso.datetime(),
});
export type Assignment = z.infer<typeof Assignment>;

export const Callback = z.object({
  id: z.string(),
  version: z.number().int(),
  callId: z.string().optional(),
  runId: z.string(),
  /** `person`: one of a group takes the conversation over. `model`: a reply that the provider makes in the background. */
  kind: z.enum(['question', 'approval', 'person', 'webhook', 'agent', 'model', 'task']),
  prompt: z.string(),
  /** For kind `agent`: the sub-agent's conversation. */
  conversationId: z.string().optional(),
  /** For an approval whose question names arguments: `prompt` in parts, so that each field can be drawn in its place. */
  sentence: z.array(SentencePart).optional(),
  /** For an approval: the tool, its title, and its arguments. */
  tool: z.string().optional(),
  title: z.string().optional(),
  arguments: z.unknown().optional(),
  /** For an approval: the agent that made the call. */
  agent: z.string().optional(),
  /** For an approval: `arguments` as people read them, the amount first, then who gets it. After the decision: what was approved. */
  fields: z.array(DecisionField).optional(),
  /** For an open approval: the JSON schema of `arguments`. A `currency` marks an amount of its smallest unit. */
  schema: z.record(z.string(), z.unknown()).optional(),
  /** For an approval: why it is asked, besides the tool's own rule. */
  reason: z.string().optional(),
  /** For an approval: the MCP server that asks for the `arguments`, which are a form here, in the middle of the call. */
  asker: z.string().optional(),
  /** For an approval: what the arguments are, by name, such as `account number`. */
  kinds: z.record(z.string(), z.string()).optional(),
  /** For an approval: the outside sources that the agent had read when it made the call. */
  sources: z.array(Source).optional(),
  /** For an approval: who decides, if not the owner. With several steps, those of the step that is due. For kind `person`: who may take over. */
  approvers: Approvers.optional(),
  /** For an approval with several decisions: its steps. */
  steps: z.array(StepOfApproval).optional(),
  /** For an approval with several decisions: the step that is due, from 0; their number when all are decided. */
  dueStep: z.number().int().optional(),
  /** For an approval: what was decided so far, the first first. */
  decisions: z.array(DecisionMade).optional(),
  /**
   * For an open approval: which of those who can decide is asked to. It ends with that person's decision, and with the step. For kind
   * `person`: who has taken over.
   */
  assigned: Assignment.optional(),
  /** For an approval whose arguments the first of several approvers has changed: the original ones. */
  asked: z.unknown().optional(),
  /** For an open approval: what its owner may allow for later by the same press. */
  standing: StandingOffer.optional(),
  /** For an approval: when those who can decide were last reminded, or it escalated. */
  toldAt: z.iso.datetime().optional(),
  /** For an approval: whether the owner may not decide, not even as one of the approvers. */
  excludesOwner: z.literal(true).optional(),
  status: z.enum(['pending', 'answered', 'expired', 'cancelled']),
  createdAt: z.iso.datetime().optional(),
  expiresAt: z.iso.datetime(),
  /** The time when the callback was answered, expired or was cancelled. */
  closedAt: z.iso.datetime().optional(),
  /** `{answer}`, `{approved, by, via?, arguments?, reason?, question?}` with the user who decided and, if it was there, `via: 'notification'`, `{agent, said}`, `{agent, failed}`, or an outside system's delivery. */
  outcome: z.unknown().optional(),
});
export type Callback = z.infer<typeof Callback>;

export const Timer = z.object({
  id: z.string(),
  version: z.number().int(),
  kind: z.enum(['once', 'repeat', 'tool']),
  /** The time when the timer fires next, or fired last. */
  nextAt: z.iso.datetime(),
  /** For kind `repeat`: a cron expression, or `every <n> seconds`. */
  rule: z.string().optional(),
  /** For a cron expression: an IANA name. */
  timeZone: z.string().optional(),
  text: z.string().optional(),
  /** For kind `tool`: the tool and its arguments. */
  tool: z.string().optional(),
  arguments: z.unknown().optional(),
  /** `paused`: it does not fire until it is resumed. */
  status: z.enum(['active', 'paused', 'done', 'cancelled']),
  /** The name that its creator gave it. */
  name: z.string().optional(),
  /** The schedule in the code that it belongs to: `<agent>/<name>`. */
  schedule: z.string().optional(),
  /** For kind `repeat`: what happens while a run is active, by default `one`. */
  overlap: z.enum(overlaps).optional(),
  /** For kind `repeat`: what happens with times that have passed, by default `one`. */
  catchUp: z.enum(catchUps).optional(),
  /** For kind `repeat`: the longest delay of a firing. */
  jitterSeconds: z.number().int().optional(),
  /** The outside sources that the agent had read when it created the timer. */
  sources: z.array(Source).optional(),
  /** The number of times that the timer has fired. */
  fired: z.number().int(),
  /** The number of times that its policies have left out. */
  skipped: z.number().int().optional(),
  createdAt: z.iso.datetime(),
});
export type Timer = z.infer<typeof Timer>;

/** A row that cannot be read: its key, and the first field that is odd. It is `format` if a later version has written the row. */
export const UnreadablePart = z.object({ row: z.string(), field: z.string() });
export type UnreadablePart = z.infer<typeof UnreadablePart>;

/** A conversation in a list. Its status is that of its latest run; `idle` before the first one. */
export const ConversationSummary = z.object({
  id: z.string(),
  /** Increases with every change of the conversation or its run. */
  version: z.number().int(),
  title: z.string(),
  /** The agent that reads the next message. */
  agent: z.string(),
  /** In a sub-agent's conversation: the conversation that delegated the task. */
  parentId: z.string().optional(),
  /** In a fork: the first conversation of its family. */
  rootId: z.string().optional(),
  status: z.enum(['idle', ...RunStatus.options]),
  /** While `waiting`: whom the run waits for, its owner (`you`), another approver, a person who takes over, another agent or an outside system. */
  waitsFor: z.enum(['you', 'approver', 'person', 'agent', 'outside']).optional(),
  until: z.iso.datetime().optional(),
  /** The reason why the run ended, if `failed` or `limited`. Lists that come from an index lack it. */
  reason: z.string().optional(),
  /** What you are in a conversation that another user shares with you. Absent if you are its owner. */
  role: z.enum(['member', 'watcher']).optional(),
  /** The user keeps it at the top of the list. */
  pinned: z.literal(true).optional(),
  /** The user has put it away. The next message brings it back. */
  archived: z.literal(true).optional(),
  createdAt: z.iso.datetime(),
  /** The time when something last changed that a list shows, or a message came. A step after which the run goes on changes nothing. */
  updatedAt: z.iso.datetime(),
  /** Its rows that cannot be read, as far as they were read for this. What is in them is left out. */
  unreadable: z.array(UnreadablePart).optional(),
});
export type ConversationSummary = z.infer<typeof ConversationSummary>;

/** A user or a group with whom a conversation is shared. */
export const Member = z.object({
  /** `user:<id>`, or `group:<name>`. */
  member: z.string(),
  /** A member writes, a watcher reads. */
  role: z.enum(['member', 'watcher']),
  /** The name by which the conversation knows them. */
  name: z.string().optional(),
  /** They have come by a link, and the owner has not let them in yet. */
  asks: z.literal(true).optional(),
  /** The owner has invited them, and they have not accepted yet. */
  invited: z.literal(true).optional(),
});
export type Member = z.infer<typeof Member>;

/** How far a person has read a conversation of several people. */
export const ReadMark = z.object({
  user: z.string(),
  seq: z.number().int(),
  /** The name that their token has. */
  name: z.string().optional(),
});
export type ReadMark = z.infer<typeof ReadMark>;

/** A person who has taken a conversation over from its agent. */
export const Taker = z.object({
  user: z.string(),
  /** The name that their token has. */
  name: z.string().optional(),
  /** The callback with which they give it back. */
  callbackId: z.string(),
});
export type Taker = z.infer<typeof Taker>;

/** A conversation without its messages, calls, callbacks and timers. */
export const ConversationHead = ConversationSummary.extend({
  run: Run.optional(),
  /** While `waitsFor` is `person`: who has taken the conversation over. */
  takenBy: Taker.optional(),
  /** The usage of all runs. */
  usage: Usage,
  /** Of a shared conversation: its owner, and with whom it is shared. */
  owner: z.string().optional(),
  members: z.array(Member).optional(),
  /** The member to whom its owner offers it. */
  offeredTo: z.string().optional(),
});
export type ConversationHead = z.infer<typeof ConversationHead>;

/** The place where a fork leaves another conversation. */
export const Turn = z.object({
  /** The conversation, and its message that is replaced. */
  of: z.string(),
  at: z.number().int(),
  /** The fork, and the place of its first message that is not a copy. */
  by: z.string(),
  seq: z.number().int(),
});
export type Turn = z.infer<typeof Turn>;

/** One version of a conversation: the root, which has no turns, or a fork. */
export const Branch = z.object({
  id: z.string(),
  /** The turns that lead to it, from the root. */
  path: z.array(Turn),
  createdAt: z.iso.datetime(),
});
export type Branch = z.infer<typeof Branch>;

export const Conversation = ConversationHead.extend({
  messages: z.array(Message),
  /** Whether there are further messages. Request those after the last one here. */
  more: z.boolean(),
  calls: z.array(Call),
  callbacks: z.array(Callback),
  timers: z.array(Timer),
  /** The data that the API's client gave to it. */
  metadata: z.record(z.string(), z.unknown()).optional(),
  /** The machine that started it on behalf of its user, by its client id. */
  startedBy: z.string().optional(),
  /** Its versions, itself included. Absent if there is only one. */
  branches: z.array(Branch).optional(),
  /** How far each person has read it, if it is shared. */
  reads: z.array(ReadMark).optional(),
});
export type Conversation = z.infer<typeof Conversation>;

/** An agent for people to choose. */
export const AgentCard = z.object({
  name: z.string(),
  purpose: z.string(),
  /** Possible first messages. An agent without any is reached through other agents and is not offered. */
  examples: z.array(z.string()),
  /** The phrase that ends its last reply. It is for the machine, not for people. */
  endPhrase: z.string().optional(),
  /** Whether the caller is in a group that may take a conversation over from it without being asked. */
  mayStepIn: z.literal(true).optional(),
});
export type AgentCard = z.infer<typeof AgentCard>;

export const noUsage: Usage = { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costMicrodollars: 0 };

export const addUsage = (a: Usage, b: Usage): Usage => ({
  modelCalls: a.modelCalls + b.modelCalls,
  toolCalls: a.toolCalls + b.toolCalls,
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  costMicrodollars: a.costMicrodollars + b.costMicrodollars,
  ...sumOf('cachedInputTokens', a, b),
  ...sumOf('cacheWriteTokens', a, b),
  ...sumOf('reasoningTokens', a, b),
  ...sumOf('savedMicrodollars', a, b),
  ...sumOf('unpricedCalls', a, b),
});

/** Figures that some providers do not report. The sum is absent if both are. */
type Rare = 'cachedInputTokens' | 'cacheWriteTokens' | 'reasoningTokens' | 'savedMicrodollars' | 'unpricedCalls';
const sumOf = (field: Rare, a: Usage, b: Usage): Partial<Usage> =>
  a[field] === undefined && b[field] === undefined ? {} : { [field]: (a[field] ?? 0) + (b[field] ?? 0) };

/** Whether a run can still make steps. A run that is being cancelled is neither active nor over. */
export const isActive = (status: RunStatus): boolean =>
  status === 'running' || status === 'sleeping' || status === 'waiting';

export { isOver, isSettled } from 'vigil-client/shared';
