import type { Callback } from 'vigil-client';
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

type Asked = Pick<Callback, 'approvers' | 'excludesOwner'>;

/** Whether the page shows a form for the approval. The API decides whether it takes the answer. */
export function mayDecide({ approvers, excludesOwner }: Asked, { groups, claims }: Me, isOwner: boolean): boolean {
  if (isOwner && excludesOwner) return false;
  if (!approvers) return isOwner;
  return 'group' in approvers ? groups.includes(approvers.group) : claims[approvers.claim] === approvers.value;
}

/** Names those who decide. */
export function deciderWords({ approvers }: Asked): string {
  if (!approvers) return 'you';
  return 'group' in approvers ? approvers.group : `${approvers.claim} ${approvers.value}`;
}
