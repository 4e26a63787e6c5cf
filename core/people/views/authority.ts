import type { Absence, Member, StandIn, StandingApproval } from '../../base/state/schemas';
import { absenceOf, endAbsence } from '../../conversations/approvals/absence';
import { endGrants, type SignedIn } from '../../conversations/approvals/grants-ended';
import { revokeStanding } from '../../conversations/approvals/standing';
import { listStanding } from '../../conversations/approvals/standing-report';
import { readIgnored } from '../../conversations/members/ignored';
import { isLive, readLinks, revokeLink } from '../../conversations/members/links';
import { removeMember } from '../../conversations/members/members';
import { lists } from '../../conversations/rows/owned';
import type { StoredLink } from '../../conversations/rows/rows';
import { readShownMeta, type Table } from '../../conversations/store/table';
import { listConversations } from './list';
import { shownMembers } from './shown';

/** A conversation of the user that others are in, or may come into by a link. */
interface Shared {
  conversationId: string;
  title: string;
  members: Member[];
  links: StoredLink[];
}

/** Who may do what for a user, after the token that allowed it. */
export interface Authority {
  absence?: Absence;
  standsInFor: StandIn[];
  approvals: StandingApproval[];
  /** Of whom and what the user does not want to hear. */
  ignored: string[];
  shared: Shared[];
  /** There are more conversations. The next page has these alone. */
  cursor?: string;
}

/** Ends what a module lets do without a token. */
export type EndsGrants = (table: Table, user: string, by: SignedIn) => Promise<unknown>;

/** Each is read, because who is in a conversation is in its META alone. */
const conversationsOfPage = 50;

/** Returns who may do what for a user: of their conversations a page at a time, those that are shared. */
export async function readAuthority(table: Table, user: string, now: Date, cursor?: string): Promise<Authority> {
  const { shared, cursor: next } = await sharedBy(table, user, now, cursor);
  const more = { shared, ...(next !== undefined && { cursor: next }) };
  if (cursor !== undefined) return { standsInFor: [], approvals: [], ignored: [], ...more };
  const [absences, approvals, ignored] = await Promise.all([
    absenceOf(table, user, now),
    openApprovals(table, user, now),
    readIgnored(table, user),
  ]);
  return { ...absences, approvals, ignored: [...ignored], ...more };
}

/**
 * Ends all of it: first what earlier tokens may still grant, then what decides about money, what modules have granted, and members and links, of a page of
 * conversations at a time. Repeated, it changes nothing.
 *
 * @param ofModules ends what modules have granted.
 * @returns the cursor of the next page.
 */
export async function endAuthority(
  table: Table,
  user: string,
  by: SignedIn,
  ofModules: readonly EndsGrants[],
  cursor?: string,
): Promise<string | undefined> {
  const { now } = by;
  if (cursor === undefined) {
    await endGrants(table, user, now);
    await endAbsence(table, user, now);
    for (const { id } of await openApprovals(table, user, now)) await revokeStanding(table, user, id, now);
    for (const end of ofModules) await end(table, user, by);
  }
  const { shared, cursor: next } = await sharedBy(table, user, now, cursor);
  for (const { conversationId, members, links } of shared) {
    const asked = { conversationId, by: user };
    for (const { id } of links) await revokeLink(table, asked, id, now);
    for (const { member } of members) await removeMember(table, asked, member, now);
  }
  return next;
}

const openApprovals = async (table: Table, user: string, now: Date): Promise<StandingApproval[]> =>
  (await listStanding(table, user)).filter(
    ({ revokedAt, expiresAt, uses, calls }) =>
      revokedAt === undefined && expiresAt > now.toISOString() && uses.length < calls,
  );

async function sharedBy(
  table: Table,
  user: string,
  now: Date,
  cursor: string | undefined,
): Promise<Pick<Authority, 'shared' | 'cursor'>> {
  const page = await listConversations(table, user, cursor, { limit: conversationsOfPage, of: lists });
  const found = await Promise.all(page.conversations.map(({ id }) => sharingOf(table, user, id, now)));
  return { shared: found.flat(), cursor: page.cursor };
}

async function sharingOf(table: Table, user: string, conversationId: string, now: Date): Promise<Shared[]> {
  const meta = await readShownMeta(table, conversationId);
  if (meta?.owner !== user || meta.parent) return [];
  const links = (await readLinks(table, meta)).filter((link) => isLive(link, now));
  if (!meta.members && links.length === 0) return [];
  return [{ conversationId, title: meta.title, members: shownMembers(meta).members, links }];
}
