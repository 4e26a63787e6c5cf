import type { Callback, Conversation, Message } from 'vigil-client';
import { asksFor, type Call } from 'vigil-client/shared';
import type { Unsent } from '../kept/unsent';
import { type CallState, callState, handedTo } from './call-state';

/** A call with its callback and its state. */
export interface CallCard {
  call: Call;
  callback?: Callback;
  state: CallState;
  /** Of a hand-over to a person: the message with which they have given the conversation back. */
  note?: Message;
}

/** An item in the middle of the page. Its key stays the same for as long as it is shown. */
export type Item =
  | { kind: 'said'; key: string; message: Message }
  | { kind: 'unsent'; key: string; unsent: Unsent }
  /** Precedes messages and calls of another agent than the item before. */
  | { kind: 'speaker'; key: string; author: string; at: string }
  | { kind: 'answer'; key: string; message: Message }
  | { kind: 'call'; key: string; card: CallCard }
  | { kind: 'hand-off'; key: string; card: CallCard; to: string }
  | { kind: 'delivered'; key: string; message: Message }
  | { kind: 'note'; key: string; message: Message }
  | { kind: 'summary'; key: string; message: Message };

export type Shown = Pick<Conversation, 'messages' | 'calls' | 'callbacks'> & Partial<Pick<Conversation, 'timers'>>;

/**
 * Returns the messages in the order of the log, each step's calls after its message, and unsent messages at the end. A
 * message that was sent from here keeps its key when its row arrives, so it stays the same element.
 */
export function transcript({ messages, calls, callbacks, timers = [] }: Shown, unsent: readonly Unsent[]): Item[] {
  const notes = new Map(
    messages.flatMap((one) => {
      const of = one.callId ?? one.about;
      return one.role === 'user' && of ? [[of, one]] : [];
    }),
  );
  const cards = cardsByStep({ calls, callbacks, timers }, notes);
  const items: Item[] = [];
  let speaker: string | undefined;
  for (const message of messages) {
    const step = asksForCalls(message) ? stepOf(message) : '';
    const asked = cards.get(step)?.map(callItem) ?? [];
    cards.delete(step);
    const own = itemOf(message);
    const shown = own ? [own, ...asked] : asked;
    if (shown.length === 0) continue;
    const { author, createdAt, seq } = message;
    if (asksForCalls(message) && author !== speaker)
      items.push({ kind: 'speaker', key: `s${seq}`, author, at: createdAt });
    items.push(...shown);
    speaker = message.role === 'assistant' ? author : undefined;
  }
  // The rows of a step arrive in any order: a call may be here before its message.
  for (const card of [...cards.values()].flat()) items.push(callItem(card));
  for (const one of unsent) items.push({ kind: 'unsent', key: one.clientMessageId, unsent: one });
  return items;
}

const stepOf = ({ runId, step }: { runId?: string; step?: number }): string => `${runId} ${step}`;

const asksForCalls = ({ role, callId, covers }: Message): boolean =>
  role === 'assistant' && callId === undefined && covers === undefined;

function cardsByStep(
  { calls, callbacks, timers }: Required<Omit<Shown, 'messages'>>,
  notes: ReadonlyMap<string, Message>,
): Map<string, CallCard[]> {
  // A timer has the id of the call that created it.
  const timed = new Map(timers.map((one) => [one.id, one]));
  const asked = new Map(callbacks.map((one) => [one.id, one]));
  const steps = new Map<string, CallCard[]>();
  const ordered = [...calls].sort((a, b) => inTime(a, b) || a.index - b.index);
  for (const call of ordered) {
    const callback = call.callbackId ? asked.get(call.callbackId) : undefined;
    const note = asksFor(callback?.kind, 'take-over') ? notes.get(call.id) : undefined;
    const card = { call, callback, state: callState(call, callback, timed.get(call.id)), ...(note && { note }) };
    steps.set(stepOf(call), [...(steps.get(stepOf(call)) ?? []), card]);
  }
  return steps;
}

/** Times compare as text. A comparison by language would take most of the time of a long conversation. */
const inTime = (a: Call, b: Call): number => Number(a.createdAt > b.createdAt) - Number(a.createdAt < b.createdAt);

function itemOf(message: Message): Item | undefined {
  const { seq, role, text, status, callId, covers, clientMessageId, hosted, parts } = message;
  const key = clientMessageId ?? `m${seq}`;
  if (covers !== undefined) return { kind: 'summary', key, message };
  if (role === 'user') return { kind: 'said', key, message };
  if (role === 'system') return { kind: 'note', key, message };
  if (callId !== undefined) return { kind: 'delivered', key, message };
  // A reply that only makes calls has no text.
  if (text.trim() === '' && status === 'complete' && !hosted?.length && !parts?.length) return undefined;
  return { kind: 'answer', key, message };
}

function callItem(card: CallCard): Item {
  const key = `c${card.call.id}`;
  const to = handedTo(card.call.tool);
  return to && card.call.status === 'completed' ? { kind: 'hand-off', key, card, to } : { kind: 'call', key, card };
}

/** A question of the agent itself, outside any call. The next message answers it. */
export const openQuestion = ({ callbacks }: Pick<Shown, 'callbacks'>): Callback | undefined =>
  callbacks.find(({ kind, status, callId }) => asksFor(kind, 'answer') && status === 'pending' && callId === undefined);

/** The approvals and questions that the run waits for. */
export const openToPeople = ({ callbacks }: Pick<Shown, 'callbacks'>): Callback[] =>
  callbacks.filter(
    ({ kind, status }) => status === 'pending' && (asksFor(kind, 'decision') || asksFor(kind, 'answer')),
  );

/** Returns the hand-off to a person that the run waits for. */
export const openTakeOver = (callbacks: readonly Callback[]): Callback | undefined =>
  callbacks.find(({ kind, status }) => asksFor(kind, 'take-over') && status === 'pending');
