// Drawn from docs/openapi.json by draw-types.ts.

/**
 * A group of the user directory, or the users with a claim in their token
 */
export type Approvers =
  | {
      group: string;
    }
  | {
      claim: string;
      value: string;
    };
export type DeclaredToolKind =
  'function' | 'wait' | 'callback' | 'hand-off' | 'delegate' | 'person' | 'read' | 'hosted';
/**
 * Where words come from that are neither the user’s nor the deployment’s own
 */
export type Source = 'web' | 'member' | 'person' | 'system' | 'file' | 'unknown';
/**
 * A part of the question of an approval: words, or the value of an argument
 */
export type SentencePart =
  | {
      text: string;
    }
  | {
      field: string;
    };
export type MessageRole = 'user' | 'assistant' | 'system';
export type ToolKind = 'function' | 'wait' | 'callback' | 'hand-off' | 'delegate' | 'person' | 'read';
export type CallStatus = 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'unknown' | 'undone' | 'cancelled';
export type ConversationStatus =
  'idle' | 'running' | 'sleeping' | 'waiting' | 'done' | 'failed' | 'limited' | 'cancelling' | 'cancelled';
/**
 * Whom a waiting run waits for
 */
export type WaitsFor = 'you' | 'approver' | 'person' | 'agent' | 'outside';
export type RunStatus = 'running' | 'sleeping' | 'waiting' | 'done' | 'failed' | 'limited' | 'cancelling' | 'cancelled';
/**
 * A part of a message
 */
export type Part = TextPart | FilePart | DataPart;
/**
 * A user’s message is `pending` until a model call has read it
 */
export type MessageStatus = 'pending' | 'streaming' | 'complete' | 'cancelled' | 'error';
export type TimerKind = 'once' | 'repeat' | 'tool';
export type TimerStatus = 'active' | 'paused' | 'done' | 'cancelled';
export type TimerOverlap = 'one' | 'queue' | 'skip';
export type TimerCatchUp = 'one' | 'all' | 'skip';
/**
 * The types of problems, as docs/api.md explains them. Later versions add some
 */
export type ProblemType =
  | 'urn:vigil:problem:invalid-input'
  | 'urn:vigil:problem:not-signed-in'
  | 'urn:vigil:problem:not-allowed'
  | 'urn:vigil:problem:owner-only'
  | 'urn:vigil:problem:members-only'
  | 'urn:vigil:problem:not-an-approver'
  | 'urn:vigil:problem:not-found'
  | 'urn:vigil:problem:no-conversation'
  | 'urn:vigil:problem:wrong-state'
  | 'urn:vigil:problem:already-answered'
  | 'urn:vigil:problem:expired'
  | 'urn:vigil:problem:withdrawn'
  | 'urn:vigil:problem:run-not-waiting'
  | 'urn:vigil:problem:agent-busy'
  | 'urn:vigil:problem:too-many-unread'
  | 'urn:vigil:problem:nothing-to-cancel'
  | 'urn:vigil:problem:not-retriable'
  | 'urn:vigil:problem:model-asks-to-wait'
  | 'urn:vigil:problem:timer-over'
  | 'urn:vigil:problem:timer-fires-once'
  | 'urn:vigil:problem:timer-in-code'
  | 'urn:vigil:problem:not-offered'
  | 'urn:vigil:problem:owner-has-run'
  | 'urn:vigil:problem:owner-has-timers'
  | 'urn:vigil:problem:owner-has-too-much'
  | 'urn:vigil:problem:owner-has-files'
  | 'urn:vigil:problem:taken-over'
  | 'urn:vigil:problem:too-many-versions'
  | 'urn:vigil:problem:too-many-links'
  | 'urn:vigil:problem:too-many-ignored'
  | 'urn:vigil:problem:too-many-devices'
  | 'urn:vigil:problem:grants-ended'
  | 'urn:vigil:problem:bytes-missing'
  | 'urn:vigil:problem:unreadable-row'
  | 'urn:vigil:problem:too-large'
  | 'urn:vigil:problem:not-json'
  | 'urn:vigil:problem:limit-reached'
  | 'urn:vigil:problem:internal'
  | 'urn:vigil:problem:misconfigured'
  | 'urn:vigil:problem:busy'
  | 'urn:vigil:problem:newer-row'
  | 'urn:vigil:problem:no-capacity';

/**
 * Who decides in the place of an absent approver, and when
 */
export interface Absence {
  to: string;
  from: string;
  until: string;
  unconfirmedUntil?: string;
}
export interface Absences {
  absence?: Absence;
  standsInFor: StandIn[];
}
/**
 * An absent approver in whose place you decide
 */
export interface StandIn {
  user: string;
  from: string;
  until: string;
  approvers: Approvers[];
}
export interface Accepted {
  role: 'member' | 'watcher';
}
/**
 * An agent for people to choose
 */
export interface AgentCard {
  name: string;
  purpose: string;
  examples: string[];
  endPhrase?: string;
  mayStepIn?: true;
}
/**
 * An agent as its author declares it, with what the deployment overrides
 */
export interface AgentDetails {
  name: string;
  purpose: string;
  examples: string[];
  endPhrase?: string;
  mayStepIn?: true;
  model: ModelDetails;
  summaryModel?: ModelDetails;
  instructions?: string;
  limits: AgentLimits;
  contextTokens: number;
  onMessage: 'merge' | 'interrupt' | 'queue' | 'reject';
  holdFailedDays: number;
  output?: {
    [k: string]: unknown;
  };
  recall: boolean;
  review: boolean;
  guards?: GuardDetails[];
  handOffs: string[];
  delegates: string[];
  tools: ToolDetails[];
}
/**
 * A model as an agent chooses it
 */
export interface ModelDetails {
  name: string;
  provider?: string;
  effort?: string;
  verbosity?: string;
  maxOutputTokens?: number;
  temperature?: number;
  otherwise?: NextModel[];
}
/**
 * A model that is asked while those before it do not answer
 */
export interface NextModel {
  name: string;
  provider?: string;
}
/**
 * What one run may use
 */
export interface AgentLimits {
  steps: number;
  tokens?: number;
  costMicrodollars?: number;
  seconds?: number;
}
/**
 * A guard of an agent, and what it checks
 */
export interface GuardDetails {
  guard: string;
  at: ('input' | 'output' | 'call' | 'result')[];
}
/**
 * A tool as its author declares it
 */
export interface ToolDetails {
  name: string;
  title?: string;
  description: string;
  kind: DeclaredToolKind;
  input: {
    [k: string]: unknown;
  };
  effect?: 'read' | 'table' | 'idempotent' | 'once';
  approval?: ToolApproval;
  afterUntrusted?: 'allow' | 'approve' | 'by-arguments';
  askedBy?: 'owner' | 'member';
  undo?: boolean;
  timeoutSeconds?: number;
  attemptsAtMost?: number;
  isolated?: boolean;
  source?: Source;
  webhook?: 'result' | 'message';
  to?: string;
}
/**
 * Some or all calls of the tool need an approval
 */
export interface ToolApproval {
  prompt: string;
  by:
    | 'owner'
    | {
        group: string;
      }
    | {
        claim: string;
        value: string;
      };
  excludesOwner: boolean;
  steps?: DeclaredStep[];
}
/**
 * A step of an approval, as a tool declares it
 */
export interface DeclaredStep {
  by:
    | 'owner'
    | {
        group: string;
      }
    | {
        claim: string;
        value: string;
      };
  count: number;
  escalatesTo?: Approvers;
  escalatesAfterSeconds?: number;
}
export interface AgentList {
  agents: AgentCard[];
  /**
   * The features of this API that an app may leave out, by name
   */
  modules: string[];
}
/**
 * What you have used of one limit, and the variable that sets it
 */
export interface Allowance {
  per: 'day' | 'month' | 'now';
  what: 'steps' | 'tokens' | 'costMicrodollars' | 'runs' | 'subAgents' | 'conversations' | 'timers' | 'connections';
  used: number;
  most?: number;
  variable?: string;
  unpricedCalls?: number;
}
/**
 * The largest amount of a call and of all calls, in the smallest unit
 */
export interface AmountLimit {
  perCall: number;
  inAll: number;
}
export interface AnnouncedFile {
  /**
   * In bytes
   */
  size: number;
  /**
   * Without parameters
   */
  mediaType: string;
  /**
   * The SHA-256 of the bytes, in base64
   */
  sha256: string;
}
export interface AnswerCallback {
  /**
   * For a question: the answer, which becomes a message. For a conversation that you have taken over: the note with which you give it back
   */
  answer?: string;
  /**
   * For an approval: the decision
   */
  approved?: boolean;
  /**
   * With `approved: true`: edited arguments that fit the tool’s schema
   */
  arguments?: {
    [k: string]: unknown;
  };
  /**
   * With `approved: true`, from a notification: its `shown`. It is refused unless the notification showed all that is decided
   */
  shown?: string;
  standing?: StandingLimits;
  /**
   * With the `answer` with which you give a conversation back: the run is done, and the agent says no more
   */
  ends?: true;
  /**
   * With `approved: false`: the reason, which the model reads
   */
  reason?: string;
  /**
   * With `approved: false`: gives the call back with a question. The agent answers it and makes the call again, which needs a new approval
   */
  question?: string;
}
/**
 * With `approved: true`, if the approval offers it: what the owner allows for later. All other arguments stay as they are approved
 */
export interface StandingLimits {
  calls: number;
  days: number;
  money?: {
    [k: string]: AmountLimit;
  };
}
export interface ApprovalPage {
  approvals: WaitingApproval[];
  cursor?: string;
}
/**
 * What waits for your decision or answer, and all that an approver may read of its conversation
 */
export interface WaitingApproval {
  conversationId: string;
  callback: Callback;
  owner: string;
  agent: string;
  inPlaceOf?: string;
  givenBack?: GivenBack;
  messages?: ShownMessage[];
}
/**
 * What a run or a call waits for
 */
export interface Callback {
  id: string;
  version: number;
  callId?: string;
  runId: string;
  kind: 'question' | 'approval' | 'person' | 'webhook' | 'agent' | 'model' | 'task';
  prompt: string;
  conversationId?: string;
  sentence?: SentencePart[];
  tool?: string;
  title?: string;
  arguments?: unknown;
  agent?: string;
  fields?: DecisionField[];
  schema?: {
    [k: string]: unknown;
  };
  reason?: string;
  asker?: string;
  kinds?: {
    [k: string]: string;
  };
  sources?: Source[];
  approvers?: Approvers;
  steps?: StepOfApproval[];
  dueStep?: number;
  decisions?: DecisionMade[];
  assigned?: Assignment;
  asked?: unknown;
  standing?: StandingOffer;
  toldAt?: string;
  excludesOwner?: true;
  status: 'pending' | 'answered' | 'expired' | 'cancelled';
  createdAt?: string;
  expiresAt: string;
  closedAt?: string;
  outcome?: unknown;
}
/**
 * An argument as a person reads it who decides about a call
 */
export interface DecisionField {
  name: string;
  label: string;
  kind: 'text' | 'number' | 'money' | 'date' | 'time' | 'yes or no' | 'list' | 'object' | 'nothing';
  text: string;
  what?: string;
  currency?: string;
  was?: string;
  cut?: true;
}
/**
 * A step of an approval that several people decide
 */
export interface StepOfApproval {
  by:
    | 'owner'
    | {
        group: string;
      }
    | {
        claim: string;
        value: string;
      };
  count: number;
  escalatesTo?: Approvers;
  escalatesAt?: string;
}
/**
 * What one person has decided about an approval
 */
export interface DecisionMade {
  by: string;
  name?: string;
  at: string;
  approved: boolean;
  step: number;
  inPlaceOf?: string;
  via?: 'notification';
  changed?: true;
  reason?: string;
  question?: string;
}
/**
 * A person who is asked to decide about an approval
 */
export interface Assignment {
  to: string;
  toName?: string;
  by: string;
  byName?: string;
  at: string;
}
/**
 * What the owner may allow for later from the card of an approval
 */
export interface StandingOffer {
  mayDiffer: string[];
  money?: {
    [k: string]: string;
  };
  mostCalls: number;
  mostDays: number;
}
/**
 * The question with which an approver gave a call back, and the answer
 */
export interface GivenBack {
  by: string;
  name?: string;
  question: string;
  answer?: string;
}
/**
 * A message that an approver may read
 */
export interface ShownMessage {
  seq: number;
  role: MessageRole;
  author: string;
  text: string;
  sources?: Source[];
}
export interface ArrangeConversation {
  /**
   * At most 100 characters. It becomes one line, and hidden characters are left out
   */
  title?: string;
  /**
   * Whether it is at the top of the list
   */
  pinned?: boolean;
  /**
   * Whether it is in the archive only. The next message in it, also a reminder’s, brings it back
   */
  archived?: boolean;
}
export interface Assign {
  /**
   * The user who is asked to decide: one who can, and has opened their approvals in the last 30 days
   */
  to: string;
  /**
   * For a hand-off to a person: the user who has taken the conversation over, from whom `to` takes it
   */
  from?: string;
}
/**
 * Who may do what for you
 */
export interface Authority {
  absence?: Absence;
  standsInFor: StandIn[];
  /**
   * The standing approvals that are not over
   */
  approvals: StandingApproval[];
  /**
   * Of whom and what you do not want to hear: `user:<id>`, `conversation:<id>`
   */
  ignored: string[];
  /**
   * Your conversations that others are in, or have a link to
   */
  shared: SharedConversation[];
  /**
   * There are more conversations: the next page has `shared` alone
   */
  cursor?: string;
}
/**
 * Calls that need not be approved one by one, within limits
 */
export interface StandingApproval {
  id: string;
  version: number;
  tool: string;
  agent: string;
  same: {
    [k: string]: unknown;
  };
  mayDiffer: string[];
  money?: {
    [k: string]: StandingAmount;
  };
  calls: number;
  uses: StandingUse[];
  createdAt: string;
  expiresAt: string;
  revokedAt?: string;
  madeFrom: MadeFrom;
}
/**
 * A limit of amounts, with its currency
 */
export interface StandingAmount {
  perCall: number;
  inAll: number;
  currency: string;
}
/**
 * A call on the authority of a standing approval
 */
export interface StandingUse {
  conversationId: string;
  callId: string;
  at: string;
  amounts?: {
    [k: string]: number;
  };
}
/**
 * The approval from whose card it was made
 */
export interface MadeFrom {
  conversationId: string;
  callbackId: string;
}
export interface SharedConversation {
  conversationId: string;
  title: string;
  members: Member[];
  links: ConversationLink[];
}
/**
 * A user or a group with whom a conversation is shared
 */
export interface Member {
  member: string;
  role: 'member' | 'watcher';
  name?: string;
  asks?: true;
  invited?: true;
}
export interface ConversationLink {
  id: string;
  role: 'member' | 'watcher';
  once: boolean;
  createdAt: string;
  expiresAt: string;
  revokedAt?: string;
  uses: number;
}
export interface BeAbsent {
  /**
   * The user who decides in your place
   */
  to: string;
  /**
   * By default, now
   */
  from?: string;
  /**
   * At most 30 days from now
   */
  until: string;
}
/**
 * One version of a conversation: the root, which has no turns, or a fork
 */
export interface Branch {
  id: string;
  path: Turn[];
  createdAt: string;
}
/**
 * Where a fork leaves another conversation
 */
export interface Turn {
  of: string;
  at: number;
  by: string;
  seq: number;
}
/**
 * What the caches of models did this month
 */
export interface CachedInput {
  inputTokens: number;
  savedMicrodollars: number;
}
/**
 * One use of a tool
 */
export interface Call {
  id: string;
  version: number;
  runId: string;
  step: number;
  index: number;
  tool: string;
  kind?: ToolKind;
  title?: string;
  arguments?: unknown;
  status: CallStatus;
  attempts: number;
  attemptsAtMost?: number;
  failedAttempts?: FailedAttempt[];
  result?: unknown;
  error?: string;
  until?: string;
  callbackId?: string;
  decidedBy?: string;
  standing?: string;
  edited?: boolean;
  sources?: Source[];
  trusted?: boolean;
  after?: Source[];
  guards?: GuardVerdict[];
  undoError?: string;
  failedUndos?: FailedAttempt[];
  undoneAt?: string;
  createdAt: string;
  startedAt?: string;
  completedAt?: string;
}
/**
 * An attempt that failed, of a tool call, of undoing one, or at a step’s model call
 */
export interface FailedAttempt {
  attempt: number;
  startedAt?: string;
  endedAt?: string;
  error: string;
  retryBy?: string;
}
/**
 * What a guard has decided about a message, a reply, a call or a result
 */
export interface GuardVerdict {
  guard: string;
  at: 'input' | 'output' | 'call' | 'result';
  file?: string;
  verdict: 'passed' | 'replaced' | 'refused' | 'asked';
  reason?: string;
}
export interface CallPage {
  calls: Call[];
  more: boolean;
}
export interface Cancel {
  /**
   * The run to cancel. Any other run is left alone
   */
  runId?: string;
}
export interface ChangeTimer {
  /**
   * A paused timer does not fire, and nothing runs for it
   */
  paused?: boolean;
  text?: string;
  /**
   * For people: the title of its conversation
   */
  name?: string;
  /**
   * Five fields: minute, hour, day, month, day of week
   */
  cron?: string;
  /**
   * An interval, as an ISO 8601 duration of at least a minute
   */
  every?: string;
  /**
   * For a timer that fires once: a time, local in `timeZone` unless it says
   */
  at?: string;
  /**
   * An IANA name. By default, that of your settings, else UTC
   */
  timeZone?: string;
  /**
   * When the timer is due while a run is active. `one`: the run reads it; until it has, that stands for further times. `queue`: a run for each. `skip`: left out
   */
  overlap?: 'one' | 'queue' | 'skip';
  /**
   * When times have passed. `one`: it fires once for all of them. `all`: for each, up to a hundred. `skip`: those that are more than a minute late are left out
   */
  catchUp?: 'one' | 'all' | 'skip';
  /**
   * The longest delay of a firing, which differs by timer and time. Less than the interval
   */
  jitterSeconds?: number;
}
/**
 * A conversation with its messages, calls, callbacks and timers
 */
export interface Conversation {
  id: string;
  version: number;
  title: string;
  agent: string;
  parentId?: string;
  rootId?: string;
  status: ConversationStatus;
  waitsFor?: WaitsFor;
  until?: string;
  reason?: string;
  role?: 'member' | 'watcher';
  pinned?: true;
  archived?: true;
  createdAt: string;
  updatedAt: string;
  unreadable?: UnreadablePart[];
  run?: Run;
  takenBy?: Taker;
  usage: Usage;
  owner?: string;
  members?: Member[];
  offeredTo?: string;
  messages: Message[];
  more: boolean;
  calls: Call[];
  callbacks: Callback[];
  timers: Timer[];
  metadata?: {
    [k: string]: unknown;
  };
  startedBy?: string;
  branches?: Branch[];
  reads?: ReadMark[];
}
/**
 * A row that cannot be read, and its field that is odd
 */
export interface UnreadablePart {
  row: string;
  field: string;
}
/**
 * What an agent does about a message, until it has nothing left to do
 */
export interface Run {
  id: string;
  status: RunStatus;
  agent: string;
  segment: number;
  step: number;
  failedStep?: number;
  reason?: string;
  stoppedBy?: string;
  until?: string;
  result?: {
    [k: string]: unknown;
  };
  usage: Usage;
  modelWait?: ModelWait;
  sources?: Source[];
}
/**
 * Money is in millionths of a dollar, by the price list of the deployment
 */
export interface Usage {
  modelCalls: number;
  toolCalls: number;
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens?: number;
  cacheWriteTokens?: number;
  reasoningTokens?: number;
  costMicrodollars: number;
  savedMicrodollars?: number;
  unpricedCalls?: number;
}
/**
 * The wait of a run for a model that does not answer
 */
export interface ModelWait {
  model: string;
  since: string;
  reason: string;
  nextAt: string;
}
/**
 * A person who has taken a conversation over from its agent
 */
export interface Taker {
  user: string;
  name?: string;
  callbackId: string;
}
/**
 * One entry of a conversation’s log. Its `seq` is its place
 */
export interface Message {
  seq: number;
  version: number;
  role: MessageRole;
  author: string;
  authorName?: string;
  aside?: true;
  mentions?: string[];
  text: string;
  parts?: Part[];
  status: MessageStatus;
  runId?: string;
  step?: number;
  callId?: string;
  about?: string;
  amended?: boolean;
  covers?: number;
  clientMessageId?: string;
  attempt?: number;
  model?: string;
  agentVersion?: string;
  insteadOf?: PassedOver[];
  cutOff?: string;
  readBySeq?: number;
  sources?: Source[];
  hasRecalled?: true;
  recalledSources?: Source[];
  hosted?: HostedUse[];
  citations?: Reference[];
  hostedSources?: Source[];
  trusted?: boolean;
  guards?: GuardVerdict[];
  feedback?: Feedback[];
  createdAt: string;
  background?: true;
  failedAttempts?: FailedAttempt[];
  completedAt?: string;
  usage?: Usage;
}
/**
 * Words
 */
export interface TextPart {
  type: 'text';
  text: string;
}
/**
 * A file that a message or a result refers to
 */
export interface FilePart {
  type: 'file';
  id: string;
  mediaType: string;
  filename?: string;
  size: number;
  sources?: Source[];
}
/**
 * JSON, which the model reads as text
 */
export interface DataPart {
  type: 'data';
  data?: unknown;
}
/**
 * A model that did not answer, so that the next one was asked
 */
export interface PassedOver {
  model: string;
  since: string;
  reason: string;
}
/**
 * What a tool of the model’s provider did for a reply
 */
export interface HostedUse {
  tool: 'web_search' | 'web_fetch' | 'file_search' | 'code_interpreter' | 'image_generation';
  input: string;
  status: 'completed' | 'failed' | 'incomplete';
  sources: Reference[];
}
/**
 * A page or a file that a hosted tool has found, or that a text cites
 */
export interface Reference {
  title: string;
  url?: string;
}
/**
 * What a person thinks of a message
 */
export interface Feedback {
  user: string;
  verdict?: 'up' | 'down';
  reason?: string;
  dataset?: true;
  at: string;
}
/**
 * A scheduled message: it comes into a conversation later, once or repeatedly
 */
export interface Timer {
  id: string;
  version: number;
  kind: TimerKind;
  nextAt: string;
  rule?: string;
  timeZone?: string;
  text?: string;
  tool?: string;
  arguments?: unknown;
  status: TimerStatus;
  name?: string;
  schedule?: string;
  overlap?: TimerOverlap;
  catchUp?: TimerCatchUp;
  jitterSeconds?: number;
  sources?: Source[];
  fired: number;
  skipped?: number;
  createdAt: string;
}
/**
 * How far a person has read a shared conversation
 */
export interface ReadMark {
  user: string;
  seq: number;
  name?: string;
}
export interface ConversationLinks {
  links: ConversationLink[];
}
export interface ConversationPage {
  conversations: ConversationSummary[];
  cursor?: string;
}
/**
 * A conversation in a list. Its status is that of its latest run; `idle` before the first one
 */
export interface ConversationSummary {
  id: string;
  version: number;
  title: string;
  agent: string;
  parentId?: string;
  rootId?: string;
  status: ConversationStatus;
  waitsFor?: WaitsFor;
  until?: string;
  reason?: string;
  role?: 'member' | 'watcher';
  pinned?: true;
  archived?: true;
  createdAt: string;
  updatedAt: string;
  unreadable?: UnreadablePart[];
}
export interface Cost {
  modelMicrodollars: number;
  stateTransitions: number;
  lambdaGbSeconds: number;
  tableWriteUnits: number;
  tableReadUnits: number;
  totalMicrodollars: number;
}
export interface CreateTimer {
  /**
   * The name of an agent of this deployment
   */
  agent: string;
  /**
   * The message that the agent gets each time
   */
  text: string;
  /**
   * Your own id, of at most 46 characters. A repeated id returns the existing timer
   */
  id?: string;
  /**
   * For people: the title of its conversation
   */
  name?: string;
  /**
   * Five fields: minute, hour, day, month, day of week
   */
  cron?: string;
  /**
   * An interval, as an ISO 8601 duration of at least a minute
   */
  every?: string;
  /**
   * For a timer that fires once: a time, local in `timeZone` unless it says
   */
  at?: string;
  /**
   * An IANA name. By default, that of your settings, else UTC
   */
  timeZone?: string;
  /**
   * When the timer is due while a run is active. `one`: the run reads it; until it has, that stands for further times. `queue`: a run for each. `skip`: left out
   */
  overlap?: 'one' | 'queue' | 'skip';
  /**
   * When times have passed. `one`: it fires once for all of them. `all`: for each, up to a hundred. `skip`: those that are more than a minute late are left out
   */
  catchUp?: 'one' | 'all' | 'skip';
  /**
   * The longest delay of a firing, which differs by timer and time. Less than the interval
   */
  jitterSeconds?: number;
  metadata?: {
    [k: string]: unknown;
  };
}
export interface Delivered {
  taken: boolean;
}
export interface Device {
  id: string;
  name?: string;
  addedAt: string;
  /**
   * When its notifications end, unless it is registered again
   */
  until: string;
  /**
   * Whether a second token of the sign-in has registered it. If not, it ends with the first one
   */
  isConfirmed: boolean;
}
/**
 * `publicKey` is the `applicationServerKey` to subscribe with
 */
export interface Devices {
  publicKey: string;
  devices: Device[];
}
export interface EndedAuthority {
  cursor?: string;
}
/**
 * A part of the text around a hit; `hit` if it is one of the words
 */
export interface ExcerptPart {
  text: string;
  hit?: true;
}
export interface FieldError {
  path: string;
  message: string;
}
/**
 * An address that serves the bytes for 5 minutes
 */
export interface FileAddress {
  url: string;
  expiresAt: string;
}
export interface Fork {
  /**
   * The step to make again. Everything before it is copied
   */
  step: number;
  /**
   * The run of the step; the latest one by default
   */
  runId?: string;
  /**
   * Your own id for the new conversation, as for `POST /conversations`
   */
  id?: string;
  /**
   * Replaces the last message before the step
   */
  text?: string;
  agent?: string;
  /**
   * One of the deployment’s models
   */
  model?: string;
  /**
   * Replaces the agent’s own instructions. For members of VIGIL_DEVELOPERS_GROUP
   */
  instructions?: string;
}
/**
 * A message that has all words of the search, or whose meaning is near to it: see `by`
 */
export interface Found {
  by: 'words' | 'meaning';
  conversation: ConversationSummary;
  seq: number;
  role: MessageRole;
  author: string;
  authorName?: string;
  sources?: Source[];
  createdAt: string;
  excerpt: ExcerptPart[];
}
export interface FoundPage {
  found: Found[];
  cursor?: string;
}
/**
 * What the gateway answers itself: without a valid token, above its rate, or without an answer of the API
 */
export interface GatewayError {
  message: string;
}
export interface GiveFeedback {
  /**
   * Of a reply of an agent: whether it is good
   */
  verdict?: 'up' | 'down';
  /**
   * Why. No model reads it
   */
  reason?: string;
  /**
   * Whether it is to become a case of an eval
   */
  dataset?: boolean;
}
export interface HomePage {
  conversations: ConversationPage;
  shared: ConversationPage;
  active: ConversationPage;
  failed: ConversationPage;
  approvals: ApprovalPage;
  timers: TimerPage;
  invitations: Invitation[];
  usage: Allowance[];
  /**
   * Whether you are a member of VIGIL_DEVELOPERS_GROUP
   */
  isDeveloper: boolean;
}
export interface TimerPage {
  timers: OwnTimer[];
  conversations: ConversationSummary[];
  cursor?: string;
}
export interface OwnTimer {
  id: string;
  version: number;
  kind: TimerKind;
  nextAt: string;
  rule?: string;
  timeZone?: string;
  text?: string;
  tool?: string;
  arguments?: unknown;
  status: TimerStatus;
  name?: string;
  schedule?: string;
  overlap?: TimerOverlap;
  catchUp?: TimerCatchUp;
  jitterSeconds?: number;
  sources?: Source[];
  fired: number;
  skipped?: number;
  createdAt: string;
  conversationId: string;
}
/**
 * It has no words of the conversation, which is not known before it is accepted
 */
export interface Invitation {
  conversationId: string;
  /**
   * The user who invites
   */
  by: string;
  role: 'member' | 'watcher';
  at: string;
}
export interface Invitations {
  invitations: Invitation[];
}
export interface Join {
  secret: string;
}
export interface Joined {
  role: 'member' | 'watcher';
  asks: boolean;
}
export interface Limit {
  name: string;
  used: number;
  most: number;
  variable?: string;
}
export interface MakeLink {
  role: 'member' | 'watcher';
  expiresInSeconds?: number;
  /**
   * Whether one person may use it
   */
  once?: boolean;
}
export interface MarkRead {
  seq: number;
}
export interface Members {
  owner: string;
  members: Member[];
}
export interface Memories {
  memories: Memory[];
}
/**
 * A fact that you told an agent, kept for other conversations
 */
export interface Memory {
  id: string;
  text: string;
  conversationId: string;
  sources?: Source[];
  createdAt: string;
}
export interface NewConversationLink {
  id: string;
  role: 'member' | 'watcher';
  once: boolean;
  createdAt: string;
  expiresAt: string;
  revokedAt?: string;
  uses: number;
  /**
   * Who has it, comes in. It is returned once
   */
  secret: string;
}
/**
 * What you are notified of, and when
 */
export interface NotificationSettings {
  reminders: boolean;
  approvals: boolean;
  questions: boolean;
  failures: boolean;
  answers: boolean;
  allowed?: boolean;
  mentions?: boolean;
  words: boolean;
  mail: boolean;
  quietHours?: QuietHours;
}
/**
 * A time of each day, by your clock. It may pass midnight
 */
export interface QuietHours {
  from: string;
  to: string;
}
export interface OfferOwnership {
  /**
   * null: takes the offer back
   */
  user: string | null;
}
/**
 * Problem details (RFC 9457). `errors` lists the invalid fields of a 400, `outcome` is the first answer in a 409, `limit` is what a 429 has reached
 */
export interface Problem {
  /**
   * A known type, one that a later version adds, or `about:blank`
   */
  type: ProblemType | string;
  title: string;
  status: number;
  detail: string;
  /**
   * What a sentence about a problem of this type needs, for translations
   */
  values?: {
    [k: string]: string | number;
  };
  errors?: FieldError[];
  outcome?: unknown;
  limit?: Limit;
}
export interface Recalled {
  /**
   * What the model read about you; of a summary, its words
   */
  text: string;
  /**
   * The outside sources of these words
   */
  sources: Source[];
}
/**
 * A call on the authority of a standing approval, and its status
 */
export interface ReportedUse {
  conversationId: string;
  callId: string;
  at: string;
  amounts?: {
    [k: string]: number;
  };
  status?: CallStatus;
}
export interface RetryModel {
  /**
   * The `nextAt` of the run’s `modelWait` that you saw
   */
  nextAt: string;
}
/**
 * An attempt in progress, or the next one
 */
export interface RunAttempt {
  state: string;
  callId?: string;
  timerId?: string;
  attempt: number;
  startedAt?: string;
  failed?: FailedAttempt;
}
/**
 * What Step Functions knows of a run that is at work, and of timers that are due
 */
export interface RunAttempts {
  execution: 'running' | 'not started' | 'ended' | 'unknown';
  attempts: RunAttempt[];
}
export interface RunTimer {
  /**
   * Your own id: a repeated request runs it once
   */
  clientMessageId?: string;
}
export interface SendMessage {
  /**
   * The words, if there is nothing else
   */
  text?: string;
  /**
   * Instead of `text`: texts, files and JSON, in order. At most 20 files, which are uploaded before
   *
   * @minItems 1
   * @maxItems 50
   */
  parts?: (SentText | SentFile | SentData)[];
  /**
   * Your own id. A repeated request stores nothing; the same id with other content is refused
   */
  clientMessageId?: string;
  /**
   * `people`: no agent answers it, and it answers no question. Agents read it with what comes later
   */
  to?: 'agent' | 'people';
  /**
   * The ids of users of the conversation, who are notified
   *
   * @maxItems 10
   */
  mentions?: string[];
  timeZone?: string;
  language?: string;
}
export interface SentText {
  type: 'text';
  text: string;
}
export interface SentFile {
  type: 'file';
  id: string;
  /**
   * What its user calls it
   */
  filename?: string;
}
export interface SentData {
  type: 'data';
  data: unknown;
}
export interface SetIgnored {
  name: string;
  ignored: boolean;
}
export interface SetMember {
  /**
   * `user:` and a user’s id, or `group:` and the name of a group of the user directory
   */
  member: string;
  role: 'member' | 'watcher';
  /**
   * The name by which the agent and the others know them. At most 40 characters are kept
   */
  name?: string;
}
export interface SetNotificationSettings {
  reminders: boolean;
  approvals: boolean;
  questions: boolean;
  failures: boolean;
  answers: boolean;
  allowed?: boolean;
  mentions?: boolean;
  words: boolean;
  mail: boolean;
  quietHours?: QuietHours;
}
export interface SetSettings {
  timeZone?: string;
  language?: string;
}
/**
 * Your time zone, as an IANA name, and your language, as a BCP 47 tag
 */
export interface Settings {
  timeZone?: string;
  language?: string;
}
export interface StandingApprovals {
  approvals: StandingApproval[];
}
/**
 * A standing approval, and what was done on its authority
 */
export interface StandingReport {
  id: string;
  version: number;
  tool: string;
  agent: string;
  same: {
    [k: string]: unknown;
  };
  mayDiffer: string[];
  money?: {
    [k: string]: StandingAmount;
  };
  calls: number;
  uses: ReportedUse[];
  createdAt: string;
  expiresAt: string;
  revokedAt?: string;
  madeFrom: MadeFrom;
}
export interface StartConversation {
  /**
   * The name of an agent of this deployment
   */
  agent: string;
  /**
   * The words, if there is nothing else
   */
  text?: string;
  /**
   * Instead of `text`: texts, files and JSON, in order. At most 20 files, which are uploaded before
   *
   * @minItems 1
   * @maxItems 50
   */
  parts?: (SentText | SentFile | SentData)[];
  /**
   * Your own id, of at most 46 characters. The response has the conversation’s id, which ends with it. A repeated id returns the existing conversation
   */
  id?: string;
  clientMessageId?: string;
  /**
   * Up to 4000 bytes of JSON, for the deployment’s own agents and tools. It does not change
   */
  metadata?: {
    [k: string]: unknown;
  };
  timeZone?: string;
  language?: string;
}
export interface Subscription {
  endpoint: string;
  keys: SubscriptionKeys;
  /**
   * What you call the device
   */
  name?: string;
  /**
   * The language of its notifications, as a BCP 47 tag. Without it, that of your settings
   */
  language?: string;
}
export interface SubscriptionKeys {
  p256dh: string;
  auth: string;
}
export interface TakeOver {
  /**
   * What you tell the people of the conversation, and its agent
   */
  reason: string;
  /**
   * Your own id. A repeated request changes nothing
   */
  clientMessageId?: string;
}
/**
 * A single-use ticket for the live view’s WebSocket
 */
export interface Ticket {
  url: string;
  ticket: string;
  expiresInSeconds: number;
  /**
   * The version of the protocol that the WebSocket speaks
   */
  version: number;
}
export interface Timeline {
  runs: TimelineRun[];
  cost: Cost;
  /**
   * For developers: the state machine. The execution of a segment is named `<run>-<segment>`
   */
  stateMachineArn?: string;
}
/**
 * A run with its entries, in order
 */
export interface TimelineRun {
  id: string;
  agent: string;
  status: RunStatus;
  reason?: string;
  segments: number;
  startedAt: string;
  endedAt?: string;
  entries: TimelineEntry[];
  omitted: number;
  usage: Usage;
  cost: Cost;
}
/**
 * One model call, tool call, wait or callback of a run
 */
export interface TimelineEntry {
  kind: 'model' | 'tool' | 'wait' | 'callback' | 'hand-off' | 'undo';
  id: string;
  step: number;
  name: string;
  status: string;
  startedAt: string;
  endedAt?: string;
  attempts?: number;
  failedAttempts?: FailedAttempt[];
  decidedBy?: string;
  decisions?: DecisionMade[];
  standing?: string;
  usage?: Usage;
}
export interface Trust {
  /**
   * Messages by their `seq`
   *
   * @maxItems 1000
   */
  messages?: number[];
  /**
   * Results by their call’s id
   *
   * @maxItems 1000
   */
  calls?: string[];
}
/**
 * Where to send the bytes, with all of the headers, within 15 minutes. Absent if they are stored
 */
export interface UploadAddress {
  method: 'PUT';
  url: string;
  headers: {
    [k: string]: string;
  };
}
export interface UserFile {
  id: string;
  mediaType: string;
  size: number;
  /**
   * Whether its bytes are stored, so that messages can refer to it
   */
  stored: boolean;
  upload?: UploadAddress;
}
export interface UserUsage {
  usage: Allowance[];
  cached: CachedInput;
}
export interface Wake {
  /**
   * The `until` of the conversation that you saw
   */
  until: string;
}
