// core/conversations/decisions: pure decisions: what a reply means, what the model reads, where a run goes next.

import { createHash } from 'node:crypto';
import { asksFor } from 'vigil-client/shared';
import type { Opaque } from '../../base/content/items';
import type { Part } from '../../base/content/parts';
import { type HostedUse, joined, type Reference, type Source } from '../../base/content/sources';
import { sourcesOfUses } from '../../base/models/hosted';
import type { GuardVerdict } from '../../base/schemas/guard-verdict';
import { isSettled } from '../../base/state/schemas';
import { clip } from '../../base/text/clip';
import type { Agent } from '../agent/agent';
import type { KeptFiles, Reply } from '../agent/model';
import { correctionNote, typedAnswer } from '../agent/typed-answer';
import { callIdOf } from '../calls/call';
import type { StoredCall, StoredCallback } from '../rows/rows';
import { type Child, type Judged, judge, type Place } from './judge';
import { nothingRead, withCallsBefore } from './provenance';

/** The consequences of a reply. */
export interface Decision {
  /** The reply's text, cut if it is too long for a row, with notes about files that could not be kept. */
  text: string;
  /** The text and the files, if it has any. */
  parts?: Part[];
  /**
   * - `done`: the run has its answer.
   * - `ask`: the text is a question to the user.
   * - `call`: the open calls run next.
   * - `again`: the model is called again at once, for example because every call is settled or the reply was empty.
   */
  kind: 'done' | 'ask' | 'call' | 'again';
  calls: StoredCall[];
  /** The callbacks that the calls wait for: questions, approvals, other agents. */
  callbacks: StoredCallback[];
  /** The text is a summary of the messages up to this one. */
  covers?: number;
  /** For a summary: as in `StoredMessage`. */
  recalledFrom?: number | null;
  /** The text is from Vigil, not from the agent. */
  byVigil?: boolean;
  /** The agent that takes over from the next step on. */
  handOff?: string;
  /** Tasks for other agents. */
  children: Child[];
  /** The model maker's own data, which it needs back with the text. */
  opaque?: Opaque;
  /** See `Reply.cutOff`. */
  cutOff?: string;
  /** The reason why the reply could not be used: nothing of it was said or done. */
  unusable?: 'empty' | 'unreadable';
  /** The run's typed answer, if the agent has `output`. */
  result?: object;
  /** The number of typed answers in a row that did not fit, including this one. */
  misfits?: number;
  /** A note for the model that is not a call's result. */
  note?: string;
  /** The outside sources that the model had read. For a summary, those of what it covers. */
  sources?: Source[];
  /** What the provider's tools did for the reply, what its text cites, and the outside sources of both. */
  hosted?: HostedUse[];
  citations?: Reference[];
  hostedSources?: Source[];
  /** What guards have decided about the text. */
  guards?: GuardVerdict[];
}

/** Limits of DynamoDB: 400 KB for a message's or a call's row; 4 MB and 100 rows for a step's transaction. */
const maxTextBytes = 300_000;
export const maxCallsKept = 40;
/** The maker's data in one row, next to its text, and in all rows of a step. */
const maxOpaqueBytes = 90_000;
const maxOpaqueBytesOfStep = 600_000;

/** The step of the reply, and what decides besides the reply. */
interface ReplyPlace extends Omit<Place, 'index' | 'modelCallId'> {
  /** The ids of earlier tool calls. */
  knownIds: ReadonlySet<string>;
  /** The maker of the model, which alone can read its opaque data. */
  maker?: string;
  /** The number of answers in a row that did not fit the agent's `output`. */
  misfits?: number;
  /** What has become of its files. */
  kept?: KeptFiles;
}

/**
 * Decides what follows from a model's reply. The function is pure.
 *
 * A mistake of the model (unknown tool, unreadable or invalid arguments) becomes a failed call, whose error it reads next.
 */
export function decide(agent: Agent, reply: Reply, at: ReplyPlace): Decision {
  const { files = [] } = at.kept ?? {};
  // The row of each file is in the step's transaction as well.
  const toolCalls = reply.toolCalls.slice(0, maxCallsKept - files.length);
  const keepsOpaque = fits([reply.opaque, ...toolCalls.map(({ opaque }) => opaque)]);
  const opaqueOf = (data: unknown) => (keepsOpaque && data && at.maker ? { opaque: { maker: at.maker, data } } : {});
  const { hosted, citations } = reply;
  const hostedSources = sourcesOfUses(agent.hosted, hosted);
  // Its own tools' calls come after what the provider's tools have brought.
  const read = hostedSources
    ? { ...(at.read ?? nothingRead), sources: joined(at.read?.sources, hostedSources) }
    : at.read;
  const { text, parts } = wordsOf(reply, at.kept, read?.sources);
  const judged = personAlone(judgeAll(agent, toolCalls, { ...at, read }));
  const handOff = judged.find((one) => one.handOff)?.handOff;
  const calls = oneHandOff(judged).map(({ call }, index) => ({ ...call, ...opaqueOf(toolCalls[index]!.opaque) }));
  const said = { text, parts, sources: read?.sources, hosted, citations, hostedSources, ...opaqueOf(reply.opaque) };
  if (reply.cutOff) return cutOff(said, calls, reply.cutOff);
  if (agent.end && text.includes(agent.end.phrase)) {
    const error = `Not done: the reply said "${agent.end.phrase}", which ends the work.`;
    const cancelled = calls.map((call) => ({ ...call, status: 'cancelled' as const, error }));
    return { ...said, kind: 'done', calls: cancelled, callbacks: [], children: [] };
  }
  const callbacks = judged.flatMap(({ callback }) => callback ?? []);
  const children = judged.flatMap(({ child }) => child ?? []);
  const decided = { ...said, calls, callbacks, children };
  if (calls.length > 0) {
    const unusable = calls.every(isUnreadable) ? 'unreadable' : undefined;
    return { ...decided, kind: calls.every(({ status }) => isSettled(status)) ? 'again' : 'call', handOff, unusable };
  }
  const note = 'Your last reply was empty. Answer the user, or call a tool.';
  if (!text.trim() && !parts) return { ...decided, kind: 'again', note, unusable: 'empty' };
  if (!agent.output) return { ...decided, kind: agent.end ? 'ask' : 'done' };
  const answer = typedAnswer(agent.output, reply.text);
  if ('result' in answer) return { ...decided, kind: 'done', result: answer.result };
  const misfits = (at.misfits ?? 0) + 1;
  return { ...decided, kind: 'again', note: correctionNote(answer.problem, misfits), misfits };
}

/** Returns the words with the notes about files, cut to what a row takes beside the reply's other data; and the parts, if it has files. */
function wordsOf({ text: said, hosted, citations }: Reply, kept: KeptFiles | undefined, sources?: Source[]) {
  // Whatever the model had read may be in a file that it has made.
  const made = (kept?.files ?? []).map((file) => ({ ...file, ...(sources && { sources }) }));
  const others = [...(hosted || citations ? [[hosted, citations]] : []), ...(made.length > 0 ? [made] : [])];
  const bytes = others.reduce((left, one) => left - Buffer.byteLength(JSON.stringify(one)), maxTextBytes);
  // With files, the row has the words twice: also as a part.
  const room = { bytes: made.length > 0 ? bytes / 2 : bytes };
  const words = [...(said.trim() ? [said] : []), ...(kept?.notes ?? [])].join('\n\n');
  const text = clip(words, room, '… [cut here: the reply was too long to keep]');
  if (made.length === 0) return { text };
  const parts: Part[] = [...(text ? [{ type: 'text' as const, text }] : []), ...made];
  return { text, parts };
}

/** Repeated ids of calls are replaced, because some servers number calls per reply; so are ids that other servers reject. */
function judgeAll(agent: Agent, toolCalls: Reply['toolCalls'], at: ReplyPlace): Judged[] {
  return toolCalls.map((asked, index) => {
    const first = toolCalls.findIndex(({ id }) => id === asked.id) === index;
    const usable = first && /^[\w-]{1,40}$/.test(asked.id) && !at.knownIds.has(asked.id);
    const modelCallId = usable ? asked.id : ownCallId(callIdOf(at.runId, at.step, index));
    const read = at.read && withCallsBefore(at.read, toolCalls.slice(0, index));
    return judge(agent, asked, { ...at, read, index, modelCallId });
  });
}

type Said = Pick<Decision, 'text' | 'parts' | 'opaque' | 'sources' | 'hosted' | 'citations' | 'hostedSources'>;

/** Fails the calls of a cut-off reply, because more may have been intended, and asks the model to continue. */
function cutOff(said: Said, calls: StoredCall[], reason: string): Decision {
  const error = 'Not done: your reply was cut off. Make the call again in a shorter reply.';
  const failed = calls.map((call) => failedCall(call, error));
  const note = 'Your last reply was cut off because it was too long. Continue where it ended, and be brief.';
  return { ...said, kind: 'again', calls: failed, callbacks: [], children: [], note, cutOff: reason };
}

/** Whether the arguments of a call were not JSON of an object. */
const isUnreadable = ({ kind, arguments: args }: StoredCall): boolean =>
  kind === undefined && Object.hasOwn(args as object, 'unreadable');

/** Whether the maker's data fits. It is kept as a whole or not at all, because a provider needs all of a step's reasoning. */
function fits(opaques: unknown[]): boolean {
  const sizes = opaques.map((opaque) => (opaque === undefined ? 0 : Buffer.byteLength(JSON.stringify(opaque))));
  return sizes.every((size) => size <= maxOpaqueBytes) && sizes.reduce((a, b) => a + b, 0) <= maxOpaqueBytesOfStep;
}

/** Keeps the first hand-off of a reply and fails the others. */
function oneHandOff(judged: Judged[]): Judged[] {
  const first = judged.find(({ handOff }) => handOff);
  const error = 'Not done: a reply can make only one hand-off, and the first one counts.';
  return judged.map((one) => (one.handOff && one !== first ? { call: failedCall(one.call, error) } : one));
}

/** A hand-off to a person is made alone: while the person talks to the user, nothing else is done, and nothing else can wait. */
function personAlone(judged: Judged[]): Judged[] {
  const first = judged.find(({ callback }) => asksFor(callback?.kind, 'take-over'));
  if (!first) return judged;
  const error = 'Not done: the conversation was handed over to a person in the same reply. Make the call afterwards.';
  return judged.map((one) =>
    one === first || one.call.status === 'failed' ? one : { call: failedCall(one.call, error) },
  );
}

/** Returns a call as one that was not begun, whatever it was to do. */
const failedCall = (call: StoredCall, error: string): StoredCall => ({
  ...call,
  status: 'failed',
  error,
  completedAt: call.createdAt,
  result: undefined,
  until: undefined,
  callbackId: undefined,
});

/** Returns an id of 29 characters. Every server accepts up to 40 letters, digits, - and _. */
const ownCallId = (callId: string): string => `call_${createHash('sha256').update(callId).digest('hex').slice(0, 24)}`;
