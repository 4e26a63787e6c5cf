import { roleIn } from '../../core/conversations/members/role';
import type { Table } from '../../core/conversations/store/table';
import { membersChanges, type RowChange } from '../../core/people/live/broadcast';
import {
  closeConnection,
  conversationTopic,
  guestsTopic,
  holderOf,
  subscriptionsTo,
} from '../../core/people/live/subscriptions';
import { log } from '../../runtime/log';
import { originOf } from '../../runtime/plain-error';
import { type Connections, closeNow } from './push';

/**
 * Ends the connections of people who were removed from a conversation, or have another role in it now. Their pages connect again, and subscribe
 * to what they still may read. The stream has the changes of a conversation in their order, so nothing that came after the removal is pushed to them. What is deleted has
 * no guests: its topics end with it.
 *
 * @returns the conversations whose guests could not be removed. Nothing of them may be pushed before they are.
 */
export async function endGuests(
  live: Table,
  connections: Connections,
  changes: readonly RowChange[],
): Promise<Set<string>> {
  const failed = new Set<string>();
  for (const { meta, hasNewOwner } of membersChanges(changes)) {
    const { conversationId } = meta;
    try {
      // The former owner follows it, or one of a sub-agent, as its owner.
      const topics = [guestsTopic(conversationId), ...(hasNewOwner ? [conversationTopic(conversationId)] : [])];
      const found = await Promise.all(topics.map((topic) => subscriptionsTo(live, topic)));
      for (const { sk: connectionId, role } of found.flat()) {
        const holder = await holderOf(live, connectionId, new Date());
        const now = holder && roleIn(meta, holder);
        if (now !== undefined && (role === undefined || role === now)) continue;
        await closeConnection(live, connectionId);
        await closeNow(connections, connectionId);
        log.info('a guest was removed, or is something else now', { conversationId, connectionId });
      }
    } catch (error) {
      failed.add(conversationId);
      log.error('guests were not removed', { conversationId, error: (error as Error).name, ...originOf(error) });
    }
  }
  return failed;
}
