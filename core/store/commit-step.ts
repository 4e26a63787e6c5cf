import type { Agent } from '../agent';
import { clip } from '../clip';
import type { Decision } from '../decide';
import { Superseded } from '../errors';
import type { LoopOutput, SegmentInput } from '../loop-state';
import { eventsOfStep, route, statusWith } from '../route';
import { addUsage, type RunStatus, type Usage } from '../schemas';
import { stepPrefix } from './call';
import { newCallback, putCallback } from './callback';
import { claimOf, type Unneeded } from './claim';
import { childRows } from './conversation';
import { noteTo } from './note';
import { callRow, type Draft, key, type Meta, type StoredCallback } from './rows';
import { atRest } from './run';
import { type Change, changeConversation, type Table } from './table';
import type { RowWrite } from './write';

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
    const claim = claimOf(meta, at);
    if (claim.kind !== 'ours') return { answer: claim };
    const { run } = claim;
    if (run.draft?.writer !== draft.writer) throw new Superseded('Another attempt of this step has taken over.');

    const morePending = meta.pending.length > 0;
    const question = decision.kind === 'ask' && !morePending ? questionOf(at, meta, decision.text, now) : undefined;
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
        messageRow(draft, decision, usage, now),
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

/** The message as it stays. A summary is Vigil's own word, not the agent's. */
const messageRow = ({ seq, writer }: Draft, { text, covers }: Decision, usage: Usage, now: Date): RowWrite => ({
  sk: key.message(seq),
  set: {
    ...{ text, status: 'complete', completedAt: now.toISOString(), usage },
    ...(covers !== undefined && { covers, role: 'system', author: 'vigil' }),
  },
  remove: ['writer'],
  onlyIf: { writer },
});

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
