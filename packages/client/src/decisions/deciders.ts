import type { Callback } from '../api-types';
import { asksFor } from './asks-for';

/** A user, as their token says. */
export interface TokenUser {
  user: string;
  groups: readonly string[];
  claims: Readonly<Record<string, unknown>>;
}

type Asked = Pick<Callback, 'approvers' | 'excludesOwner' | 'steps' | 'dueStep' | 'decisions'>;
/** The owner, a group, or those with a claim. */
export type Decider = NonNullable<Callback['steps']>[number]['by'];

/** Returns who decides now: those of the step that is due and, if it has escalated, others as well. */
export function decidersNow({ approvers, steps, dueStep = 0 }: Asked, now: number): Decider[] {
  const { by, escalatesTo, escalatesAt } = steps?.[dueStep] ?? {};
  if (by === undefined) return [approvers ?? 'owner'];
  return [by, ...(escalatesTo && escalatesAt && Date.parse(escalatesAt) <= now ? [escalatesTo] : [])];
}

/** Who reads a conversation, and what they are in it. */
export interface Reader extends TokenUser {
  role: 'owner' | 'member' | 'watcher';
}

/** Whether to offer what a run waits for to a reader: what only others can decide or answer is not. */
export const isOfferedTo = (callback: Callback, reader: Reader, now: number): boolean =>
  asksFor(callback.kind, 'decision')
    ? mayDecide(callback, reader, reader.role === 'owner', now)
    : !asksFor(callback.kind, 'answer') || reader.role !== 'watcher';

/** Whether to offer an approval to a user. The API decides whether it takes the decision. */
export function mayDecide(asked: Asked, { user, groups, claims }: TokenUser, isOwner: boolean, now: number): boolean {
  const { excludesOwner, decisions = [] } = asked;
  if (isOwner && excludesOwner) return false;
  if (decisions.some(({ by, inPlaceOf }) => by === user || inPlaceOf === user)) return false;
  return decidersNow(asked, now).some((one) => {
    if (one === 'owner') return isOwner;
    return 'group' in one ? groups.includes(one.group) : claims[one.claim] === one.value;
  });
}
