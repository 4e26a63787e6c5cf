import type { Tool } from '../agent/tool';
import { readTimers } from '../calls/timer';
import { key } from '../rows/keys';
import type { Meta } from '../rows/meta';
import type { StoredTimer } from '../rows/rows';
import { checkOwner } from '../runs/conversation';
import { changeConversation, overwrite, readRows, type Table } from '../store/table';
import type { RowWrite } from '../store/write';
import { cancelling } from './cancel';
import { cancelTimer } from './cancel-timer';

/** DynamoDB removes a deleted conversation's rows after this time, which leaves enough for its rollback. */
const keptDays = 30;
/** META expires last, so the id cannot be reused while a row is left. */
const metaKeptDays = 60;
const rowsAtOnce = 20;
const day = 86_400;

/**
 * Deletes a conversation: removes it from all lists, cancels and rolls back its run, cancels its timers and lets its rows
 * expire. After the first write the conversation is gone. If the process dies after that, a second request continues the deletion.
 *
 * @returns META and the timers, whose outboxes the caller must act on.
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
  // From now on, only a rollback adds rows.
  const ttl = expiryOf(now);
  await expire(table, conversationId, ttl);
  const late = ttl + (metaKeptDays - keptDays) * day;
  await changeConversation<void>(table, conversationId, (current) => ({
    ...(current.ttl === undefined && { meta: { ...current, ttl: late } }),
    answer: undefined,
  }));
  return { meta, timers };
}

const expiryOf = (now: Date): number => Math.floor(now.getTime() / 1_000) + keptDays * day;

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
    // A failed or limited run can no longer be retried, so it is undone too.
    const unfinished = run && !['done', 'cancelled', 'cancelling'].includes(run.status);
    const change = unfinished ? await cancelling(table, tools, current, 'Deleted by the user.', now) : undefined;
    // Unread messages, for example those sent during the rollback of an earlier cancel, must not start another run.
    const silent = { pending: [], queued: undefined, scheduled: undefined };
    const { rootId } = current;
    const branch: RowWrite[] = rootId
      ? [{ pk: key.conversation(rootId), sk: key.branch(conversationId), mark: { ttl: expiryOf(now) } }]
      : [];
    const gone = { ...(change?.meta ?? current), ...silent, owner: '', deletedFor: user };
    return { meta: gone, rows: [...(change?.rows ?? []), ...branch], answer: gone };
  });
}

/**
 * Marks all rows to expire, except META, the forks' rows, which expire when the forks are deleted, and pieces, which expire soon.
 *
 * - Rows that an earlier attempt marked are skipped, so each attempt gets further.
 * - Calls come first: once a call is marked, rows that its running tool still writes get the same expiry.
 * - Rows are written one by one, because a transaction is limited to 4 MB, including the rows' existing content.
 */
async function expire(table: Table, conversationId: string, ttl: number): Promise<void> {
  for (const [from, to] of [[key.call(''), `${key.call('')}~`] as const, [' ', '~'] as const]) {
    const rows = (await readRows(table, conversationId, from, to)) as { sk: string; ttl?: number }[];
    const expiring = rows.filter(
      (row) =>
        row.sk !== key.meta &&
        !row.sk.startsWith(key.pieces) &&
        !row.sk.startsWith(key.branch('')) &&
        (row.ttl === undefined || row.ttl > ttl || row.ttl < ttl - day),
    );
    for (let start = 0; start < expiring.length; start += rowsAtOnce) {
      const some = expiring.slice(start, start + rowsAtOnce);
      await Promise.all(some.map(({ sk }) => overwrite(table, conversationId, { sk, mark: { ttl } })));
    }
  }
}
