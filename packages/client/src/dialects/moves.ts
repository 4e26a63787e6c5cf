import type { Call, Callback, FilePart, Message } from '../api-types';
import { asksFor } from '../decisions/asks-for';
import { isOfferedTo, type Reader } from '../decisions/deciders';
import type { ConversationHead } from '../live/protocol';
import { isSettled } from '../status';
import { filesIn } from './files';
import { stopOf } from './pace';
import { digest, type Place, type Told } from './position';

/** The material of a stream: the messages after a place, and the calls and callbacks of their steps and of calls that are open. */
export interface Seen {
  head: ConversationHead;
  messages: readonly Message[];
  calls: readonly Call[];
  callbacks: readonly Callback[];
  /** Who reads it: an approval or a question that only others can decide is not offered. By default, all are. */
  reader?: Reader;
}

/** One thing that has happened since a place. A dialect says it in its own events. */
export type Move =
  /** An agent begins to reply, with words or calls. */
  | { kind: 'step'; message: Message }
  /** A reply, with its text after what has been told. */
  | { kind: 'text'; message: Message; begins: boolean; delta: string; ended: boolean }
  /** The text that was told was replaced: the model is asked again. A `text` that begins follows. */
  | { kind: 'replaced'; message: Message }
  /** The pages that a reply cites or, if it cites none, that its provider's tools have found. */
  | { kind: 'sources'; message: Message; pages: Page[] }
  /** The files of a reply, which come with its end. */
  | { kind: 'files'; message: Message; files: FilePart[] }
  /** A message that is no reply: from a person, a timer, an outside system, or Vigil. */
  | { kind: 'said'; message: Message }
  /** A call is made. `question`: it waits for a person's answer. */
  | { kind: 'call'; call: Call; reply: Message; question?: Callback }
  | { kind: 'asked'; call: Call; approval: Callback }
  | { kind: 'decided'; call: Call; approval: Callback; decision: Decision }
  | { kind: 'settled'; call: Call; denied: boolean }
  /** The run that rested goes on. */
  | { kind: 'goes-on'; head: ConversationHead }
  /** Nothing happens before somebody does something, or before the time that the head names. */
  | { kind: 'rest'; head: ConversationHead; open: Callback[] };

/** A page of the web. */
interface Page {
  url: string;
  title: string;
}

interface Decision {
  approved: boolean;
  reason?: string;
  arguments?: unknown;
}

/**
 * Returns what has happened since a place, and the place after it. It is pure: the same rows give the same moves, in one part
 * or in many. Messages come in the order of the log, so what follows a reply waits until that is complete.
 */
export function movesSince(place: Place, seen: Seen, now: Date): { moves: Move[]; place: Place } {
  const stop = stopOf(seen.head, seen.callbacks, now);
  const moves: Move[] = place.rest !== undefined && !stop ? [{ kind: 'goes-on', head: seen.head }] : [];
  const open: Record<string, Told> = {};
  const isOffered = (one: Callback) => !seen.reader || isOfferedTo(one, seen.reader, now.getTime());
  const tell = (call: Call, told: Told) => {
    const after = toldOf(moves, call, told, { approval: approvalOf(call, seen.callbacks), isOffered });
    if (after) open[call.id] = after;
  };
  for (const [id, told] of Object.entries(place.calls)) {
    const call = seen.calls.find((one) => one.id === id);
    if (call) tell(call, told);
    else open[id] = told;
  }

  let { seq, part } = place;
  for (const message of seen.messages) {
    if (message.seq <= seq) continue;
    const isWritten = isReply(message) && isBeingWritten(message, seen);
    if (!isReply(message)) moves.push({ kind: 'said', message });
    else {
      const calls = callsOf(message, seen.calls);
      const files = filesIn(message.parts);
      if (!part && (message.text.trim() !== '' || (calls.length + files.length > 0 && !isWritten)))
        moves.push({ kind: 'step', message });
      part = toldText(moves, message, part, !isWritten);
      if (isWritten) break;
      if (files.length > 0) moves.push({ kind: 'files', message, files });
      const pages = pagesOf(message);
      if (pages.length > 0) moves.push({ kind: 'sources', message, pages });
      for (const call of calls) {
        moves.push({
          kind: 'call',
          call,
          reply: message,
          question: questionOf(call, seen.callbacks.filter(isOffered)),
        });
        tell(call, 'made');
      }
    }
    seq = message.seq;
    part = undefined;
  }

  if (stop) moves.push({ kind: 'rest', head: seen.head, open: stop.open.filter(isOffered) });
  const rest = stop ? { rest: stop.name } : {};
  return { moves, place: { from: place.from, seq, ...(part && { part }), calls: open, ...rest } };
}

const pagesOf = ({ citations, hosted = [] }: Message): Page[] => {
  const all = citations ?? hosted.flatMap(({ sources }) => sources);
  const pages = new Map(all.flatMap(({ url, title }) => (url ? [[url, { url, title }] as const] : [])));
  return [...pages.values()];
};

/** Tells what is new in a reply. Returns how far it has been told, unless nothing has. */
function toldText(moves: Move[], message: Message, part: Place['part'], ended: boolean): Place['part'] {
  const { text } = message;
  const isKept = part !== undefined && digest(text.slice(0, part.chars)) === part.digest && text.length >= part.chars;
  if (part && !isKept) moves.push({ kind: 'replaced', message });
  // A reply that only makes calls has no text.
  if (!isKept && text.trim() === '') return part && { chars: 0, digest: digest('') };
  const delta = isKept ? text.slice(part.chars) : text;
  const wasEmpty = part?.chars === 0;
  if (isKept && wasEmpty && delta === '') return part;
  if (delta !== '' || ended) moves.push({ kind: 'text', message, begins: !isKept || wasEmpty, delta, ended });
  return { chars: text.length, digest: digest(text) };
}

/** Tells what has become of a call. Returns how far it has been told, unless it has its outcome. */
function toldOf(
  moves: Move[],
  call: Call,
  before: Told,
  { approval, isOffered }: { approval: Callback | undefined; isOffered: (callback: Callback) => boolean },
): Told | undefined {
  let told = before;
  const isAsked = approval && approval.status !== 'cancelled';
  if (told === 'made' && isAsked && (approval.status === 'answered' || isOffered(approval))) {
    moves.push({ kind: 'asked', call, approval });
    told = 'asked';
  }
  const decision = approval?.status === 'answered' ? (approval.outcome as Decision) : undefined;
  if (told === 'asked' && approval && decision) {
    moves.push({ kind: 'decided', call, approval, decision });
    told = 'decided';
  }
  if (!isSettled(call.status)) return told;
  moves.push({ kind: 'settled', call, denied: call.status === 'failed' && decision?.approved === false });
  return undefined;
}

/** An agent's own words, as opposed to what a tool posts, a note or a summary. */
export const isReply = ({ role, callId, covers }: Message): boolean =>
  role === 'assistant' && callId === undefined && covers === undefined;

/** A message of a person that begins a turn. An answer to a question belongs to its call. */
export const beginsTurn = ({ role, callId }: Message): boolean => role === 'user' && callId === undefined;

/** Whether the text may still change. One that failed is written again by a retry of its run, until something else has followed. */
function isBeingWritten({ seq, status, runId }: Message, { head: { run }, messages }: Seen): boolean {
  if (status === 'complete' || status === 'cancelled') return false;
  if (run?.id !== runId || run?.status === 'done' || run?.status === 'cancelled') return false;
  return !messages.some((later) => later.seq > seq && isReply(later));
}

const callsOf = ({ runId, step }: Message, calls: readonly Call[]): Call[] =>
  calls.filter((call) => call.runId === runId && call.step === step).toSorted((a, b) => a.index - b.index);

const approvalOf = (call: Call, callbacks: readonly Callback[]) =>
  callbacks.findLast(({ callId, kind }) => asksFor(kind, 'decision') && callId === call.id);

const questionOf = (call: Call, callbacks: readonly Callback[]) =>
  callbacks.find(({ callId, kind }) => asksFor(kind, 'answer') && callId === call.id);

/** Returns why a call has no result to show. */
export const errorOf = ({ status, error }: Call): string => error ?? `The call is ${status}.`;
