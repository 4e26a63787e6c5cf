import { userIn } from '../../core/conversations/agent/approvers';
import { acceptInvitation } from '../../core/conversations/members/invitations';
import { type Asked, setMember } from '../../core/conversations/members/members';
import { userOf } from '../../core/conversations/members/role';
import type { Meta } from '../../core/conversations/rows/meta';
import type { Member } from '../../core/conversations/rows/rows';
import type { Table } from '../../core/conversations/store/table';

/** Shares a conversation with a user, who accepts at once, or with a group of whoever shares it. */
export async function addMember(
  table: Table,
  { conversationId, by }: Asked,
  name: string,
  wanted: Pick<Member, 'role'> & { name?: string },
  now = new Date(),
): Promise<Meta> {
  const user = userIn(name);
  const groups = user === undefined ? [name.slice('group:'.length)] : [];
  const set = await setMember(table, { conversationId, by: { user: userOf(by), groups } }, name, wanted);
  return user !== undefined && set.members?.[name]?.invited
    ? acceptInvitation(table, { conversationId, by: user }, now)
    : set;
}
