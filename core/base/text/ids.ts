import { createHash, randomUUID } from 'node:crypto';

/** Returns an opaque, unguessable id. It fits into an execution's name, which has at most 80 characters. */
const newId = (kind: string): string => `${kind}_${randomUUID().replaceAll('-', '')}`;

export const newConversationId = (): string => newId('c');
/**
 * Returns the id of the conversation that a user calls `chosen`. It begins with a digest of the user, so that choosing
 * an id never tells whether another user has chosen it. An id that begins with it already stays as it is: the page
 * chooses such ids, because it shows a conversation before it is stored (`web/src/network/session.ts`).
 */
export function chosenConversationId(user: string, chosen: string): string {
  const own = `u${createHash('sha256').update(user).digest('hex').slice(0, 16)}_`;
  return chosen.startsWith(own) ? chosen : own + chosen;
}
/**
 * Returns the id of a timer that no call has made: its conversation's, and a part that differs when a deleted conversation's id is used
 * again, because the name of an execution is taken for 90 days.
 */
export const newTimerId = (conversationId: string): string => `${conversationId}.${randomUUID().slice(0, 8)}`;
/** Returns the conversation in such an id; that of a call's timer names none. */
export const conversationOfTimer = (timerId: string): string => timerId.replace(/\.[^.]*$/, '');
/** Ids of runs sort by number, and so do the ids of their calls. */
export const newRunId = (number: number): string =>
  // A UUID is ASCII.
  `${runPrefix(number)}${randomUUID().replaceAll('-', '').slice(0, 25)}`;
export const runPrefix = (number: number): string => `r_${String(number).padStart(6, '0')}_`;
/** Returns the id of a row of to-dos. */
export const newTodosId = (): string => newId('t');
/** Identifies one invocation of CallModel, so a stale one cannot write to its successor's message. */
export const newWriterId = (): string => newId('w');
