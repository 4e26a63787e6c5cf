import type { Agent } from './agent';
import { decide } from './decide';
import { ConfigurationError, Superseded } from './errors';
import { newWriterId } from './ids';
import type { LoopInput, LoopOutput, SegmentInput } from './loop-state';
import type { Model } from './model';
import { finishOpenCalls } from './open-calls';
import type { Registry } from './registry';
import { isOld, segmentEventBudget } from './route';
import { SentenceFeed } from './sentences';
import type { LogReader } from './store/log';
import type { Meta } from './store/rows';
import { handedOver, limitRun, nextSegment } from './store/run';
import { beginStep, claimOf, commitStep, type Draft, flushText, isUnheard } from './store/step';
import { readMeta, type Table } from './store/table';
import { transcript } from './transcript';

/** What a run needs to go on in any process. */
export interface Loop {
  table: Table;
  logs: LogReader;
  model: Model;
  registry: Registry;
  now(): Date;
  /** Overrides of what the agents say, from the deployment. */
  overrides: { steps?: number };
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

  const agent = agents.get(run.agent);
  if (!agent) throw new ConfigurationError(`The agent "${run.agent}" is not part of this deployment any more.`);
  const open = await finishOpenCalls(table, input, run, { tools, now: loop.now() });
  if (open) return open;

  const steps = loop.overrides.steps ?? agent.limits.steps;
  if (!isUnheard(meta, run) && run.step - run.heard.step >= steps) {
    return limitRun(table, last, `The limit of ${steps} steps for one run is reached.`, loop.now());
  }
  if (run.segmentEvents > segmentEventBudget || isOld(run.segmentStartedAt, loop.now()))
    return nextSegment(table, last, loop.now());
  return makeStep(loop, at, agent, last, meta);
}

async function makeStep(
  loop: Loop,
  at: SegmentInput,
  agent: Agent,
  last: SegmentInput,
  known: Meta,
): Promise<LoopOutput> {
  const { table, model } = loop;
  const begun = await beginStep(table, at, { agent, writer: newWriterId(), now: loop.now(), known });
  if (begun.kind === 'stored') return begun.next;
  if (begun.kind === 'fenced') return { ...last, next: 'done' };
  const { draft, meta } = begun;

  const log = await loop.logs.read({ ...at, seq: draft.seq });
  const fenced = new AbortController();
  const signal = AbortSignal.any([fenced.signal, loop.deadline]);
  const feed = new SentenceFeed((text) => showWords(table, at, draft, text, fenced));
  const messages = transcript(agent, log.messages, log.calls, draft.seq);
  const replied = await model
    .reply({ agent, messages, signal, onText: (piece) => feed.add(piece) })
    .catch((error: unknown) => {
      if (fenced.signal.aborted) return undefined;
      throw error;
    })
    .finally(() => feed.close());
  if (!replied) throw new Superseded('Another attempt of this step has taken over.');

  const knownIds = new Set(log.calls.map(({ modelCallId }) => modelCallId));
  const decision = decide(agent, replied, {
    runId: at.runId,
    step: at.step,
    now: loop.now(),
    user: meta.owner,
    knownIds,
  });
  const committed = await commitStep(table, at, draft, {
    agent,
    decision,
    usage: replied.usage,
    now: loop.now(),
    known: meta,
  });
  return committed.kind === 'fenced' ? { ...last, next: 'done' } : committed.next;
}

/** A failure to show words is no failure of the step: they are stored with it. Being fenced off is the end of it. */
async function showWords(
  table: Table,
  at: SegmentInput,
  draft: Draft,
  text: string,
  fenced: AbortController,
): Promise<void> {
  const ours = await flushText(table, at, draft, text).catch(() => true);
  if (!ours) fenced.abort();
}
