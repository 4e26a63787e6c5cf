import type { Push } from '../../core/people/live/broadcast';
import type { LiveTables } from '../../core/people/live/readers';
import { conversationOfTopic, type Dropped } from '../../core/people/live/subscriptions';
import { hasSeen, herePush } from '../../core/people/presence/presence';
import { log } from '../../runtime/log';
import { originOf } from '../../runtime/plain-error';
import { type Connections, pushAll } from './push';

/** Tells those who follow a conversation who sees it now. Nothing depends on it: the next change sends it again. */
export const tellHere = (
  tables: LiveTables,
  connections: Connections,
  conversationId: string,
  user: unknown,
  now: Date,
) => tell(tables, connections, () => herePush(tables, conversationId, user, now));

/** As `tellHere`, after subscriptions have ended. */
export async function tellLeft(
  tables: LiveTables,
  connections: Connections,
  dropped: readonly Dropped[],
  now: Date,
): Promise<void> {
  for (const one of dropped) {
    const conversationId = conversationOfTopic(one.pk);
    if (conversationId !== undefined && hasSeen(one, now))
      await tellHere(tables, connections, conversationId, one.user, now);
  }
}

export async function tell(
  tables: LiveTables,
  connections: Connections,
  made: () => Promise<Push | undefined>,
): Promise<void> {
  try {
    const push = await made();
    if (push) await pushAll(tables, connections, [push]);
  } catch (error) {
    log.warn('people were not told who is here', { error: (error as Error).name, ...originOf(error) });
  }
}
