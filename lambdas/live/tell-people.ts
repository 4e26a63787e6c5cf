import type { Table } from '../../core/conversations/store/table';
import type { Push } from '../../core/people/live/broadcast';
import { conversationOfTopic, type Dropped } from '../../core/people/live/subscriptions';
import { hasSeen, herePush } from '../../core/people/presence/presence';
import { log } from '../../runtime/log';
import { originOf } from '../../runtime/plain-error';
import { type Connections, pushAll } from './push';

/** Tells those who follow a conversation who sees it now. Nothing depends on it: the next change sends it again. */
export const tellHere = (live: Table, connections: Connections, conversationId: string, user: unknown, now: Date) =>
  tell(live, connections, () => herePush(live, conversationId, user, now));

/** As `tellHere`, after subscriptions have ended. */
export async function tellLeft(
  live: Table,
  connections: Connections,
  dropped: readonly Dropped[],
  now: Date,
): Promise<void> {
  for (const one of dropped) {
    const conversationId = conversationOfTopic(one.pk);
    if (conversationId !== undefined && hasSeen(one, now))
      await tellHere(live, connections, conversationId, one.user, now);
  }
}

export async function tell(
  live: Table,
  connections: Connections,
  made: () => Promise<Push | undefined>,
): Promise<void> {
  try {
    const push = await made();
    if (push) await pushAll(live, connections, [push]);
  } catch (error) {
    log.warn('people were not told who is here', { error: (error as Error).name, ...originOf(error) });
  }
}
