import type { Tool } from '../agent/tool';
import { readTimers } from '../calls/timer';
import { checkOwner } from '../runs/conversation';
import { key, type Meta, type StoredTimer } from '../store/rows';
import { changeConversation, overwrite, readRows, type Table } from '../store/table';
import { cancelling } from './cancel';
import { cancelTimer } from './cancel-timer';

/** DynamoDB removes a deleted conversation's rows after that; until then its rollback can be finished. */
const keptDays = 30;
/** META stays longer than all the others: while there is a row left, nobody can begin a conversation of the same id. */
const metaKeptDays = 60;
const rowsAtOnce = 20;
const day = 86_400;

/**
 * Deletes a conversation: its run is cancelled and rolled back, nobody sees it any more, its timers are cancelled, and its rows
 * expire. From the first write on it is gone; broken off after that, it can be asked for again and goes on.
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
  const meta = await markDeleted(table, tools, conversationId, user, now);
  const active = (await readTimers(table, conversationId)).filter(({ status }) => status === 'active');
  const timers: StoredTimer[] = [];
  for (const { id } of active) timers.push(await cancelTimer(table, conversationId, id));
  // From here on, nobody adds anything but a rollback.
  const ttl = Math.floor(now.getTime() / 1_000) + keptDays * day;
  await expire(table, conversationId, ttl);
  const late = ttl + (metaKeptDays - keptDays) * day;
  await changeConversation<void>(table, conversationId, (current) => ({
    ...(current.ttl === undefined && { meta: { ...current, ttl: late } }),
    answer: undefined,
  }));
  return { meta, timers };
}

function markDeleted(
  table: Table,
  tools: ReadonlyMap<string, Tool>,
  conversationId: string,
  user: string,
  now: Date,
): Promise<Meta> {
  return changeConversation<Meta>(table, conversationId, async (current) => {
    if (current.deletedFor === user) return { answer: current };
    checkOwner(current, user);
    const { run } = current;
    // What a failed or limited run did is undone too: nobody is left to retry it.
    const unfinished = run && !['done', 'cancelled', 'cancelling'].includes(run.status);
    const change = unfinished ? await cancelling(table, tools, current, 'Deleted by the user.', now) : undefined;
    // Nor does what is still unread, for example while an earlier cancel is being rolled back, begin another run.
    const silent = { pending: [], queued: undefined, scheduled: undefined };
    const gone = { ...(change?.meta ?? current), ...silent, owner: '', deletedFor: user };
    return { meta: gone, rows: change?.rows, answer: gone };
  });
}

/**
 * What has been marked by an earlier attempt stays: each one gets further. Calls come first: what a tool at work still writes
 * expires by itself once its call is marked. One by one: all rows of a transaction have 4 MB together, with what is in them.
 */
async function expire(table: Table, conversationId: string, ttl: number): Promise<void> {
  for (const [from, to] of [[key.call(''), `${key.call('')}~`] as const, [' ', '~'] as const]) {
    const rows = (await readRows(table, conversationId, from, to)) as { sk: string; ttl?: number }[];
    const expiring = rows.filter(
      (row) => row.sk !== key.meta && (row.ttl === undefined || row.ttl > ttl || row.ttl < ttl - day),
    );
    for (let start = 0; start < expiring.length; start += rowsAtOnce) {
      const some = expiring.slice(start, start + rowsAtOnce);
      await Promise.all(some.map(({ sk }) => overwrite(table, conversationId, { sk, mark: { ttl } })));
    }
  }
}
