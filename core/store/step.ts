import type { Agent } from '../agent';
import type { Decision } from '../decide';
import { Superseded } from '../errors';
import type { LoopOutput, SegmentInput } from '../loop-state';
import { eventsOfStep, route, statusWith } from '../route';
import { addUsage, isOver, type Usage } from '../schemas';
import { questionOf } from './callback';
import { noteTo } from './note';
import { callRow, key, type Meta, type StoredRun } from './rows';
import { type Change, changeConversation, type Table, write } from './table';
import type { RowWrite } from './write';

/** The model call that this process makes: nobody else may write its message while `writer` stands in the run's draft. */
export interface Draft {
  seq: number;
  step: number;
  writer: string;
}

/** `stored`: the step was done before, this is its answer. `fenced`: the run has gone on without this execution, or is over. */
export type Unneeded = { kind: 'stored'; next: LoopOutput } | { kind: 'fenced' };

/** `meta` is the conversation as the step's beginning left it. */
export interface Begun {
  kind: 'begun';
  draft: Draft;
  meta: Meta;
}

/** More messages than this are taken up in turns: a transaction has at most 100 rows. */
const takenUpAtOnce = 80;

/** The run, if it is this segment's to move on; otherwise what to answer instead. `step` is the one to be made. */
export function claimOf(meta: Meta, at: SegmentInput): { kind: 'ours'; run: StoredRun } | Unneeded {
  const { run } = meta;
  if (run?.id !== at.runId || run.segment !== at.segment) return { kind: 'fenced' };
  if (run.step >= at.step && run.next) return { kind: 'stored', next: run.next };
  if (isOver(run.status) || run.status === 'cancelling') return { kind: 'fenced' };
  return { kind: 'ours', run };
}

/** Whether the user has said something since the run last took up a message. */
export const isUnheard = (meta: Meta, run: StoredRun): boolean => meta.lastUserSeq > run.heard.seq;

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
    const draft: Draft = { step: at.step, seq: left?.seq ?? meta.lastSeq + 1, writer };
    const takenUp = left ? [] : meta.pending.slice(0, takenUpAtOnce);
    const fresh = !left && isUnheard(meta, run);
    const heard = fresh ? { seq: meta.lastUserSeq, step: run.step } : run.heard;
    const place: RowWrite = left
      ? { sk: key.message(draft.seq), set: { text: '', status: 'streaming', writer }, onlyIf: { seq: draft.seq } }
      : { sk: key.message(draft.seq), put: emptyMessage(draft, at, agent, now), onlyIf: 'absent' };
    const begun: Meta = {
      ...meta,
      lastSeq: Math.max(meta.lastSeq, draft.seq),
      pending: meta.pending.slice(takenUp.length),
      outbox: undefined,
      status: 'running',
      until: undefined,
      run: { ...run, draft, heard, stop: undefined, status: 'running', until: undefined },
    };
    return {
      meta: begun,
      rows: [place, ...takenUp.map((seq) => complete(seq))],
      answer: { kind: 'begun', draft, meta: { ...begun, version: meta.version + 1 } },
    };
  };
  return changeConversation(table, at.conversationId, begin, known);
}

const complete = (seq: number): RowWrite => ({ sk: key.message(seq), set: { status: 'complete' }, onlyIf: { seq } });

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
}

/**
 * Stores the step: the message, its calls and where the run goes next, in one transaction. It ends the run only if no
 * message has arrived meanwhile; otherwise the loop goes on with that.
 */
export function commitStep(
  table: Table,
  at: SegmentInput,
  draft: Draft,
  { agent, decision, usage, now, known }: StepResult,
): Promise<Committed | Unneeded> {
  const commit = (meta: Meta): Change<Committed | Unneeded> => {
    const { text } = decision;
    const claim = claimOf(meta, at);
    if (claim.kind !== 'ours') return { answer: claim };
    const { run } = claim;
    if (run.draft?.writer !== draft.writer) throw new Superseded('Another attempt of this step has taken over.');

    const morePending = meta.pending.length > 0;
    const question = decision.kind === 'ask' && !morePending ? questionOf(at, text, now) : undefined;
    const next = route(at, decision, { morePending, segmentStartedAt: run.segmentStartedAt, callback: question?.ref });
    const shown = question
      ? { status: 'waiting' as const }
      : next.next === 'done'
        ? { status: 'done' as const }
        : next.next === 'again'
          ? { status: 'running' as const }
          : statusWith(decision.calls);
    const noted = decision.note ? noteTo(meta, at, decision.note, now) : undefined;
    return {
      meta: {
        ...(noted?.meta ?? meta),
        ...shown,
        until: shown.status === 'sleeping' ? shown.until : undefined,
        updatedAt: now.toISOString(),
        run: {
          ...run,
          ...shown,
          step: at.step,
          next,
          draft: undefined,
          usage: addUsage(run.usage, { ...usage, toolCalls: decision.calls.length }),
          segmentEvents: run.segmentEvents + eventsOfStep(decision.calls, agent.tools),
        },
      },
      rows: [
        {
          sk: key.message(draft.seq),
          set: { text, status: 'complete' },
          remove: ['writer'],
          onlyIf: { writer: draft.writer },
        },
        ...decision.calls.map((call): RowWrite => ({ sk: key.call(call.id), put: callRow(call), onlyIf: 'absent' })),
        ...(noted ? [noted.row] : []),
        ...(question ? [question.row] : []),
      ],
      answer: { kind: 'committed', next },
    };
  };
  return changeConversation(table, at.conversationId, commit, known);
}
