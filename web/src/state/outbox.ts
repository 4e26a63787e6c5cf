import type { Message } from '../../../core/state/schemas';

/** A message that is not known to be stored yet. It survives a reload (`kept-outbox.ts`). */
export interface Unsent {
  clientMessageId: string;
  conversationId: string;
  /** Set if the message starts the conversation: with this agent. */
  agent?: string;
  text: string;
  status: 'queued' | 'sending' | 'refused';
  /** Why it was rejected, or why it is not sent yet. */
  problem?: string;
  createdAt: string;
}
export type Outbox = readonly Unsent[];

/** Whether the conversation exists only as an unsent message, unknown to the API. */
export const isBegun = (outbox: Outbox, id: string): boolean =>
  outbox.some(({ conversationId, agent }) => conversationId === id && agent !== undefined);

export const queue = (outbox: Outbox, message: Omit<Unsent, 'status'>): Outbox => [
  ...outbox,
  { ...message, status: 'queued' },
];

const change = (outbox: Outbox, clientMessageId: string, to: Partial<Unsent>): Outbox =>
  outbox.map((one) => (one.clientMessageId === clientMessageId ? { ...one, ...to } : one));

/** Marks it as being sent. It keeps its problem until it is sent. */
export const sending = (outbox: Outbox, id: string): Outbox => change(outbox, id, { status: 'sending' });
/** Marks it to be sent again later, with the reason why that failed. */
export const waiting = (outbox: Outbox, id: string, problem: string): Outbox =>
  change(outbox, id, { status: 'queued', problem });
export const refused = (outbox: Outbox, id: string, problem: string): Outbox =>
  change(outbox, id, { status: 'refused', problem });

/**
 * Removes a message that was discarded or taken back. If it was rejected and was to start the conversation, the next
 * message does that.
 */
export function without(outbox: Outbox, id: string): Outbox {
  const gone = outbox.find(({ clientMessageId }) => clientMessageId === id);
  const rest = outbox.filter((one) => one !== gone);
  const next = gone?.agent && rest.find(({ conversationId }) => conversationId === gone.conversationId);
  return next ? change(rest, next.clientMessageId, { agent: gone.agent }) : rest;
}

/**
 * Queues a rejected message again, at the end, because later messages were already sent. One that starts the
 * conversation keeps its place, because the others wait for it.
 */
export function again(outbox: Outbox, id: string): Outbox {
  const one = outbox.find(({ clientMessageId }) => clientMessageId === id);
  if (!one) return outbox;
  const queued = { status: 'queued' as const, problem: undefined };
  return one.agent ? change(outbox, id, queued) : [...without(outbox, id), { ...one, ...queued }];
}

/** Removes messages whose rows have arrived. */
export function settle(outbox: Outbox, stored: readonly Pick<Message, 'clientMessageId'>[]): Outbox {
  const ids = new Set(stored.flatMap(({ clientMessageId }) => clientMessageId ?? []));
  return outbox.some(({ clientMessageId }) => ids.has(clientMessageId))
    ? outbox.filter(({ clientMessageId }) => !ids.has(clientMessageId))
    : outbox;
}

/**
 * Returns the messages that can be sent now: the first of each conversation, so that they are stored in the order
 * written. A rejected message blocks no other, unless it was to start the conversation.
 */
export function due(outbox: Outbox): Unsent[] {
  const held = new Set<string>();
  return outbox.filter(({ conversationId, status, agent }) => {
    if (held.has(conversationId)) return false;
    if (status !== 'refused' || agent) held.add(conversationId);
    return status === 'queued';
  });
}

/** Returns the message that ↑ takes back: the last one whose request is not in progress. */
export const lastUnsent = (outbox: Outbox, conversationId: string): Unsent | undefined =>
  outbox.findLast((one) => one.conversationId === conversationId && one.status !== 'sending');
