import { isDeepStrictEqual } from 'node:util';
import { deployedProvider } from '../../base/models/kinds';
import { parseInput } from '../../base/schemas/parse-input';
import { isActive, isSettled } from '../../base/state/schemas';
import { runPrefix } from '../../base/text/ids';
import { exhausted } from '../agent/limits';
import { personToolName, type Tool } from '../agent/tool';
import { offerOf } from '../approvals/standing';
import { canonical, digestOf } from '../calls/approved';
import { stateOf } from '../calls/call-state';
import { isOpenTimer } from '../calls/timer';
import { canBeUndone, isBeyondUndo, isDone } from '../calls/undoable';
import type { RowKind } from '../rows/keys';
import type { Meta, StoredRun } from '../rows/meta';
import type { StoredCall, StoredCallback, StoredMessage, StoredStanding, StoredTimer } from '../rows/rows';
import { isUnread } from '../runs/step-check';
import type { NewCode, Said } from './finding';

/** The code, the time, and the calls of the conversation, which are before META in the order of the keys. */
interface Around {
  code: NewCode;
  now: Date;
  calls: readonly StoredCall[];
}

const nothing = (): Said[] => [];

/**
 * What the rows of each kind use of the code: agents, tools and their arguments, providers and limits. A kind that is added to
 * `kinds` does not compile without its line here.
 */
export const usesOf: Record<RowKind, (row: never, around: Around) => Said[]> = {
  meta: usesOfConversation,
  message: usesOfMessage,
  call: usesOfCall,
  callback: usesOfCallback,
  timer: usesOfTimer,
  standing: usesOfStanding,
  given: nothing,
  todos: nothing,
  piece: nothing,
  part: nothing,
  note: nothing,
  clientMessage: nothing,
  branch: nothing,
  link: nothing,
  readMark: nothing,
  shared: nothing,
  memory: nothing,
  file: nothing,
  settings: nothing,
  ignored: nothing,
  grantsEnded: nothing,
  absence: nothing,
  standIn: nothing,
  seenDeciders: nothing,
  counts: nothing,
  fileSums: nothing,
  spent: nothing,
  progress: nothing,
  reply: nothing,
  embedded: nothing,
  embedding: nothing,
};

function usesOfConversation(meta: Meta, { code, now, calls }: Around): Said[] {
  const { run, owner, deletedFor } = meta;
  if (!owner || deletedFor !== undefined) return [];
  if (!run || !isActive(run.status)) return [...restingAgent(meta, code), ...undos(run, code, calls, now)];
  const { id } = run;
  const agent = code.agents.get(run.agent);
  if (agent) return [...limitsOf(meta, run, code, now), ...undos(run, code, calls, now)];
  return [
    {
      verdict: 'breaks',
      id,
      field: 'run.agent',
      happens: `the run fails at its next step: there is no agent ${quoted(run.agent)}`,
      todo: 'keep the agent until its runs have ended, or cancel the run',
    },
    ...undos(run, code, calls, now),
  ];
}

/** A conversation at rest. Nobody writes to that of a sub-agent. */
function restingAgent({ agent, entry, parent }: Meta, { agents }: NewCode): Said[] {
  if (agents.has(agent) || parent) return [];
  const happens =
    agent !== entry && agents.has(entry)
      ? `the next message fails, because there is no agent ${quoted(agent)}; the one after it goes to ${quoted(entry)}`
      : `each message fails: there is no agent ${quoted(agent)}`;
  return [
    { verdict: 'breaks', field: 'agent', happens, todo: 'keep an agent of this name, or delete the conversation' },
  ];
}

function limitsOf(meta: Meta, run: StoredRun, { agents, limits }: NewCode, now: Date): Said[] {
  const agent = agents.get(run.agent)!;
  const budget = exhausted(run, agent, limits, now);
  const most = limits.steps ?? agent.limits.steps;
  const steps = run.step - run.lastRead.step;
  // A run never makes more steps than its limit, so the limit is a new one.
  const isOver = steps > most && !isUnread(meta, run);
  if (!budget && !isOver) return [];
  return [
    {
      verdict: 'breaks',
      id: run.id,
      field: budget ? 'run.usage' : 'run.step',
      happens: `the run ends as limited at its next step: ${budget ? firstSentence(budget) : `it has made ${steps} steps, and the limit is ${most}`}`,
      todo: 'raise the limit; afterwards the run can be retried',
    },
  ];
}

const firstSentence = (text: string): string => text.split('. ')[0]!;

/** The effects of a run that is not over, which a cancel would undo. */
function undos(run: StoredRun | undefined, { tools }: NewCode, calls: readonly StoredCall[], now: Date): Said[] {
  const isHeld = run?.heldUntil !== undefined && Date.parse(run.heldUntil) > now.getTime();
  if (!run || !(isActive(run.status) || run.status === 'cancelling' || isHeld)) return [];
  const first = [run.undoFrom === undefined ? run.id : runPrefix(run.undoFrom), run.id].sort()[0]!;
  const names = new Set<string>();
  const said: Said[] = [];
  for (const call of calls) {
    if (call.id < first || names.has(call.tool)) continue;
    const tool = tools.get(call.tool);
    const isGone = isBeyondUndo(tools, call);
    const isRefused =
      tool && canBeUndone(tools, call) && isDone(call) && !call.undoError && problemOf(tool, call.arguments);
    if (!isGone && !isRefused) continue;
    names.add(call.tool);
    const why = isGone ? `there is no tool ${quoted(call.tool)}` : `${call.tool} refuses the stored ${isRefused}`;
    said.push({
      verdict: 'changes',
      id: call.id,
      field: isGone ? 'tool' : 'arguments',
      happens: `a rollback of the run cannot undo the call: ${why}`,
      todo: 'keep the tool as it was until the run is over',
    });
  }
  return said;
}

function usesOfMessage({ scheduled, status }: StoredMessage, { code }: Around): Said[] {
  // That of a person who steps in has no function.
  if (!scheduled || status !== 'pending' || scheduled.tool === personToolName) return [];
  let args: unknown;
  try {
    args = JSON.parse(scheduled.arguments);
  } catch {
    // The step that makes the call tells the model.
  }
  return scheduledCall('scheduled', scheduled.tool, args, code);
}

function usesOfTimer(timer: StoredTimer, { code }: Around): Said[] {
  if (timer.kind !== 'tool' || !isOpenTimer(timer) || timer.tool === undefined) return [];
  return scheduledCall('', timer.tool, timer.arguments ?? {}, code).map((said) => ({ ...said, id: timer.id }));
}

/** A call that is made at its time, without asking the model. */
function scheduledCall(parent: string, name: string, args: unknown, { tools }: NewCode): Said[] {
  const at = (field: string) => [parent, field].filter(Boolean).join('.');
  const tool = tools.get(name);
  const problem = tool && problemOf(tool, args);
  if (tool && !problem) return [];
  return [
    {
      verdict: 'breaks',
      field: at(tool ? 'arguments' : 'tool'),
      happens: `the call fails when it is due: ${problem ? `${name} refuses the stored ${problem}` : `there is no tool ${quoted(name)}`}`,
      todo: `${problem ? 'let the tool take what it took before' : 'keep the tool until then'}, or cancel the timer`,
    },
  ];
}

function usesOfCall(call: StoredCall, { code: { tools } }: Around): Said[] {
  const { id } = call;
  const { isTask, ...state } = stateOf(call);
  const waitsFor = call.status === 'waiting' ? state.waitsFor : undefined;
  const isOfFunction = call.kind === undefined || call.kind === 'function';
  if (isSettled(call.status) || !isOfFunction || waitsFor === 'time') return [];
  const [happens, until] =
    waitsFor === 'person'
      ? ['nobody can approve the call, only deny it', 'it is decided, or have it denied']
      : waitsFor === 'outside'
        ? isTask
          ? ['the server is not asked for its result, so the outcome is unknown', 'it has ended']
          : ['a delivery is taken unchecked, and nothing undoes the call', 'it is delivered']
        : ['the call fails, which the model is told', 'it has ended'];
  const tool = tools.get(call.tool);
  if (tool?.kind !== 'function')
    return [
      {
        verdict: 'breaks',
        id,
        field: 'tool',
        happens: `${happens}: ${tool ? `${call.tool} has no function any more` : `there is no tool ${quoted(call.tool)}`}`,
        todo: `keep the tool until ${until}`,
      },
    ];
  // Its arguments are not read again.
  if (waitsFor === 'outside' || isTask) return [];
  const problem = problemOf(tool, call.arguments);
  if (problem)
    return [
      {
        verdict: 'breaks',
        id,
        field: 'arguments',
        happens: `${happens}: ${call.tool} refuses the stored ${problem}`,
        todo: `let the tool take what it took before, until ${until}`,
      },
    ];
  return readOtherwise(call, tool, waitsFor === 'person');
}

/** The new schema takes the arguments, and makes something else of them than a person has seen. */
function readOtherwise(call: StoredCall, tool: Tool, isAsked: boolean): Said[] {
  const args = canonical(tool.input, call.arguments);
  const isOther = isAsked
    ? !isDeepStrictEqual(args, call.arguments)
    : call.approved !== undefined && args && digestOf(args) !== call.approved;
  if (!isOther) return [];
  return [
    {
      verdict: isAsked ? 'breaks' : 'changes',
      id: call.id,
      field: 'arguments',
      happens: `${isAsked ? 'nobody can approve the call, only deny it' : 'a person is asked again'}: ${tool.name} reads the stored arguments otherwise`,
      todo: 'let the tool read them as before until the call has ended: no new defaults and transformations',
    },
  ];
}

function usesOfCallback({ id, status, reply }: StoredCallback, { code: { providers } }: Around): Said[] {
  if (status !== 'pending' || !reply) return [];
  if (reply.provider === deployedProvider || providers.has(reply.provider)) return [];
  return [
    {
      verdict: 'changes',
      id,
      field: 'reply.provider',
      happens: `the reply that is being made is paid and not fetched, and another model is asked: there is no provider ${quoted(reply.provider)}`,
      todo: 'keep an agent that names the provider until the reply is there',
    },
  ];
}

function usesOfStanding(standing: StoredStanding, { code: { agents, tools }, now }: Around): Said[] {
  const { id, tool: name, agent, mayDiffer, same, money = {}, revokedAt, expiresAt, madeFrom } = standing;
  if (revokedAt !== undefined || Date.parse(expiresAt) <= now.getTime()) return [];
  const tool = tools.get(name);
  const offer = tool?.kind === 'function' ? offerOf(tool) : undefined;
  const fields = Object.keys(tool?.input.shape ?? {});
  const missing = [...Object.keys(same as object), ...Object.keys(money)].some((field) => !fields.includes(field));
  const [field, why] = !agents.has(agent)
    ? ['agent', `there is no agent ${quoted(agent)}`]
    : !tool
      ? ['tool', `there is no tool ${quoted(name)}`]
      : !offer || mayDiffer.some((one) => !offer.mayDiffer.includes(one)) || missing
        ? ['tool', `${name} offers it no longer in this way`]
        : [];
  if (!field) return [];
  return [
    {
      verdict: 'changes',
      id,
      conversationId: madeFrom.conversationId,
      field,
      happens: `it allows no call any more, and a person is asked for each: ${why}`,
      todo: 'keep what it names, or tell its owner',
    },
  ];
}

/**
 * Returns which argument the tool's schema refuses, and why; undefined if it takes them. What the schema says may quote a person's words,
 * and so may the names below the first.
 */
function problemOf({ input }: Tool, args: unknown): string | undefined {
  let issue: { path: PropertyKey[]; code?: string } | undefined;
  try {
    issue = parseInput(input, args).error?.issues[0];
  } catch {
    // The author's own code has failed.
    return 'arguments';
  }
  if (!issue) return undefined;
  const [field] = issue.path;
  if (field === undefined || !Object.hasOwn(input.shape, field)) return 'arguments';
  const isMissing = !Object.hasOwn((args ?? {}) as object, field);
  return isMissing ? `arguments, which lack \`${String(field)}\`` : `argument \`${String(field)}\``;
}

const quoted = (name: string): string => JSON.stringify(name);
