import type { Agent } from '../agent/agent';
import { withWayBack } from '../agent/hand-off';
import { type DeploymentLimits, exhausted, unpriced } from '../agent/limits';
import type { Model } from '../agent/model';
import type { Registry } from '../agent/registry';
import { closeAsked } from '../calls/close';
import { isOld, segmentEventBudget } from '../decisions/route';
import { claimOf, isUnread } from '../runs/claim';
import type { LogReader } from '../runs/log';
import { handedOver, limitRun, nextSegment } from '../runs/run';
import { readSpending } from '../runs/spending';
import type { LoopInput, LoopOutput, SegmentInput } from '../state/loop-state';
import type { Meta } from '../store/rows';
import { changeConversation, readMeta, type Table } from '../store/table';
import { ConfigurationError } from '../text/errors';
import { makeStep } from './make-step';
import { finishOpenCalls } from './open-calls';

/** What a run needs to go on in any process. */
export interface Loop {
  table: Table;
  logs: LogReader;
  model: Model;
  registry: Registry;
  now(): Date;
  limits: DeploymentLimits;
  /** What the user has said elsewhere that has to do with these words, as a note for the model. */
  recall?(user: string, words: string): Promise<string | undefined>;
  /** Aborted when this process is about to be stopped: the step then fails in good order and is tried again. */
  deadline: AbortSignal;
}

/** So often in a row a reply that was cut off is gone on with. */
const cutsAtMost = 2;
const cutOffReason =
  'The model was cut off for the length of its reply, three times in a row. Ask for less at once, or allow it more output.';

/**
 * Moves a run on by one step: finishes what the last one left open, then calls the model once. Called again for a step
 * that is stored, it answers from the store; called for a segment that is no longer the run's, it changes nothing.
 *
 * @throws ModelThrottled, ModelUnavailable, ConversationBusy, Superseded: worth another attempt; ModelRejected, ConfigurationError, ToolTerminal: not.
 */
export async function advance(loop: Loop, input: LoopInput): Promise<LoopOutput> {
  const { table } = loop;
  const { agents, tools } = loop.registry;
  const { conversationId, runId, segment } = input;
  const last: SegmentInput = { conversationId, runId, segment, step: input.step };
  const at: SegmentInput = { ...last, step: input.step + 1 };

  const meta = await readMeta(table, conversationId);
  const claim = meta ? claimOf(meta, at) : { kind: 'fenced' as const };
  if (claim.kind === 'stored') return claim.next;
  // Fenced by the hand-over that an earlier attempt of this very call committed, it answers that again.
  if (claim.kind === 'fenced' || !meta) return (meta && handedOver(meta, last)) ?? { ...last, next: 'done' };
  const { run } = claim;

  const declared = agents.get(run.agent);
  if (!declared) {
    await backToEntry(table, conversationId, run.agent);
    const next = `The next message goes to "${meta.entry}".`;
    throw new ConfigurationError(`The agent "${run.agent}" is not part of this deployment any more. ${next}`);
  }
  if (run.step === 0) await closeAsked(table, conversationId, run, loop.now());
  const agent = withOverrides(withWayBack(declared, agents.get(meta.entry)), meta);
  const open = await finishOpenCalls(table, input, run, { tools, now: loop.now() });
  if (open) return open;

  const { limits } = loop;
  const spent = limits.user ? await readSpending(table, meta.owner, loop.now()) : {};
  const budget = unpriced(agent, limits, loop.model.about(agent)) ?? exhausted(run, agent, limits, spent, loop.now());
  if (budget) return limitRun(table, last, { reason: budget, evenUnread: true }, loop.now());
  const steps = limits.steps ?? agent.limits.steps;
  if (!isUnread(meta, run) && run.step - run.lastRead.step >= steps) {
    return limitRun(table, last, { reason: `The limit of ${steps} steps for one run is reached.` }, loop.now());
  }
  if ((run.cutOff ?? 0) > cutsAtMost && !isUnread(meta, run))
    return limitRun(table, last, { reason: cutOffReason }, loop.now());
  if (run.segmentEvents > segmentEventBudget || isOld(run.segmentStartedAt, loop.now()))
    return nextSegment(table, last, loop.now());
  return makeStep(loop, at, agent, last, meta);
}

function withOverrides(agent: Agent, { overrides }: Meta): Agent {
  const { agent: of, model: name = agent.model.name, instructions = agent.instructions } = overrides ?? {};
  const model = { ...agent.model, name };
  // Who tries another model wants all of it tried.
  const summaryModel = overrides?.model ? model : agent.summaryModel;
  return { ...agent, model, summaryModel, instructions: of === agent.name ? instructions : agent.instructions };
}

/** The agent that had the conversation is gone: the one that it began with takes the next message. */
const backToEntry = (table: Table, conversationId: string, gone: string): Promise<void> =>
  changeConversation<void>(table, conversationId, (meta) =>
    meta.agent === gone && meta.entry !== gone
      ? { meta: { ...meta, agent: meta.entry }, answer: undefined }
      : { answer: undefined },
  );
