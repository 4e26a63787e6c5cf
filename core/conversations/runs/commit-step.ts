import { filesOf, namesOfFiles } from '../../base/content/parts';
import { type PassedOver, withoutOutage } from '../../base/models/model-outage';
import { type LoopOutput, NextState, type SegmentInput } from '../../base/state/loop-state';
import { addUsage, type Usage } from '../../base/state/schemas';
import { contextOfCall, storedTrace, type TraceScope } from '../../base/state/trace';
import type { Counts } from '../../base/state/user-limits';
import { clip } from '../../base/text/clip';
import { Superseded } from '../../base/text/errors';
import type { Agent, Instructed } from '../agent/agent';
import { deciderOf } from '../agent/approvers';
import { allowStanding } from '../approvals/standing';
import { stepPrefix } from '../calls/call';
import { newCallback, putCallback, withListEntry } from '../calls/callback';
import { putReminder } from '../calls/timer';
import type { Decision } from '../decisions/decide';
import { eventsOfStep, type RunStanding, route, statusWith } from '../decisions/route';
import { referencesOfReply } from '../files/references';
import { closePending } from '../replies/pending-reply';
import { key } from '../rows/keys';
import type { Draft, Meta, StoredRun } from '../rows/meta';
import { callRow, type StoredCallback } from '../rows/rows';
import { type Change, changeConversation } from '../store/change-conversation';
import type { Table } from '../store/table';
import type { RowWrite } from '../store/write';
import { childRows } from './conversation';
import { noteTo } from './note';
import { endAndStartQueued } from './run';
import { type Reservation, spent } from './spending';
import { standing, withTaker } from './standing';
import { checkStep, type StepNotNeeded } from './step-check';

interface Committed {
  kind: 'committed';
  next: LoopOutput;
}

/** The model that gave a step's reply, and those that its agent prefers and that do not answer. */
export interface AnsweredBy {
  model: string;
  maker: string;
  insteadOf: PassedOver[];
}

interface StepResult {
  agent: Agent & Pick<Instructed, 'version'>;
  decision: Decision;
  usage: Usage;
  /** Absent if no model was asked. */
  answeredBy?: AnsweredBy;
  now: Date;
  /** The part of its user's budget that the step has reserved. */
  reservation?: Reservation;
  /** Limits of the user's counts, for sub-agents. */
  atMost?: Partial<Counts>;
  /** What one trace has; absent if the deployment exports none. */
  traces?: TraceScope;
}

/** The time that the question of an agent with an `end` phrase waits for an answer. */
const questionSeconds = 30 * 86_400;
/** The part of a question that its callback keeps. The message has the whole. */
const promptBytes = 100_000;
const noAnswer = 'No answer to your question came in time.';

/**
 * Commits the step in one transaction: the message, its calls and the next route. The run ends only if no message has arrived
 * meanwhile; otherwise the next step reads that message.
 *
 * @throws Superseded if another attempt has taken over the step.
 * @throws LimitReached if the user has too many sub-agents.
 */
export function commitStep(
  table: Table,
  at: SegmentInput,
  draft: Draft,
  result: StepResult,
): Promise<Committed | StepNotNeeded> {
  const commit = async (meta: Meta): Promise<Change<Committed | StepNotNeeded>> => {
    const claim = checkStep(meta, at);
    if (claim.kind !== 'ours') return { answer: claim };
    const { run } = claim;
    if (run.draft?.writer !== draft.writer) throw new Superseded('Another attempt of this step has taken over.');

    const { now } = result;
    const who = { user: meta.owner, conversationId: at.conversationId };
    const { rows: counted, ...allowed } = await allowStanding(table, who, result.decision, result.agent.tools, now);
    const decision: Decision = { ...result.decision, ...allowed };
    const decided = { ...result, decision };
    const morePending = meta.pending.length > 0;
    const question =
      decision.kind === 'ask' && !morePending ? questionOf(at, meta, wordsOrFiles(decision), now) : undefined;
    const { segmentStartedAt } = run;
    const next = route(at, decision, { morePending, question, segmentStartedAt, now });
    const noted = decision.note ? noteTo(meta, at, decision.note, now) : undefined;
    const shown = shownAfter(next, decision, question);
    const news = withNews(noted?.meta ?? meta, next, shown, decided);
    const stepped = standing({ ...news, run: runAfter(run, draft, next, decided) }, shown);
    return {
      meta: next.next === 'done' ? endAndStartQueued(stepped, now) : stepped,
      rows: [
        ...rowsOf(meta, draft, question, decided),
        ...counted,
        ...(noted ? [noted.row] : []),
        ...(await referencesOfReply(table, meta.owner, at.conversationId, filesOf(decision))),
        ...(await closePending(table, at.conversationId, run, 'answered', now)),
      ],
      answer: { kind: 'committed', next },
    };
  };
  return changeConversation(table, at.conversationId, commit);
}

/** A step after which the run only continues is no news in the list of conversations. */
function withNews(
  meta: Meta,
  { next }: LoopOutput,
  shown: RunStanding,
  { decision: { handOff, callbacks }, now }: StepResult,
): Meta {
  const isNews = next === 'done' || shown.status !== 'running' || handOff !== undefined;
  const changed = { ...meta, updatedAt: isNews ? now.toISOString() : meta.updatedAt, agent: handOff ?? meta.agent };
  return withTaker(changed, ...callbacks);
}

const runAfter = (
  run: StoredRun,
  { step }: Draft,
  next: LoopOutput,
  { agent, decision, usage, answeredBy }: StepResult,
): StoredRun => ({
  ...run,
  agent: decision.handOff ?? run.agent,
  step,
  next: NextState.parse(next),
  draft: undefined,
  delegations: (run.delegations ?? 0) + decision.children.length || undefined,
  cutOff: decision.cutOff ? (run.cutOff ?? 0) + 1 : undefined,
  unusable: decision.unusable && { times: (run.unusable?.times ?? 0) + 1, why: decision.unusable },
  outages: withoutOutage(run.outages, answeredBy?.maker),
  modelWait: undefined,
  misfits: decision.misfits,
  sources: decision.sources,
  resultText: next.next === 'done' && decision.result ? JSON.stringify(decision.result) : undefined,
  usage: addUsage(run.usage, { ...usage, toolCalls: decision.calls.length }),
  segmentEvents: run.segmentEvents + eventsOfStep(decision.calls, agent.tools),
});

function rowsOf(
  meta: Meta,
  draft: Draft,
  question: StoredCallback | undefined,
  { agent, decision, usage, answeredBy, reservation, now, atMost, traces }: StepResult,
): RowWrite[] {
  const { id: runId, segment, caller } = meta.run!;
  const trace = storedTrace(segment, caller);
  const at = { conversationId: meta.conversationId, runId, segment, caller };
  const callbacks = [...decision.callbacks, ...(question ? [question] : [])];
  return [
    messageRow(draft, decision, { agent, usage, answeredBy, now }),
    ...decision.calls.map(
      (call): RowWrite => ({
        sk: key.call(call.id),
        put: callRow({ ...call, replySeq: draft.seq, trace }),
        onlyIf: 'absent',
      }),
    ),
    ...callbacks.map((one) => putCallback(withListEntry(one))),
    ...callbacks.flatMap((one) => putReminder(meta.conversationId, meta.owner, one, now)),
    ...decision.children.flatMap((child) => {
      // Its callback has the id of its call.
      const context = contextOfCall(traces, at, { callId: child.callbackId, attempt: 1 });
      return childRows(meta, { ...child, caller: context }, agent.name, now, atMost);
    }),
    ...(reservation ? [spent(meta.owner, reservation, usage)] : []),
  ];
}

/** The final message. */
const messageRow = (
  { seq, writer }: Draft,
  {
    text,
    parts,
    covers,
    recalledFrom,
    byVigil,
    cutOff,
    opaque,
    sources,
    hosted,
    citations,
    hostedSources,
    guards,
    calls,
  }: Decision,
  { agent, usage, answeredBy, now }: Pick<StepResult, 'agent' | 'usage' | 'answeredBy' | 'now'>,
): RowWrite => ({
  sk: key.message(seq),
  set: {
    text,
    parts,
    status: 'complete',
    completedAt: now.toISOString(),
    usage,
    model: answeredBy?.model,
    agentVersion: answeredBy && agent.version,
    insteadOf: answeredBy?.insteadOf.length ? answeredBy.insteadOf : undefined,
    cutOff,
    covers,
    recalledFrom,
    guards,
    made: calls.length || undefined,
    // A reply is the agent's own. What the agent had read is in the transcript with its sources.
    sources: covers === undefined ? undefined : sources,
    hosted,
    citations,
    hostedSources,
    ...(opaque && { opaque: JSON.stringify(opaque) }),
    ...(byVigil && { role: 'system', author: 'vigil' }),
  },
  remove: ['writer', 'reserved', ...(hostedSources ? [] : ['hostedSources'])],
  onlyIf: { writer },
});

function shownAfter(next: LoopOutput, { calls }: Decision, question?: StoredCallback): RunStanding {
  if (question) return { status: 'waiting', until: undefined, waitsFor: 'you' };
  if (next.next === 'done') return { status: 'done', until: undefined };
  return next.next === 'again' ? { status: 'running', until: undefined } : statusWith(calls);
}

/** A question may be a picture alone. */
const wordsOrFiles = (decision: Decision): string => (decision.text.trim() ? decision.text : namesOfFiles(decision));

/** Turns a reply into a question to the user. Any message of theirs answers it. */
const questionOf = ({ runId, step }: SegmentInput, { owner }: Meta, prompt: string, now: Date): StoredCallback =>
  newCallback(
    {
      id: `${stepPrefix(runId, step)}question`,
      runId,
      kind: 'question',
      prompt: clip(prompt, { bytes: promptBytes }),
      decider: deciderOf('owner', owner),
      fallback: noAnswer,
      expiresInSeconds: questionSeconds,
    },
    now,
  );
