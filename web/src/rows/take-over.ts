import type { WaitingApproval } from 'vigil-client';

type Of = Pick<WaitingApproval, 'callback'>;

/** Whether it asks for a person who takes a conversation over. It is all that the first page asks of a kind, without `asksFor`. */
export const isTakeOver = ({ callback }: Of): boolean => callback.kind === 'person';

/** Whether a colleague has taken the conversation over. */
export const isTakenByOther = (one: Of, me: string): boolean =>
  isTakeOver(one) && one.callback.assigned !== undefined && one.callback.assigned.to !== me;
