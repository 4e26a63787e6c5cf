import type { Callback, WaitingApproval } from 'vigil-client';
import { t } from '../languages/catalogue';
import { locale } from '../languages/locale';
import { claimsIn } from '../network/session';

/** The user of the page, according to their token. */
export interface Me {
  user: string;
  groups: readonly string[];
  claims: Readonly<Record<string, unknown>>;
}

export function userFromToken(token: string): Me {
  const claims = claimsIn(token);
  const groups = claims['cognito:groups'];
  return { user: String(claims.sub), groups: Array.isArray(groups) ? groups.map(String) : [], claims };
}

type Asked = Pick<Callback, 'approvers' | 'excludesOwner' | 'steps' | 'dueStep' | 'decisions'>;
/** The owner, a group, or those with a claim. */
export type Decider = NonNullable<Callback['steps']>[number]['by'];

/** Returns who decides now: those of the step that is due and, if it has escalated, others as well. */
function decidersNow({ approvers, steps, dueStep = 0 }: Asked, now: number): Decider[] {
  const { by, escalatesTo, escalatesAt } = steps?.[dueStep] ?? {};
  if (by === undefined) return [approvers ?? 'owner'];
  return [by, ...(escalatesTo && escalatesAt && Date.parse(escalatesAt) <= now ? [escalatesTo] : [])];
}

/** Whether the page shows a form for the approval. The API decides whether it takes the answer. */
export function mayDecide(asked: Asked, { user, groups, claims }: Me, isOwner: boolean, now: number): boolean {
  const { excludesOwner, decisions = [] } = asked;
  if (isOwner && excludesOwner) return false;
  if (decisions.some(({ by, inPlaceOf }) => by === user || inPlaceOf === user)) return false;
  return decidersNow(asked, now).some((one) => {
    if (one === 'owner') return isOwner;
    return 'group' in one ? groups.includes(one.group) : claims[one.claim] === one.value;
  });
}

/** Whether others than the owner decide now, so that one of them can be asked to. */
export const hasApprovers = (asked: Asked, now: number): boolean =>
  decidersNow(asked, now).some((one) => one !== 'owner');

/** What is assigned: an approval, and whose conversation it is in. */
export type Assignable = Pick<WaitingApproval, 'conversationId' | 'callback' | 'owner'>;

/** Returns those who can decide about one of these approvals now, and are not asked to yet. */
export const assignees = <One extends Me>(people: readonly One[], items: readonly Assignable[], now: number): One[] =>
  people.filter((one) =>
    items.some(
      ({ callback, owner }) => callback.assigned?.to !== one.user && mayDecide(callback, one, one.user === owner, now),
    ),
  );

/** Names the owner, a group or those with a claim. */
export const deciderName = (one: Decider, owner = t('you')): string => {
  if (one === 'owner') return owner;
  return 'group' in one ? one.group : `${one.claim} ${one.value}`;
};

/** Names those who decide now. */
export const deciderWords = (asked: Asked, now = Number.NEGATIVE_INFINITY, owner?: string): string =>
  new Intl.ListFormat(locale(), { type: 'disjunction' }).format(
    decidersNow(asked, now).map((one) => deciderName(one, owner)),
  );
