import type { Callback, WaitingApproval } from 'vigil-client';
import { asksFor } from 'vigil-client/shared';

type Of = Pick<WaitingApproval, 'callback'>;

/** Whether it asks for a person who takes a conversation over, and not for a decision or an answer. */
export const isTakeOver = ({ callback }: Of): boolean => asksFor(callback.kind, 'take-over');

/** Whether a colleague has taken the conversation over. */
export const isTakenByOther = (one: Of, me: string): boolean =>
  isTakeOver(one) && one.callback.assigned !== undefined && one.callback.assigned.to !== me;

/** Returns the hand-off to a person that the run waits for. */
export const openTakeOver = (callbacks: readonly Callback[]): Callback | undefined =>
  callbacks.find(({ kind, status }) => asksFor(kind, 'take-over') && status === 'pending');
