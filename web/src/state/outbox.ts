import type { Message } from '../../../core/schemas';

/** What was written here and is not known to be stored. It lives as long as the page. */
export interface Unsent {
  clientMessageId: string;
  conversationId: string;
  /** It starts the conversation, with this agent. */
  agent?: string;
  text: string;
  status: 'queued' | 'sending' | 'refused';
  /** Why it was refused. */
  problem?: string;
  createdAt: string;
}
export type Outbox = readonly Unsent[];

export const queue = (outbox: Outbox, message: Omit<Unsent, 'status'>): Outbox => [
  ...outbox,
  { ...message, status: 'queued' },
];

const change = (outbox: Outbox, clientMessageId: string, to: Partial<Unsent>): Outbox =>
  outbox.map((one) => (one.clientMessageId === clientMessageId ? { ...one, ...to } : one));

export const sending = (outbox: Outbox, id: string): Outbox =>
  change(outbox, id, { status: 'sending', problem: undefined });
/** Nobody answered: it goes out when somebody does. */
export const waiting = (outbox: Outbox, id: string): Outbox => change(outbox, id, { status: 'queued' });
export const refused = (outbox: Outbox, id: string, problem: string): Outbox =>
  change(outbox, id, { status: 'refused', problem });
export const without = (outbox: Outbox, id: string): Outbox => outbox.filter((one) => one.clientMessageId !== id);

/** A refused one goes to the end: what was said meanwhile stands before it. */
export function again(outbox: Outbox, id: string): Outbox {
  const one = outbox.find(({ clientMessageId }) => clientMessageId === id);
  return one ? queue(without(outbox, id), { ...one, problem: undefined }) : outbox;
}

/** Its row is there: from now on that is what is shown. */
export function settle(outbox: Outbox, stored: readonly Pick<Message, 'clientMessageId'>[]): Outbox {
  const ids = new Set(stored.flatMap(({ clientMessageId }) => clientMessageId ?? []));
  return outbox.some(({ clientMessageId }) => ids.has(clientMessageId))
    ? outbox.filter(({ clientMessageId }) => !ids.has(clientMessageId))
    : outbox;
}

/**
 * What may go out now: of each conversation the first, so that they are stored in the order in which they were written. A
 * refused one holds up nobody, unless it was to start the conversation.
 */
export function due(outbox: Outbox): Unsent[] {
  const held = new Set<string>();
  return outbox.filter(({ conversationId, status, agent }) => {
    if (held.has(conversationId)) return false;
    if (status !== 'refused' || agent) held.add(conversationId);
    return status === 'queued';
  });
}

/** What ↑ brings back to be edited: the last one that is not on its way. */
export const lastUnsent = (outbox: Outbox, conversationId: string): Unsent | undefined =>
  outbox.findLast((one) => one.conversationId === conversationId && one.status !== 'sending');
