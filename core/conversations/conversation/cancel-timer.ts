import { NotFound } from '../../base/text/errors';
import { cancelTimerRows, isArranged, readTimer } from '../calls/timer';
import type { StoredTimer } from '../rows/rows';
import { readOwnMeta } from '../runs/conversation';
import { retryOnConflict } from '../store/retry-on-conflict';
import { type Table, write } from '../store/table';

/**
 * Cancels a timer. A timer that is finished or already cancelled does not change.
 *
 * @param by.user the owner that the conversation must have.
 * @param by.segment the segment that the timer must be in. An execution that has handed over cannot cancel it.
 * @returns the timer afterwards. If it has an `outbox`, the caller must stop its execution.
 * @throws NotFound if the conversation is not this user's or has no such timer.
 * @throws ConversationBusy if the timer's row keeps changing.
 */
export async function cancelTimer(
  table: Table,
  conversationId: string,
  timerId: string,
  by: { user?: string; segment?: number } = {},
): Promise<StoredTimer> {
  const { user, segment } = by;
  if (user !== undefined) await readOwnMeta(table, conversationId, user);
  return retryOnConflict(`The timer ${timerId} keeps changing.`, async () => {
    const timer = await readTimer(table, conversationId, timerId);
    if (!timer || (user !== undefined && !isArranged(timer)))
      throw new NotFound(`There is no timer ${timerId} in this conversation.`);
    if (timer.status !== 'active' || timer.segment !== (segment ?? timer.segment)) return timer;
    if (!(await write(table, conversationId, cancelTimerRows(timer)))) return undefined;
    return { ...timer, version: timer.version + 1, status: 'cancelled', outbox: 'stop' };
  });
}
