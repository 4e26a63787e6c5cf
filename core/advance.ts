import type { Agent } from './agent';
import { ConfigurationError } from './errors';
import { withWayBack } from './hand-off';
import { type DeploymentLimits, exhausted, unpriced } from './limits';
import type { LoopInput, LoopOutput, SegmentInput } from './loop-state';
import { makeStep } from './make-step';
import type { Model } from './model';
import { finishOpenCalls } from './open-calls';
import type { Registry } from './registry';
import { isOld, segmentEventBudget } from './route';
import { claimOf, isUnheard } from './store/claim';
import { closeAsked } from './store/close';
import type { LogReader } from './store/log';
import type { Meta } from './store/rows';
import { handedOver, limitRun, nextSegment } from './store/run';
import { readSpending } from './store/spending';
import { changeConversation, readMeta, type Table } from './store/table';

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
  if (run.step === 0 && run.continues) await closeAsked(table, conversationId, run.continues, loop.now());
  const agent = withOverrides(withWayBack(declared, agents.get(meta.entry)), meta);
  const open = await finishOpenCalls(table, input, run, { tools, now: loop.now() });
  if (open) return open;

  const { limits } = loop;
  const spent = limits.user ? await readSpending(table, meta.owner, loop.now()) : {};
  const budget = unpriced(agent, limits, loop.model.priceOf(agent)) ?? exhausted(run, agent, limits, spent, loop.now());
  if (budget) return limitRun(table, last, { reason: budget, evenUnheard: true }, loop.now());
  const steps = limits.steps ?? agent.limits.steps;
  if (!isUnheard(meta, run) && run.step - run.heard.step >= steps) {
    return limitRun(table, last, { reason: `The limit of ${steps} steps for one run is reached.` }, loop.now());
  }
  if (run.segmentEvents > segmentEventBudget || isOld(run.segmentStartedAt, loop.now()))
    return nextSegment(table, last, loop.now());
  return makeStep(loop, at, agent, last, meta);
}

function withOverrides(agent: Agent, { overrides }: Meta): Agent {
  const { agent: of, model = agent.model, instructions = agent.instructions } = overrides ?? {};
  return { ...agent, model, instructions: of === agent.name ? instructions : agent.instructions };
}

/** The agent that had the conversation is gone: the one that it began with takes the next message. */
const backToEntry = (table: Table, conversationId: string, gone: string): Promise<void> =>
  changeConversation<void>(table, conversationId, (meta) =>
    meta.agent === gone && meta.entry !== gone
      ? { meta: { ...meta, agent: meta.entry }, answer: undefined }
      : { answer: undefined },
  );
