import type { Meta } from '../rows/meta';
import { noConversation } from '../store/change-conversation';
import type { Table } from '../store/table';
import { readIgnored } from './ignored';
import { type Asked, changeVersions, readSharedRows, withMembers } from './members';
import { ownName } from './role';

/** An invitation to somebody else's conversation, which is not known before it is accepted. */
export interface Invitation {
  conversationId: string;
  /** Who invites. */
  by: string;
  role: 'member' | 'watcher';
  at: string;
}

/** A page shows so many. */
const mostShown = 50;

/** Returns the invitations that a user has not answered, the newest first, without those of people whom the user ignores. */
export async function listInvitations(table: Table, user: string): Promise<Invitation[]> {
  const rows = await readSharedRows(table, ownName(user));
  if (!rows.some(({ invitedBy }) => invitedBy)) return [];
  const ignored = await readIgnored(table, user);
  const byRoot = new Map<string, Invitation>();
  for (const { conversationId, invitedBy } of rows) {
    if (!invitedBy || ignored.has(ownName(invitedBy.user))) continue;
    const { user: by, role, at, rootId } = invitedBy;
    // One for all versions.
    if (!byRoot.has(rootId) || conversationId === rootId) byRoot.set(rootId, { conversationId, by, role, at });
  }
  return [...byRoot.values()].sort((one, other) => other.at.localeCompare(one.at)).slice(0, mostShown);
}

/**
 * Makes a person whom the owner has invited a member of all versions. Repeated, it changes nothing.
 *
 * @throws NotFound if they are not invited, also if the invitation was taken back: as if there were no such conversation.
 */
export function acceptInvitation(table: Table, asked: Asked, now: Date): Promise<Meta> {
  const name = ownName(asked.by);
  return changeVersions(table, asked.conversationId, (meta) => {
    const member = meta.members?.[name];
    if (!meta.owner || !member || member.asks) throw noConversation(asked.conversationId);
    const { invited: _, ...accepted } = member;
    return withMembers(meta, { ...meta.members, [name]: accepted }, now);
  });
}
