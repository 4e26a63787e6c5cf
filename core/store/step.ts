import type { Agent } from '../agent';
import { clip } from '../clip';
import type { Decision } from '../decide';
import { Superseded } from '../errors';
import { maxCallsPerReply } from '../judge';
import type { LoopOutput, SegmentInput } from '../loop-state';
import { eventsOfStep, route, statusWith } from '../route';
import { addUsage, type RunStatus, type Usage } from '../schemas';
import { stepPrefix } from './call';
import { newCallback, putCallback } from './callback';
import { claimOf, isUnheard, type Unneeded } from './claim';
import { childRows } from './conversation';
import { noteTo } from './note';
import { callRow, type Draft, key, type Meta, type StoredCallback } from './rows';
import { atRest } from './run';
import { type Change, changeConversation, type Table, write } from './table';
import type { RowWrite } from './write';

/** `meta` is the conversation as the step's beginning left it. */
export interface Begun {
  kind: 'begun';
  draft: Draft;
  meta: Meta;
}

/** More messages than this are taken up in turns: a transaction has at most 100 rows. */
const takenUpAtOnce = 80;

/**
 * Takes the place in the log for the step's message and takes up what was said before it. From here on the order is
 * fixed: a message that arrives during the model call comes after it.
 *
 * When an earlier attempt of the step died, its place is taken over and its half-written text removed.
 */
export function beginStep(
  table: Table,
  at: SegmentInput,
  { agent, writer, now, known }: { agent: Agent; writer: string; now: Date; known?: Meta },
): Promise<Begun | Unneeded> {
  const begin = (meta: Meta): Change<Begun | Unneeded> => {
    const claim = claimOf(meta, at);
    if (claim.kind !== 'ours') return { answer: claim };
    const { run } = claim;
    const left = run.draft?.step === at.step ? run.draft : undefined;
    const takenUp = left ? [] : takeUp(meta);
    const scheduled = left?.scheduled ?? meta.scheduled?.filter((seq) => takenUp.includes(seq));
    const draft: Draft = { step: at.step, seq: left?.seq ?? meta.lastSeq + 1, writer, scheduled };
    const fresh = !left && isUnheard(meta, run);
    const heard = fresh ? { seq: meta.lastUserSeq, step: run.step } : run.heard;
    const place: RowWrite = left
      ? { sk: key.message(draft.seq), set: { text: '', status: 'streaming', writer }, onlyIf: { seq: draft.seq } }
      : { sk: key.message(draft.seq), put: emptyMessage(draft, at, agent, now), onlyIf: 'absent' };
    const begun: Meta = {
      ...meta,
      lastSeq: Math.max(meta.lastSeq, draft.seq),
      pending: meta.pending.slice(takenUp.length),
      scheduled: meta.scheduled?.filter((seq) => !takenUp.includes(seq)),
      outbox: undefined,
      status: 'running',
      until: undefined,
      run: { ...run, draft, heard, stop: undefined, status: 'running', until: undefined },
    };
    return {
      meta: begun,
      rows: [place, ...takenUp.map((seq) => takenUpBy(seq, draft))],
      answer: { kind: 'begun', draft, meta: { ...begun, version: meta.version + 1 } },
    };
  };
  return changeConversation(table, at.conversationId, begin, known);
}

/** From the beginning, and no more scheduled calls than a step can make. */
function takeUp({ pending, scheduled = [] }: Meta): number[] {
  // Those that wait for the end of the run are scheduled, but not pending.
  const tooMany = pending.filter((seq) => scheduled.includes(seq))[maxCallsPerReply];
  const end = tooMany === undefined ? pending.length : pending.indexOf(tooMany);
  return pending.slice(0, Math.min(end, takenUpAtOnce));
}

const takenUpBy = (seq: number, draft: Draft): RowWrite => ({
  ...{ sk: key.message(seq), onlyIf: { seq } },
  set: { status: 'complete', heardAt: draft.seq },
});

const emptyMessage = ({ seq, writer, step }: Draft, { runId }: SegmentInput, agent: Agent, now: Date) => ({
  seq,
  version: 1,
  role: 'assistant',
  author: agent.name,
  text: '',
  status: 'streaming',
  runId,
  step,
  writer,
  createdAt: now.toISOString(),
});

/** Shows the words that are there so far. @returns false once somebody else has taken the step over: stop then. */
export const flushText = (table: Table, at: SegmentInput, { seq, writer }: Draft, text: string): Promise<boolean> =>
  write(table, at.conversationId, [{ sk: key.message(seq), set: { text }, onlyIf: { writer } }]);

interface Committed {
  kind: 'committed';
  next: LoopOutput;
}

interface StepResult {
  agent: Agent;
  decision: Decision;
  usage: Usage;
  now: Date;
  /** The conversation as the step's beginning left it. */
  known?: Meta;
  /** Other rows to write with the step, for example what the user has spent. */
  rows?: RowWrite[];
}

/** How long a question of an agent that ends by its phrase waits for the answer. */
const questionSeconds = 30 * 86_400;
/** The whole question is the message. */
const promptBytes = 100_000;
const noAnswer = 'No answer to your question came in time.';

/**
 * Stores the step: the message, its calls and where the run goes next, in one transaction. It ends the run only if no
 * message has arrived meanwhile; otherwise the loop goes on with that.
 */
export function commitStep(
  table: Table,
  at: SegmentInput,
  draft: Draft,
  { agent, decision, usage, now, known, rows = [] }: StepResult,
): Promise<Committed | Unneeded> {
  const commit = (meta: Meta): Change<Committed | Unneeded> => {
    const { text } = decision;
    const claim = claimOf(meta, at);
    if (claim.kind !== 'ours') return { answer: claim };
    const { run } = claim;
    if (run.draft?.writer !== draft.writer) throw new Superseded('Another attempt of this step has taken over.');

    const morePending = meta.pending.length > 0;
    const question = decision.kind === 'ask' && !morePending ? questionOf(at, meta, text, now) : undefined;
    const { segmentStartedAt } = run;
    const next = route(at, decision, { morePending, question, segmentStartedAt, now });
    const shown = shownAfter(next, decision, question);
    const noted = decision.note ? noteTo(meta, at, decision.note, now) : undefined;
    const stepped: Meta = {
      ...(noted?.meta ?? meta),
      ...shown,
      agent: decision.handOff ?? meta.agent,
      updatedAt: now.toISOString(),
      run: {
        ...run,
        ...shown,
        agent: decision.handOff ?? run.agent,
        step: at.step,
        next,
        draft: undefined,
        usage: addUsage(run.usage, { ...usage, toolCalls: decision.calls.length }),
        segmentEvents: run.segmentEvents + eventsOfStep(decision.calls, agent.tools),
      },
    };
    return {
      meta: next.next === 'done' ? atRest(stepped, now) : stepped,
      rows: [
        {
          sk: key.message(draft.seq),
          set: {
            text,
            status: 'complete',
            completedAt: now.toISOString(),
            usage,
            ...(decision.covers !== undefined && summaryFields(decision.covers)),
          },
          remove: ['writer'],
          onlyIf: { writer: draft.writer },
        },
        ...decision.calls.map((call): RowWrite => ({ sk: key.call(call.id), put: callRow(call), onlyIf: 'absent' })),
        ...[...decision.callbacks, ...(question ? [question] : [])].map(putCallback),
        ...decision.children.flatMap((child) => childRows(meta, child, agent.name, now)),
        ...(noted ? [noted.row] : []),
        ...rows,
      ],
      answer: { kind: 'committed', next },
    };
  };
  return changeConversation(table, at.conversationId, commit, known);
}

/** A summary is Vigil's own word, not the agent's. */
const summaryFields = (covers: number) => ({ covers, role: 'system', author: 'vigil' });

/** The run as people see it once the step is stored. */
function shownAfter(
  next: LoopOutput,
  { calls }: Decision,
  question?: StoredCallback,
): Pick<Meta, 'until' | 'waitsFor'> & { status: RunStatus } {
  if (question) return { status: 'waiting', until: undefined, waitsFor: 'you' };
  if (next.next === 'done') return { status: 'done', until: undefined };
  return next.next === 'again' ? { status: 'running', until: undefined } : statusWith(calls);
}

/** A text that is a question to the user: any message of theirs answers it. */
const questionOf = ({ runId, step }: SegmentInput, { owner }: Meta, prompt: string, now: Date): StoredCallback =>
  newCallback(
    {
      ...{ id: `${stepPrefix(runId, step)}question`, runId, kind: 'question', prompt: clip(prompt, promptBytes) },
      ...{ mayAnswer: owner, fallback: noAnswer, expiresInSeconds: questionSeconds },
    },
    now,
  );
