import type { Tool } from '../tool';
import { cancelling } from './cancel';
import { cancelTimer } from './cancel-timer';
import { checkOwner, readOwnMeta } from './conversation';
import { key, type Meta, type StoredTimer } from './rows';
import { changeConversation, readRows, type Table, whileRowsChange, write } from './table';
import { readTimers } from './timer';

/** DynamoDB removes a deleted conversation's rows after that; until then its rollback can be finished. */
const keptDays = 30;
const rowsAtOnce = 100;

/**
 * Deletes a conversation: its timers are cancelled, its run is cancelled and rolled back, nobody sees it any more, and its
 * rows expire. Broken off midway, it can be asked for again.
 *
 * @returns META and the timers, whose outboxes are to be acted on.
 * @throws NotFound if it is not this user's.
 */
export async function deleteConversation(
  table: Table,
  tools: ReadonlyMap<string, Tool>,
  conversationId: string,
  user: string,
  now: Date,
): Promise<{ meta: Meta; timers: StoredTimer[] }> {
  await readOwnMeta(table, conversationId, user);
  const active = (await readTimers(table, conversationId)).filter(({ status }) => status === 'active');
  const timers: StoredTimer[] = [];
  for (const { id } of active) timers.push(await cancelTimer(table, conversationId, id));
  const ttl = Math.floor(now.getTime() / 1_000) + keptDays * 86_400;
  await expire(table, conversationId, ttl);
  const meta = await whileRowsChange(() =>
    changeConversation<Meta>(table, conversationId, async (current) => {
      checkOwner(current, user);
      const { run } = current;
      // What a failed or limited run did is undone too: nobody is left to retry it.
      const unfinished = run && !['done', 'cancelled', 'cancelling'].includes(run.status);
      const change = unfinished ? await cancelling(table, tools, current, 'Deleted by the user.', now) : undefined;
      // Nor does what is still unheard, for example while an earlier cancel is being rolled back, begin another run.
      const silent = { pending: [], queued: undefined, scheduled: undefined };
      const gone = { ...(change?.meta ?? current), ...silent, owner: '', deletedFor: user, ttl };
      return { meta: gone, rows: change?.rows, answer: gone };
    }),
  );
  // What was written meanwhile. From here on, nobody adds anything but a rollback.
  await expire(table, conversationId, ttl);
  return { meta, timers };
}

async function expire(table: Table, conversationId: string, ttl: number): Promise<void> {
  const rows = (await readRows(table, conversationId, ' ', '~')) as { sk: string; ttl?: number }[];
  const expiring = rows
    .filter((row) => row.sk !== key.meta && row.ttl !== ttl)
    .map(({ sk }) => ({ sk, mark: { ttl } }));
  for (let start = 0; start < expiring.length; start += rowsAtOnce)
    await write(table, conversationId, expiring.slice(start, start + rowsAtOnce));
}
