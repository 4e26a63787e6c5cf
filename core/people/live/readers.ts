import { rolesIn } from '../../conversations/members/role';
import type { Table } from '../../conversations/store/table';
import { conversationTopic, isOpen, type Subscription, subscriptionsTo } from './subscriptions';

/** The table of conversations, which says who may read one, and the live view's, which says who follows it. */
export interface LiveTables {
  table: Table;
  live: Table;
}

/**
 * Returns the subscriptions of those who may read a conversation now. Whatever has words of a conversation, or says who is in it, is sent to
 * these alone: a subscription that has not ended yet gives no right.
 *
 * @param open subscriptions to the conversation.
 */
export async function mayReadNow(table: Table, conversationId: string, open: Subscription[]): Promise<Subscription[]> {
  if (open.length === 0) return [];
  const roleOf = await rolesIn(table, conversationId);
  return open.filter(({ user, groups = [] }) => typeof user === 'string' && roleOf({ user, groups }) !== undefined);
}

/** Returns the open subscriptions to a conversation of those who may read it now. */
export async function readersOf(
  { table, live }: LiveTables,
  conversationId: string,
  now: Date,
): Promise<Subscription[]> {
  const found = await subscriptionsTo(live, conversationTopic(conversationId));
  return mayReadNow(
    table,
    conversationId,
    found.filter((one) => isOpen(one, now)),
  );
}
