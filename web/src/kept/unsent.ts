import type { Message } from 'vigil-client';
import type { DraftFiles } from '../files/draft-files';

/** A message that is not known to be stored yet. It survives a reload (`kept-unsent.ts`). */
export interface Unsent {
  clientMessageId: string;
  conversationId: string;
  /** Set if the message starts the conversation: with this agent. */
  agent?: string;
  text: string;
  /** Its files, which are stored already. */
  files?: DraftFiles;
  /** It is for the people of the conversation, and not for its agent. */
  to?: 'people';
  /** The users whom it mentions. */
  mentions?: readonly string[];
  status: 'queued' | 'sending' | 'refused';
  /** The reason why it was rejected, or is not sent yet. */
  problem?: string;
  createdAt: string;
}
export type UnsentMessages = readonly Unsent[];

/** Whether the conversation exists only as an unsent message, unknown to the API. */
export const isBegun = (unsent: UnsentMessages, id: string): boolean =>
  unsent.some(({ conversationId, agent }) => conversationId === id && agent !== undefined);

export const queue = (unsent: UnsentMessages, message: Omit<Unsent, 'status'>): UnsentMessages => [
  ...unsent,
  { ...message, status: 'queued' },
];

const change = (unsent: UnsentMessages, clientMessageId: string, to: Partial<Unsent>): UnsentMessages =>
  unsent.map((one) => (one.clientMessageId === clientMessageId ? { ...one, ...to } : one));

/** Marks it as being sent. It keeps its problem until it is sent. */
export const sending = (unsent: UnsentMessages, id: string): UnsentMessages =>
  change(unsent, id, { status: 'sending' });
/** Marks it to be sent again later, with the reason why that failed. */
export const waiting = (unsent: UnsentMessages, id: string, problem: string): UnsentMessages =>
  change(unsent, id, { status: 'queued', problem });
export const refused = (unsent: UnsentMessages, id: string, problem: string): UnsentMessages =>
  change(unsent, id, { status: 'refused', problem });

/**
 * Removes a message that was discarded or taken back. If it was rejected and was to start the conversation, the next
 * message does that.
 */
export function without(unsent: UnsentMessages, id: string): UnsentMessages {
  const gone = unsent.find(({ clientMessageId }) => clientMessageId === id);
  const rest = unsent.filter((one) => one !== gone);
  const next = gone?.agent && rest.find(({ conversationId }) => conversationId === gone.conversationId);
  return next ? change(rest, next.clientMessageId, { agent: gone.agent }) : rest;
}

/**
 * Queues a rejected message again, at the end, because later messages were already sent. One that starts the
 * conversation keeps its place, because the others wait for it.
 */
export function again(unsent: UnsentMessages, id: string): UnsentMessages {
  const one = unsent.find(({ clientMessageId }) => clientMessageId === id);
  if (!one) return unsent;
  const queued = { status: 'queued' as const, problem: undefined };
  return one.agent ? change(unsent, id, queued) : [...without(unsent, id), { ...one, ...queued }];
}

/** Removes messages whose rows have arrived. */
export function withoutStored(
  unsent: UnsentMessages,
  stored: readonly Pick<Message, 'clientMessageId'>[],
): UnsentMessages {
  const ids = new Set(stored.flatMap(({ clientMessageId }) => clientMessageId ?? []));
  return unsent.some(({ clientMessageId }) => ids.has(clientMessageId))
    ? unsent.filter(({ clientMessageId }) => !ids.has(clientMessageId))
    : unsent;
}

/**
 * Returns the messages that can be sent now: the first of each conversation, so that they are stored in the order
 * written. A rejected message blocks no other, unless it was to start the conversation.
 */
export function due(unsent: UnsentMessages): Unsent[] {
  const held = new Set<string>();
  return unsent.filter(({ conversationId, status, agent }) => {
    if (held.has(conversationId)) return false;
    if (status !== 'refused' || agent) held.add(conversationId);
    return status === 'queued';
  });
}

/** Returns the message that ↑ takes back: the last one whose request is not in progress. */
export const lastUnsent = (unsent: UnsentMessages, conversationId: string): Unsent | undefined =>
  unsent.findLast((one) => one.conversationId === conversationId && one.status !== 'sending');
