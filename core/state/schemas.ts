import * as z from 'zod';

/**
 * The shapes that the API shows and the page compiles against: the one source of their types.
 * Ids are opaque strings, times ISO 8601 UTC, money integer micro-dollars or cents as the name says.
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
  /** Of the input: what the provider had read before, and charges less for. Absent where it does not say. */
  cachedInputTokens: z.number().int().optional(),
  /** Of the input: what the provider keeps for the next call, and charges more for. Absent where it does not say. */
  cacheWriteTokens: z.number().int().optional(),
  /** Of the output: what the model thought, and nobody reads. Absent where the provider does not say. */
  reasoningTokens: z.number().int().optional(),
  /** What the model calls cost by the price list, in millionths of a dollar. */
  costMicrodollars: z.number().int(),
  /** Model calls that count as 0 there, since nobody has put a price on the model. */
  unpricedCalls: z.number().int().optional(),
});
export type Usage = z.infer<typeof Usage>;

export const Run = z.object({
  id: z.string(),
  status: RunStatus,
  agent: z.string(),
  /** Counts the executions that the run is a chain of, from 1. */
  segment: z.number().int(),
  /** Steps done so far. */
  step: z.number().int(),
  /** In plain words, once the run has ended otherwise than `done`. */
  reason: z.string().optional(),
  /** While `sleeping`: when it wakes. */
  until: z.iso.datetime().optional(),
  /** Of an agent with an `output`, once it is `done`: an object that fits that schema. */
  result: z.record(z.string(), z.unknown()).optional(),
  usage: Usage,
});
export type Run = z.infer<typeof Run>;

export const MessageStatus = z.enum(['pending', 'streaming', 'complete', 'cancelled', 'error']);
export const Message = z.object({
  seq: z.number().int(),
  /** Grows with every change of the row. */
  version: z.number().int(),
  role: z.enum(['user', 'assistant', 'system']),
  /** The user's id, an agent's name, or a tool's name. */
  author: z.string(),
  text: z.string(),
  /** A user's message is `pending` until a model call has taken it up. */
  status: MessageStatus,
  runId: z.string().optional(),
  step: z.number().int().optional(),
  /** The call that put the message into the conversation, or that it is the answer of: the model knows it by the call. */
  callId: z.string().optional(),
  /** The call whose later effect the message is, for example a reminder that came due: the model reads it as a message. */
  about: z.string().optional(),
  /** Its author has replaced the text since. */
  amended: z.boolean().optional(),
  /** Set on a summary: for the model it stands for all messages up to this one, which people can still read. */
  covers: z.number().int().optional(),
  clientMessageId: z.string().optional(),
  /** Of a model's that its provider cut off: why, in the provider's word, such as `length`. */
  cutOff: z.string().optional(),
  /** The number of the reply that took up what came from outside. The model reads it right before that one, however long it was queued. */
  readBySeq: z.number().int().optional(),
  createdAt: z.iso.datetime(),
  /** Of a model's: when it was through, or was cut off, and what it took. */
  completedAt: z.iso.datetime().optional(),
  usage: Usage.optional(),
});
export type Message = z.infer<typeof Message>;

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

export const ToolKind = z.enum(['function', 'wait', 'callback', 'hand-off', 'delegate']);

export const Call = z.object({
  id: z.string(),
  version: z.number().int(),
  runId: z.string(),
  step: z.number().int(),
  /** Place among the calls of its reply, from 0. */
  index: z.number().int(),
  tool: z.string(),
  /** How the tool works. Absent where the call was refused before it began. */
  kind: ToolKind.optional(),
  arguments: z.unknown(),
  status: CallStatus,
  attempts: z.number().int(),
  /** So often a failing attempt is made again before the model is told; a run that is retried begins to count anew. */
  attemptsAtMost: z.number().int().optional(),
  result: z.unknown().optional(),
  /** What the model was told instead of a result, or why the last attempt failed. */
  error: z.string().optional(),
  until: z.iso.datetime().optional(),
  /** The callback that the call waits on, or waited on. */
  callbackId: z.string().optional(),
  /** The approver changed the arguments: `arguments` are the approved ones. */
  edited: z.boolean().optional(),
  /** Why undoing it failed, when its run was rolled back. */
  undoError: z.string().optional(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().optional(),
  completedAt: z.iso.datetime().optional(),
});
export type Call = z.infer<typeof Call>;

export const Callback = z.object({
  id: z.string(),
  version: z.number().int(),
  callId: z.string().optional(),
  runId: z.string(),
  kind: z.enum(['question', 'approval', 'webhook', 'agent']),
  prompt: z.string(),
  /** Of kind `agent`: the conversation in which another agent does the task. */
  conversationId: z.string().optional(),
  /** Of an approval: the tool that would run, and what with. */
  tool: z.string().optional(),
  arguments: z.unknown().optional(),
  status: z.enum(['pending', 'answered', 'expired', 'cancelled']),
  createdAt: z.iso.datetime().optional(),
  expiresAt: z.iso.datetime(),
  /** When it was answered, expired or was cancelled. */
  closedAt: z.iso.datetime().optional(),
  /** `{answer}`, `{approved, arguments?, reason?}`, or what an outside system delivered. */
  outcome: z.unknown().optional(),
});
export type Callback = z.infer<typeof Callback>;

export const Timer = z.object({
  id: z.string(),
  version: z.number().int(),
  kind: z.enum(['once', 'repeat', 'tool']),
  /** When it fires next, or fired last. */
  nextAt: z.iso.datetime(),
  /** Of a `repeat`: a cron expression, or `every <n> seconds`. */
  rule: z.string().optional(),
  /** Of a cron expression: an IANA name. */
  timeZone: z.string().optional(),
  text: z.string().optional(),
  /** Of kind `tool`: what is called, and what with. */
  tool: z.string().optional(),
  arguments: z.unknown().optional(),
  status: z.enum(['active', 'done', 'cancelled']),
  /** How often it has fired. */
  fired: z.number().int(),
  createdAt: z.iso.datetime(),
});
export type Timer = z.infer<typeof Timer>;

/** A conversation as lists show it. Its status is that of its latest run, `idle` before the first one. */
export const ConversationSummary = z.object({
  id: z.string(),
  /** Grows with every change of the conversation or its run. */
  version: z.number().int(),
  title: z.string(),
  /** The one that takes the next message. */
  agent: z.string(),
  /** Of a sub-agent's: the conversation that waits for its answer. */
  parentId: z.string().optional(),
  status: z.enum(['idle', ...RunStatus.options]),
  /** While `waiting`: for its owner, for other agents only, or for outside systems. */
  waitsFor: z.enum(['you', 'agent', 'outside']).optional(),
  until: z.iso.datetime().optional(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type ConversationSummary = z.infer<typeof ConversationSummary>;

/** All of a conversation but its rows. */
export const ConversationHead = ConversationSummary.extend({
  run: Run.optional(),
  /** Of all runs together. */
  usage: Usage,
});
export type ConversationHead = z.infer<typeof ConversationHead>;

export const Conversation = ConversationHead.extend({
  messages: z.array(Message),
  /** There are messages behind the last one here: ask for those after it. */
  more: z.boolean(),
  calls: z.array(Call),
  callbacks: z.array(Callback),
  timers: z.array(Timer),
});
export type Conversation = z.infer<typeof Conversation>;

/** An agent as people choose it. */
export const AgentCard = z.object({
  name: z.string(),
  purpose: z.string(),
  /** What one could say to it first. An agent without any is reached by others, not chosen. */
  examples: z.array(z.string()),
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
  ...sumOf('unpricedCalls', a, b),
});

/** Of what not every provider counts: absent where neither does. */
type Rare = 'cachedInputTokens' | 'cacheWriteTokens' | 'reasoningTokens' | 'unpricedCalls';
const sumOf = (field: Rare, a: Usage, b: Usage): Partial<Usage> =>
  a[field] === undefined && b[field] === undefined ? {} : { [field]: (a[field] ?? 0) + (b[field] ?? 0) };

/** Whether a run has nothing left to do: the next message then starts a new one. */
export const isOver = (status: RunStatus): boolean =>
  status === 'done' || status === 'failed' || status === 'limited' || status === 'cancelled';

/** Whether a run can still move on by itself. One that is being cancelled is neither active nor over. */
export const isActive = (status: RunStatus): boolean =>
  status === 'running' || status === 'sleeping' || status === 'waiting';

/** Whether a call has its outcome: exactly one result that the model can read. */
export const isSettled = (status: CallStatus): boolean =>
  status !== 'queued' && status !== 'running' && status !== 'waiting';
