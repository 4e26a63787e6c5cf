import type { Message } from '../../../core/state/schemas';

/** What was written here and is not known to be stored. It outlives a reload: `kept-outbox.ts`. */
export interface Unsent {
  clientMessageId: string;
  conversationId: string;
  /** It starts the conversation, with this agent. */
  agent?: string;
  text: string;
  status: 'queued' | 'sending' | 'refused';
  /** Why it was refused, or why it is not sent yet. */
  problem?: string;
  createdAt: string;
}
export type Outbox = readonly Unsent[];

/** Whether a conversation is begun by what has not been sent yet: nobody else knows of it. */
export const isBegun = (outbox: Outbox, id: string): boolean =>
  outbox.some(({ conversationId, agent }) => conversationId === id && agent !== undefined);

export const queue = (outbox: Outbox, message: Omit<Unsent, 'status'>): Outbox => [
  ...outbox,
  { ...message, status: 'queued' },
];

const change = (outbox: Outbox, clientMessageId: string, to: Partial<Unsent>): Outbox =>
  outbox.map((one) => (one.clientMessageId === clientMessageId ? { ...one, ...to } : one));

/** While it is tried once more, it still says why it is not sent yet. */
export const sending = (outbox: Outbox, id: string): Outbox => change(outbox, id, { status: 'sending' });
/** Nobody took it, for the reason that is given: it goes out when somebody does. */
export const waiting = (outbox: Outbox, id: string, problem: string): Outbox =>
  change(outbox, id, { status: 'queued', problem });
export const refused = (outbox: Outbox, id: string, problem: string): Outbox =>
  change(outbox, id, { status: 'refused', problem });

/** Thrown away, or taken back to be written anew. One that was refused to start the conversation leaves that to the next one. */
export function without(outbox: Outbox, id: string): Outbox {
  const gone = outbox.find(({ clientMessageId }) => clientMessageId === id);
  const rest = outbox.filter((one) => one !== gone);
  const next = gone?.agent && rest.find(({ conversationId }) => conversationId === gone.conversationId);
  return next ? change(rest, next.clientMessageId, { agent: gone.agent }) : rest;
}

/**
 * A refused one goes to the end: what was said meanwhile stands before it. One that is to start the conversation keeps its place,
 * since nothing can be said before that.
 */
export function again(outbox: Outbox, id: string): Outbox {
  const one = outbox.find(({ clientMessageId }) => clientMessageId === id);
  if (!one) return outbox;
  const queued = { status: 'queued' as const, problem: undefined };
  return one.agent ? change(outbox, id, queued) : [...without(outbox, id), { ...one, ...queued }];
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
