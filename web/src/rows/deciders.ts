import type { WaitingApproval } from 'vigil-client';
import { type Decider, decidersNow, mayDecide, type TokenUser } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { locale } from '../languages/locale';
import { claimsIn } from '../network/session';

export { type Decider, mayDecide };

/** The user of the page, according to their token. */
export type Me = TokenUser;

export function userFromToken(token: string): Me {
  const claims = claimsIn(token);
  const groups = claims['cognito:groups'];
  return { user: String(claims.sub), groups: Array.isArray(groups) ? groups.map(String) : [], claims };
}

type Asked = Parameters<typeof mayDecide>[0];

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
