import { cancelTimerRow, isArranged, readTimer } from '../calls/timer';
import { readOwnMeta } from '../runs/conversation';
import type { StoredTimer } from '../store/rows';
import { type Table, write } from '../store/table';
import { ConversationBusy, NotFound } from '../text/errors';

const attempts = 25;

/**
 * Cancels a timer. One that has fired for good or is cancelled stays as it is.
 *
 * @param by.user whose conversation it must be.
 * @param by.segment the execution that it must be in: one that has handed over has no say any more.
 * @returns the timer as it then is; with its `outbox`, its execution is to be stopped.
 * @throws NotFound if the conversation is not this user's or has no such timer.
 */
export async function cancelTimer(
  table: Table,
  conversationId: string,
  timerId: string,
  by: { user?: string; segment?: number } = {},
): Promise<StoredTimer> {
  const { user, segment } = by;
  if (user !== undefined) await readOwnMeta(table, conversationId, user);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const timer = await readTimer(table, conversationId, timerId);
    if (!timer || (user !== undefined && !isArranged(timer)))
      throw new NotFound(`There is no timer ${timerId} in this conversation.`);
    if (timer.status !== 'active' || timer.segment !== (segment ?? timer.segment)) return timer;
    if (await write(table, conversationId, [cancelTimerRow(timer)]))
      return { ...timer, version: timer.version + 1, status: 'cancelled', outbox: 'stop' };
  }
  throw new ConversationBusy(`The timer ${timerId} changes too fast. Try again.`);
}
