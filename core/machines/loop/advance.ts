// core/machines/loop: the work of CallModel between its steps, and of the functions that run tools.

import type { FilePart } from '../../base/content/parts';
import type { Source } from '../../base/content/sources';
import type { LoopInput, LoopOutput, SegmentInput } from '../../base/state/loop-state';
import type { TraceScope } from '../../base/state/trace';
import { ConfigurationError } from '../../base/text/errors';
import { type Agent, type Instructed, instructed } from '../../conversations/agent/agent';
import { type DeploymentLimits, exhausted, exhaustedByUser, isUserLimited } from '../../conversations/agent/limits';
import type { FileText, Model, ModelRequest } from '../../conversations/agent/model';
import { type Registry, versionOf, withWayBack } from '../../conversations/agent/registry';
import { closeAsked } from '../../conversations/calls/close';
import { isOld, segmentEventBudget } from '../../conversations/decisions/route';
import type { FileStore } from '../../conversations/files/file-store';
import type { FileLimits } from '../../conversations/files/sums';
import type { EquipGuard } from '../../conversations/guards/check';
import type { Meta, StoredRun } from '../../conversations/rows/meta';
import type { LogReader } from '../../conversations/runs/log';
import { handedOver, limitRun, nextSegment } from '../../conversations/runs/run';
import { readSpending } from '../../conversations/runs/spending';
import { checkStep, isUnread } from '../../conversations/runs/step-check';
import { changeConversation } from '../../conversations/store/change-conversation';
import { readMeta, type Table } from '../../conversations/store/table';
import { makeStep } from '../step/make-step';
import type { Deltas } from '../step/screen';
import type { DueStep } from '../step/step';
import { modelsNow } from './after-failure';
import { aboutRun } from './given';
import { finishOpenCalls } from './open-calls';

/** The resources that a process needs to continue any run. */
export interface Loop {
  table: Table;
  logs: LogReader;
  model: Model;
  registry: Registry;
  now(): Date;
  limits: DeploymentLimits;
  /** Returns what the user has said in other conversations about this text, as a note for the model. */
  recall?(user: string, words: string): Promise<Recalled | undefined>;
  /** Gives guards the values of their `needs`. */
  equip?: EquipGuard;
  /** The bytes of files that messages refer to, and the limits of those that models make. */
  files?: FileStore;
  fileLimits?: FileLimits;
  /** Returns the text that a model gets of a file. Undefined for a file that has none, such as a picture. */
  textOf?(
    file: FilePart,
    readFile: NonNullable<ModelRequest['readFile']>,
    reading?: ModelRequest['reading'],
  ): Promise<FileText | undefined>;
  /** Sends the words of replies to those who watch, in deployments with a live view. */
  deltas?: Deltas;
  /** Told of a failure after which the run continues: of a model call, or of what a tool's author decides about calls. */
  failed?(
    error: Error,
    of: { agent: string; model: string; attempt: number } | { agent: string; tool: string },
    said?: unknown,
  ): void;
  /** Aborted shortly before the function times out. The step then fails with an error that is retried. */
  deadline: AbortSignal;
  /** What one trace has, in deployments that export traces. */
  traces?: TraceScope;
}

/** The words that were recalled about the user, as a note for the model, and their outside sources. */
export interface Recalled {
  text: string;
  sources?: Source[];
}

/** The number of replies in a row that may be cut off, empty or unreadable. Each is paid. */
const mostUselessReplies = 3;
const cutOffReason =
  "The model's reply was cut off three times in a row because it was too long. Ask for less at once, or allow longer replies.";

const unusableReasons = {
  empty: "The model's reply was empty three times in a row. Try other words, or another model.",
  unreadable:
    "The arguments of the model's calls could not be read three times in a row. Try other words, or another model.",
};

/**
 * Makes the next step: finishes what the last step left open, then calls the model once. For a step that is already
 * stored, it returns the stored answer. For a stale segment, it changes nothing.
 *
 * @throws ModelThrottled, ModelUnavailable, ModelUnreadable, ConversationBusy, Superseded, which are retried.
 * @throws ModelRejected, ConfigurationError, ToolTerminal, which end the run.
 */
export async function advance(loop: Loop, input: LoopInput): Promise<LoopOutput> {
  const { table } = loop;
  const { agents, tools } = loop.registry;
  const { conversationId, runId, segment } = input;
  const meta = await readMeta(table, conversationId);
  const last: SegmentInput = { conversationId, runId, segment, step: input.step };
  const at: SegmentInput = { ...last, step: input.step + 1 };

  const claim = meta ? checkStep(meta, at) : { kind: 'fenced' as const };
  if (claim.kind === 'stored') return claim.next;
  // An earlier attempt of this invocation may have committed the hand-over. Repeat its answer.
  if (claim.kind === 'fenced' || !meta) return (meta && handedOver(meta, last)) ?? { ...last, next: 'done' };
  const { run } = claim;

  const declared = agents.get(run.agent);
  if (!declared) {
    await backToEntry(table, conversationId, run.agent);
    const next = `The next message goes to "${meta.entry}".`;
    throw new ConfigurationError(`The agent "${run.agent}" is no longer deployed. ${next}`);
  }
  if (run.step === 0) await closeAsked(table, conversationId, run, loop.now(), loop.registry.tools);
  const agent = withOverrides(withWayBack(declared, agents.get(meta.entry)), meta);
  const due: DueStep = { loop, at, last, declared: agent };
  const open = await finishOpenCalls(table, input, run, { tools, now: loop.now() });
  if (open) return open;

  const limit = (await budgetLimit(loop, meta, run, agent)) ?? limitOfSteps(loop, meta, run, agent);
  if (limit) return limitRun(table, last, limit, loop.now());
  if (run.segmentEvents > segmentEventBudget || isOld(run.segmentStartedAt, loop.now()))
    return nextSegment(table, last, loop.now());
  const now = await modelsNow(due, meta);
  return 'next' in now ? now : makeStep(due);
}

type Limit = Parameters<typeof limitRun>[2];

/** A budget that is used up ends the run even if a message is unread. */
async function budgetLimit(loop: Loop, meta: Meta, run: StoredRun, agent: Agent): Promise<Limit | undefined> {
  const { limits } = loop;
  const reason =
    exhausted(run, agent, limits, loop.now()) ??
    // A step that was begun may have reserved its part, which the sums include.
    (run.draft ? undefined : await userBudgetLimit(loop, meta.owner));
  return reason === undefined ? undefined : { reason, evenUnread: true };
}

/** A message that is unread may bring the run on. */
function limitOfSteps({ limits }: Loop, meta: Meta, run: StoredRun, agent: Agent): Limit | undefined {
  if (isUnread(meta, run)) return undefined;
  const steps = limits.steps ?? agent.limits.steps;
  if (run.step - run.lastRead.step >= steps) return { reason: `The limit of ${steps} steps for one run is reached.` };
  if ((run.cutOff ?? 0) >= mostUselessReplies) return { reason: cutOffReason };
  return run.unusable && run.unusable.times >= mostUselessReplies
    ? { reason: unusableReasons[run.unusable.why] }
    : undefined;
}

/** Whether the user's budget is used up. A step that is begun reserves its part of the rest. */
async function userBudgetLimit({ table, limits, now }: Loop, user: string): Promise<string | undefined> {
  if (!isUserLimited(limits)) return undefined;
  const least = { steps: 1, tokens: 1, costMicrodollars: 0 };
  return exhaustedByUser(limits, await readSpending(table, user, now()), least);
}

/** @throws ConfigurationError if the agent's instructions cannot be written. */
function withOverrides(agent: Agent, { overrides, ...meta }: Meta): Instructed {
  const { agent: of, model: name, instructions } = overrides ?? {};
  const model = name === undefined ? agent.model : { ...agent.model, name, takes: undefined, otherwise: undefined };
  // A model override also applies to summaries.
  const summaryModel = name === undefined ? agent.summaryModel : model;
  const replaced = of === agent.name ? instructions : undefined;
  const written = replaced ?? instructed(agent, aboutRun(meta)).instructions;
  return { ...agent, model, summaryModel, instructions: written, version: versionOf(agent, replaced) };
}

/** Gives the conversation back to its first agent, because the current one is no longer deployed. */
const backToEntry = (table: Table, conversationId: string, gone: string): Promise<void> =>
  changeConversation<void>(table, conversationId, (meta) =>
    meta.agent === gone && meta.entry !== gone
      ? { meta: { ...meta, agent: meta.entry }, answer: undefined }
      : { answer: undefined },
  );
