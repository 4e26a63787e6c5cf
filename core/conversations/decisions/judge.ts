import { createHash } from 'node:crypto';
import type { Source } from '../../base/content/sources';
import { readModelJson } from '../../base/json/foreign-json';
import { isJsonObject } from '../../base/json/json-object';
import type { GuardVerdict } from '../../base/schemas/guard-verdict';
import { parseInput } from '../../base/schemas/parse-input';
import type { Given } from '../../base/state/given';
import { clip } from '../../base/text/clip';
import { type InvalidInput, TellModel } from '../../base/text/errors';
import { failureWords, isOwnError } from '../../base/text/failure-words';
import { problemsIn } from '../../base/text/problems';
import { answered, asError } from '../../base/text/thrown';
import type { Agent } from '../agent/agent';
import { type Caller, deciderOf, ruleOf } from '../agent/approvers';
import type { Asked } from '../agent/model';
import { readResult } from '../agent/read-result';
import {
  type CallbackTool,
  type DelegateTool,
  type FunctionTool,
  type Patience,
  type PersonTool,
  problemOf,
  type Read,
  type Tool,
  type WaitTool,
} from '../agent/tool';
import { approvalOf } from '../calls/approval';
import { callIdOf } from '../calls/call';
import { type NewCallback, newCallback } from '../calls/callback';
import type { StoredCall, StoredCallback } from '../rows/rows';
import { neededAfterUntrusted, nothingRead } from './provenance';
import { type Readable, readsOf } from './read-on';

/** What the agent's guards and its review have decided about a call. */
export interface Objection {
  guards?: GuardVerdict[];
  /** Why the call must not be made. The model reads it as the call's result. */
  refused?: string;
  /** Why a person must decide about the call. */
  asks?: string;
}

/** A call's place in its step, and what else decides about it. */
export interface Place {
  runId: string;
  step: number;
  index: number;
  user: string;
  timeZone?: string;
  /** The data that code has about the conversation, for tools; undefined for nothing. */
  given?: Given;
  now: Date;
  /** The call's id in the transcript. */
  modelCallId: string;
  /** The number of delegations that led to this conversation. */
  depth?: number;
  /** Objections to the calls of the reply, by index. */
  objections?: ReadonlyMap<number, Objection>;
  /** The record of what the model had read; nothing by default. */
  read?: Read;
  /** Told of what the code of a tool's author throws, and of the call's arguments, which its message may quote. */
  failed?: (error: Error, of: { agent: string; tool: string }, said: unknown) => void;
  /** What can be read on; nothing by default. */
  readable?: Readable;
  /** Who has stepped in: the scheduled hand-off is to them. */
  taker?: Pick<Caller, 'user'> & { name?: string };
}

/** A call to store, and what follows from it. */
export interface Judged {
  call: StoredCall;
  callback?: StoredCallback;
  /** The agent that takes over. */
  handOff?: string;
  /** A task for another agent, in a conversation of its own. */
  child?: Child;
}

/** A sub-agent's conversation to start. */
export interface Child {
  conversationId: string;
  agent: string;
  task: string;
  callbackId: string;
  /** The outside sources that the delegating agent had read. */
  sources?: Source[];
}

const maxArgumentBytes = 200_000;
const maxPromptBytes = 20_000;

/** A conversation, its sub-agent's, and the sub-agent's of that one. */
const maxDepth = 2;

/** More calls in one reply than this are refused, so that the state machine's payload stays under 8 KiB. */
export const maxCallsPerReply = 16;

/** Decides what a requested call does: run, sleep, wait for a callback, or fail at once with a correction for the model. */
export function judge(agent: Agent, asked: Asked, at: Place): Judged {
  const { index } = at;
  const tooMany = index >= maxCallsPerReply;
  const read =
    Buffer.byteLength(asked.arguments) > maxArgumentBytes || tooMany ? unread : readArguments(asked.arguments);
  // Measured as stored: JSON.stringify writes out numbers like 1e20.
  const tooLong = Buffer.byteLength('args' in read ? JSON.stringify(read.args) : asked.arguments) > maxArgumentBytes;
  const args = tooLong || !('args' in read) ? undefined : read.args;
  const call = callOf(agent, asked, args, at);
  const fail = (error: string): Judged => ({
    call: { ...call, status: 'failed', error, completedAt: call.createdAt },
  });

  if (tooMany)
    return fail(
      `At most ${maxCallsPerReply} tools can be called in one reply. Make this call again in the next reply.`,
    );
  // It is offered only where something is long, which may have gone since.
  const tool = [...agent.tools, readResult].find(({ name }) => name === asked.name);
  if (!tool) {
    const names = agent.tools.map(({ name }) => name).join(', ') || 'none';
    return fail(`There is no tool "${asked.name}". The tools are: ${names}.`);
  }
  if (tooLong) return fail(`The arguments are longer than ${maxArgumentBytes} bytes. Call the tool again with less.`);
  if ('problem' in read) return fail(`The arguments cannot be read: ${read.problem}. Correct them and call it again.`);
  // The schema, the checks and the predicates are code of the author, which may throw anything.
  try {
    const parsed = parseInput(tool.input, args);
    if (!parsed.success) {
      const problems = problemsIn(parsed.error, 'arguments');
      return fail(`The arguments do not fit the tool: ${problems}. Correct them and call it again.`);
    }
    const problem = tool.kind === 'function' ? problemOf(tool, parsed.data, agent.tools) : undefined;
    if (problem) return fail(`This cannot be done: ${problem}. Correct it and call it again.`);
    const refusal = at.objections?.get(index)?.refused;
    if (refusal !== undefined) return fail(`Refused before it ran: ${refusal}`);
    return begun(tool, { ...call, kind: tool.kind, title: tool.title }, parsed.data, at);
  } catch (thrown) {
    const error = asError(thrown);
    if (!isOwnError(error)) at.failed?.(error, { agent: agent.name, tool: tool.name }, args);
    return fail(`This cannot be done: ${failureWords(error)}`);
  }
}

type NewCall = Omit<StoredCall, 'status'>;

/** The call as it is made. Servers accept only objects as a call's arguments in the transcript. */
const callOf = (agent: Agent, asked: Asked, args: unknown, at: Place): NewCall => ({
  id: callIdOf(at.runId, at.step, at.index),
  modelCallId: at.modelCallId,
  user: at.user,
  timeZone: at.timeZone,
  given: at.given,
  agent: agent.name,
  version: 1,
  runId: at.runId,
  step: at.step,
  index: at.index,
  tool: asked.name,
  arguments: isJsonObject(args) ? args : { unreadable: clip(asked.arguments, { characters: 2_000 }) },
  attempts: 0,
  createdAt: at.now.toISOString(),
  after: at.read?.sources,
  guards: at.objections?.get(at.index)?.guards,
});

function begun(tool: Tool, call: NewCall, input: Record<string, unknown>, at: Place): Judged {
  const asks = at.objections?.get(at.index)?.asks;
  if (asks && tool.kind !== 'function')
    throw new TellModel(`a person would have to approve it, which is only possible for tools that run. ${asks}`);
  switch (tool.kind) {
    case 'wait':
      return { call: { ...call, status: 'waiting', until: endOf(tool, input, at.now, call.timeZone) } };
    case 'callback':
      return question(tool, call, input, at);
    case 'hand-off': {
      const result = `The agent "${tool.to}" takes over the conversation.`;
      return { call: { ...call, status: 'completed', result, completedAt: call.createdAt }, handOff: tool.to };
    }
    case 'person':
      return handOffToPerson(tool, call, input as { group: string; reason: string }, at);
    case 'read': {
      const { reads, sources, result } = readsOf(input as { id: string; from: number }, at.readable);
      return { call: { ...call, status: 'completed', result, reads, sources, completedAt: call.createdAt } };
    }
    case 'delegate':
      return delegation(tool, call, input as { agent: string; task: string }, at);
    default:
      return work(tool, call, input, at);
  }
}

const waitingFor = (call: NewCall): StoredCall => ({ ...call, status: 'waiting', callbackId: call.id });

/** A call that waits from its beginning, for a callback with its own id. */
function asking(call: NewCall, asked: Omit<NewCallback, 'id' | 'callId' | 'runId'>, now: Date) {
  const callback = newCallback({ id: call.id, callId: call.id, runId: call.runId, ...asked }, now);
  return { call: waitingFor(call), callback };
}

function question(tool: CallbackTool, call: NewCall, input: Record<string, unknown>, { user, now }: Place): Judged {
  const { expiresInSeconds, fallback } = tool;
  const prompt = promptOf(tool, input);
  return asking(call, { decider: deciderOf('owner', user), kind: 'question', prompt, expiresInSeconds, fallback }, now);
}

/** The owner never takes over their own conversation, also as one of the group. */
function handOffToPerson(
  { people }: PersonTool,
  call: NewCall,
  { group, reason }: { group: string; reason: string },
  { user, now, depth = 0, read = nothingRead, taker }: Place,
): Judged {
  if (depth > 0) throw new TellModel('no person is in this conversation. Say in your answer what a person should do.');
  const { escalation, reminders, expiresInSeconds, fallback } = {
    ...personPatience,
    ...people.find((one) => one.group === group)!,
  };
  const at = now.toISOString();
  const asked = {
    agent: call.agent,
    kind: 'person' as const,
    prompt: clip(reason, { bytes: maxPromptBytes }),
    sources: read.sources,
    expiresInSeconds,
    fallback,
    ...ruleOf({ approvers: [{ by: { group }, escalation }], reminders }, user),
    excludesOwner: true as const,
    ...(taker && {
      assigned: {
        to: taker.user,
        by: taker.user,
        ...(taker.name && { toName: taker.name, byName: taker.name }),
        at,
        step: 0,
      },
    }),
  };
  const { callback, ...made } = asking(call, asked, now);
  return { call: { ...made.call, decider: callback.decider }, callback };
}

const personPatience: Patience = {
  expiresInSeconds: 30 * 86_400,
  fallback:
    'No person has taken the conversation over, or given it back, in time. Tell the user, and continue without one.',
};

function delegation(
  { expiresInSeconds, fallback }: DelegateTool,
  call: NewCall,
  { agent, task }: { agent: string; task: string },
  { now, depth = 0, read = nothingRead }: Place,
): Judged {
  if (depth >= maxDepth) throw new TellModel(`agents can delegate over at most ${maxDepth} levels. Do it yourself.`);
  const conversationId = childId(call.id);
  const prompt = clip(task, { bytes: maxPromptBytes });
  const child: Child = { conversationId, agent, task, callbackId: call.id, sources: read.sources };
  return { ...asking(call, { conversationId, expiresInSeconds, fallback, kind: 'agent', prompt }, now), child };
}

/**
 * Begins a call of a function. Here it is decided that a call needs a person's approval: after outside words, by the tool's own rule, or
 * because a guard asks. Only two places say otherwise later: a read that finds out by itself (`asksFirst` in `run-tool.ts`), and what the owner
 * has allowed beforehand (`allowStanding` in `standing.ts`).
 */
function work(
  tool: FunctionTool,
  call: NewCall,
  input: Record<string, unknown>,
  { user, now, index, objections, read = nothingRead }: Place,
): Judged {
  const needed = neededAfterUntrusted(tool, input, read);
  if (needed === 'refuse')
    throw new TellModel(
      'this tool is not available after words from outside have been read. Tell the user, who can do it.',
    );
  const guardAsks = objections?.get(index)?.asks;
  if (needed === 'allow' && !asks(tool, input) && !guardAsks) return { call: { ...call, status: 'queued' } };
  const callback = approvalOf(tool, call, { owner: user, sources: read.sources, guardAsks, now });
  const { arguments: shown, decider } = callback;
  // What is shown of the call, wherever, is what would run, and can be sent back.
  return { call: { ...waitingFor(call), arguments: shown, decider }, callback };
}

/** A predicate without `return` would let every call pass. */
const asks = ({ approval }: FunctionTool, input: Record<string, unknown>): boolean =>
  approval !== undefined &&
  answered('approval.when', approval.when(input), (answer) => typeof answer === 'boolean', 'true or false');

/** The last moment that a Wait state can name. */
const lastMs = Date.parse('9999-12-31T23:59:59Z');
const isTime = (answer: unknown): boolean => answer instanceof Date && answer.getTime() <= lastMs;
const endOf = (tool: WaitTool, input: Record<string, unknown>, now: Date, timeZone = 'UTC'): string =>
  answered('until', tool.until(input, now, timeZone), isTime, 'a Date before the year 10000').toISOString();

const isWords = (answer: unknown): boolean => typeof answer === 'string' && answer.trim() !== '';

const promptOf = (question: CallbackTool, input: Record<string, unknown>): string =>
  clip(answered('prompt', question.prompt(input), isWords, 'a text'), { bytes: maxPromptBytes });

/** Derived from the call's id, so a repeated step names the same conversation. */
const childId = (callId: string): string => `c_${createHash('sha256').update(callId).digest('hex').slice(0, 32)}`;

const unread = {};

/** Some servers send an empty text for a tool without arguments. */
function readArguments(text: string): { args: unknown } | { problem: string } {
  if (!text.trim()) return { args: {} };
  try {
    return { args: readModelJson(text, 'arguments') };
  } catch (error) {
    const { path, message } = error as InvalidInput;
    return { problem: `${path}: ${message}` };
  }
}
