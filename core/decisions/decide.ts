import { createHash } from 'node:crypto';
import type { Agent } from '../agent/agent';
import type { Reply } from '../agent/model';
import { correctionNote, typedAnswer } from '../agent/typed-answer';
import { callIdOf } from '../calls/call';
import type { Opaque } from '../state/items';
import { isSettled } from '../state/schemas';
import type { StoredCall, StoredCallback } from '../store/rows';
import { clip } from '../text/clip';
import { type Child, type Judged, judge } from './judge';

/** What a reply means for the run. */
export interface Decision {
  /** What the message says: the reply's text, cut only where it would fit no row. */
  text: string;
  /**
   * `done`: the run has its answer. `ask`: the text is a question to the user. `call`: the calls that are open are to be made.
   * `again`: the model is to be called again at once, because every call is settled already or the reply said nothing.
   */
  kind: 'done' | 'ask' | 'call' | 'again';
  calls: StoredCall[];
  /** What calls wait on before they run: a question, an approval. */
  callbacks: StoredCallback[];
  /** The text is a summary of the messages up to this one. */
  covers?: number;
  /** The text is Vigil's own word, not the agent's. */
  byVigil?: boolean;
  /** The agent that has the conversation from the next step on. */
  handOff?: string;
  /** Tasks for other agents. */
  children: Child[];
  /** What its maker wants back with the text. */
  opaque?: Opaque;
  /** See `Reply.cutOff`. */
  cutOff?: string;
  /** Of an agent with `output`: what the run ends with. */
  result?: object;
  /** How many answers in a row did not fit, with this one. */
  misfits?: number;
  /** A note for the model, when it has to be told something that is no call's result. */
  note?: string;
}

/** A message and a call have a row each: a row has 400 KB at most, and all rows of a step 4 MB and 100 rows together. */
const maxTextBytes = 300_000;
const maxCallsKept = 40;
/** Of one row, beside its text; and of all rows of a step. */
const maxOpaqueBytes = 90_000;
const maxOpaqueBytesOfStep = 600_000;

/**
 * Decides what follows from a model's reply. Pure: the same reply decides the same.
 *
 * What the model got wrong (unknown tool, unreadable or invalid arguments) becomes a failed call whose error it reads next.
 *
 * @param at.refused what the agent's review refuses, by the call's place: its error is the reason.
 * @param at.knownIds ids of the transcript's tool calls so far: some servers number theirs anew in each reply, others send
 *   ids that no other server takes. Those are replaced.
 */
export function decide(
  agent: Agent,
  reply: Reply,
  at: {
    runId: string;
    step: number;
    user: string;
    now: Date;
    knownIds: ReadonlySet<string>;
    refused?: ReadonlyMap<number, string>;
    depth?: number;
    /** Who can read what the reply holds for itself alone. */
    maker?: string;
    /** How many answers in a row did not fit the agent's output. */
    misfits?: number;
  },
): Decision {
  const toolCalls = reply.toolCalls.slice(0, maxCallsKept);
  const keepsOpaque = fits([reply.opaque, ...toolCalls.map((asked) => asked.opaque)]);
  const opaqueOf = (data: unknown) => (keepsOpaque && data && at.maker ? { opaque: { maker: at.maker, data } } : {});
  const clipped = clip(reply.text, maxTextBytes);
  const text = clipped === reply.text ? clipped : `${clipped}… [cut here: the reply was too long to keep]`;
  const ends = agent.end && text.includes(agent.end.phrase);
  const judged = toolCalls.map((asked, index) => {
    const first = toolCalls.findIndex(({ id }) => id === asked.id) === index;
    const usable = first && /^[\w-]{1,40}$/.test(asked.id) && !at.knownIds.has(asked.id);
    const modelCallId = usable ? asked.id : ownCallId(callIdOf(at.runId, at.step, index));
    return judge(agent, asked, { ...at, index, modelCallId });
  });
  const handOff = judged.find((one) => one.handOff)?.handOff;
  const calls = oneHandOff(judged).map(({ call }, index) => ({ ...call, ...opaqueOf(toolCalls[index]!.opaque) }));
  const said = { text, ...opaqueOf(reply.opaque) };
  if (reply.cutOff) return cutOff(said, calls, reply.cutOff);
  if (ends) {
    const error = `Not done: the reply said "${agent.end!.phrase}", which ends the work.`;
    const undone = calls.map((call) => ({ ...call, status: 'cancelled' as const, error }));
    return { ...said, kind: 'done', calls: undone, callbacks: [], children: [] };
  }
  const callbacks = judged.flatMap(({ callback }) => callback ?? []);
  const children = judged.flatMap(({ child }) => child ?? []);
  const decided = { ...said, calls, callbacks, children };
  if (calls.length > 0)
    return { ...decided, kind: calls.every(({ status }) => isSettled(status)) ? 'again' : 'call', handOff };
  const note = 'Your last reply was empty. Answer the user, or call a tool.';
  if (!text.trim()) return { ...decided, kind: 'again', note };
  if (agent.output) {
    const answer = typedAnswer(agent.output, reply.text);
    if ('result' in answer) return { ...decided, kind: 'done', result: answer.result };
    const misfits = (at.misfits ?? 0) + 1;
    return { ...decided, kind: 'again', note: correctionNote(answer.problem, misfits), misfits };
  }
  return { ...decided, kind: agent.end ? 'ask' : 'done' };
}

/** Half an answer is none, and a call that came before the cut may not be all that was to be done: the model goes on first. */
function cutOff(said: Pick<Decision, 'text' | 'opaque'>, calls: StoredCall[], reason: string): Decision {
  const error = 'Not done: your reply was cut off before its end. Ask for it again, and say less in the same reply.';
  const failed = calls.map((call) => ({
    ...call,
    status: 'failed' as const,
    error,
    result: undefined,
    until: undefined,
    callbackId: undefined,
    completedAt: call.createdAt,
  }));
  const note = 'Your last reply was cut off for its length. Go on from where it ends, and be brief.';
  return { ...said, kind: 'again', calls: failed, callbacks: [], children: [], note, cutOff: reason };
}

/** Left out as a whole where it is too long to keep: a provider takes all of a step's thoughts, or none. */
function fits(opaques: unknown[]): boolean {
  const sizes = opaques.map((opaque) => (opaque === undefined ? 0 : Buffer.byteLength(JSON.stringify(opaque))));
  return sizes.every((size) => size <= maxOpaqueBytes) && sizes.reduce((a, b) => a + b, 0) <= maxOpaqueBytesOfStep;
}

/** The first hand-off of a reply counts; the others are told so. */
function oneHandOff(judged: Judged[]): Judged[] {
  const first = judged.find(({ handOff }) => handOff);
  const error = 'Not done: a reply can hand over once, and the first one counts.';
  return judged.map((one) =>
    one.handOff && one !== first ? { call: { ...one.call, status: 'failed', result: undefined, error } } : one,
  );
}

/** Of 29 characters that every server takes: at most 40, letters, digits, - and _. */
const ownCallId = (callId: string): string => `call_${createHash('sha256').update(callId).digest('hex').slice(0, 24)}`;
