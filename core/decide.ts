import { createHash } from 'node:crypto';
import type { Agent } from './agent';
import { clip } from './clip';
import { type Asked, type Child, type Judged, judge } from './judge';
import { isSettled } from './schemas';
import { callIdOf } from './store/call';
import type { StoredCall, StoredCallback } from './store/rows';

/** A model's reply, put together from its stream. */
export interface Reply {
  text: string;
  toolCalls: Asked[];
}

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
  /** The agent that has the conversation from the next step on. */
  handOff?: string;
  /** Tasks for other agents. */
  children: Child[];
  /** A note for the model, when it has to be told something that is no call's result. */
  note?: string;
}

/** A message and a call have a row each: a row has 400 KB at most, and all rows of a step 4 MB and 100 rows together. */
const maxTextBytes = 300_000;
const maxCallsKept = 40;

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
  },
): Decision {
  const toolCalls = reply.toolCalls.slice(0, maxCallsKept);
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
  const calls = oneHandOff(judged).map(({ call }) => call);
  if (ends) {
    const error = `Not done: the reply said "${agent.end!.phrase}", which ends the work.`;
    const undone = calls.map((call) => ({ ...call, status: 'cancelled' as const, error }));
    return { kind: 'done', text, calls: undone, callbacks: [], children: [] };
  }
  const callbacks = judged.flatMap(({ callback }) => callback ?? []);
  const children = judged.flatMap(({ child }) => child ?? []);
  const decided = { text, calls, callbacks, children };
  if (calls.length > 0)
    return { ...decided, kind: calls.every(({ status }) => isSettled(status)) ? 'again' : 'call', handOff };
  const note = 'Your last reply was empty. Answer the user, or call a tool.';
  if (!text.trim()) return { ...decided, kind: 'again', note };
  return { ...decided, kind: agent.end ? 'ask' : 'done' };
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
