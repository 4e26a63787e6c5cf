import { UnreadableRow } from '../../base/text/errors';
import { ttlAfter } from '../../base/time/ttl';
import type { Tool } from '../agent/tool';
import { childrenOf, readCallbacks } from '../calls/callback';
import { isOpenTimer, readTimers } from '../calls/timer';
import { rowsIndex } from '../embeddings/message-index';
import { releaseFiles } from '../files/references';
import { unsharedRows } from '../members/members';
import { checkOwner, type Person, userOf } from '../members/role';
import { key, prefix } from '../rows/keys';
import { kindOf } from '../rows/kinds';
import { Meta, placesOf, withTodo } from '../rows/meta';
import { isReadable, parsedAs } from '../rows/readable';
import type { StoredTimer } from '../rows/rows';
import { dropUnread } from '../runs/dropped';
import { type Change, changeConversation, noConversation } from '../store/change-conversation';
import { countChange } from '../store/counts';
import { overwrite, readRow, readRows, readShownMeta, type Table, write } from '../store/table';
import { type RowWrite, toDo } from '../store/write';
import { cancelTimer } from '../timers/change-timer';
import { cancelling } from './cancel';

/** DynamoDB removes a deleted conversation's rows after this time, which leaves enough for its rollback. */
const keptDays = 30;
/** META expires last, so the id cannot be reused while a row is left. */
const metaKeptDays = 60;
const rowsAtOnce = 20;
const day = 86_400;

/**
 * Deletes a conversation, in two parts: the mark, after which it is gone, and the sweep, which ends and removes what it has. The mark is
 * one write, and waits for nothing. Whoever makes it begins the sweep; Relay and Reconcile continue it until META expires too.
 *
 * A second mark changes nothing. A sweep may be made twice, and at the same time.
 *
 * @throws NotFound, NotAllowed if the person is not its owner.
 */
export async function markDeleted(table: Table, conversationId: string, by: Person, now: Date): Promise<Meta> {
  const user = userOf(by);
  for (let attempt = 1; attempt <= attemptsToMark; attempt++) {
    const row = await readRow(table, conversationId, key.meta);
    if (!row) throw noConversation(conversationId);
    if (!isReadable(row)) break;
    const meta = parsedAs(Meta, row);
    if (meta.deletedFor === user) return meta;
    checkOwner(meta, by);
    const gone = deleted(meta, user);
    const others = [
      ...branchOf(meta, now),
      ...unsharedRows(meta, now),
      ...countChange(meta, gone),
      toDo({ does: 'end' }),
      toDo({ does: 'sweep' }),
    ];
    // Whatever else changes META at the same time fails at its version, and then finds no owner.
    const { openFor, openSince } = placesOf(gone);
    const mark: RowWrite = {
      sk: key.meta,
      set: { deletedFor: user, openFor, openSince },
      remove: ['owner', ...(openFor ? [] : ['openFor', 'openSince'])],
      // Who is let in meanwhile is to be led to it no more, either.
      onlyIf: { owner: (row as { owner: string }).owner, membersVersion: meta.membersVersion ?? null },
    };
    try {
      if (await write(table, conversationId, [mark, ...others])) return gone;
    } catch (error) {
      if (error instanceof UnreadableRow) break;
      throw error;
    }
  }
  return changeConversation<Meta>(table, conversationId, (current) => markIn(current, by, now), { ends: true });
}

/** Archiving and pinning change the owner, and sharing the members. */
const attemptsToMark = 10;

function markIn(current: Meta, by: Person, now: Date) {
  const user = userOf(by);
  if (current.deletedFor === user) return { answer: current };
  checkOwner(current, by);
  const gone = deleted(current, user);
  const rows = [...branchOf(current, now), ...unsharedRows(current, now)];
  return { meta: withTodo(gone, { does: 'end' }, { does: 'sweep' }), rows, answer: gone };
}

const deleted = (meta: Meta, user: string): Meta => ({
  ...meta,
  owner: '',
  deletedFor: user,
  unreadable: undefined,
});

const branchOf = ({ conversationId, rootId }: Meta, now: Date): RowWrite[] =>
  rootId
    ? [{ pk: key.conversation(rootId), sk: key.branch(conversationId), mark: { ttl: ttlAfter(now, keptDays) } }]
    : [];

/** Cancels the run of a deleted conversation, and rolls it back. */
export function endDeleted(
  table: Table,
  tools: ReadonlyMap<string, Tool>,
  conversationId: string,
  now: Date,
): Promise<Meta> {
  const end = async (current: Meta): Promise<Change<Meta>> => {
    const { run } = current;
    if (!current.deletedFor) return { answer: current };
    // A failed or limited run can no longer be retried, so it is undone too.
    const unfinished = run && !['done', 'cancelled', 'cancelling'].includes(run.status);
    const isSilent = current.pending.length === 0 && !current.queued && !current.scheduled;
    if (!unfinished && isSilent) return { answer: current };
    if (unfinished) return cancelling(table, tools, current, 'Deleted by the user.', now);
    // Unread messages, for example those sent during the rollback of an earlier cancel, must not start another run.
    const { meta, rows, left } = await dropUnread(table, current);
    return { meta: left.length > 0 ? withTodo(meta, { does: 'close', messages: left }) : meta, rows, answer: meta };
  };
  return changeConversation(table, conversationId, end, { ends: true });
}

/**
 * Cancels the timers of a deleted conversation whose run has ended, marks its sub-agents' conversations, and lets its rows expire.
 *
 * @returns the timers, whose executions are to be stopped.
 */
export async function sweepDeleted(table: Table, conversationId: string, now: Date): Promise<StoredTimer[]> {
  const open = (await readTimers(table, conversationId)).filter(isOpenTimer);
  const timers: StoredTimer[] = [];
  // One by one, because each changes its user's counts.
  for (const { id } of open) timers.push(await cancelTimer(table, conversationId, id));
  await markChildren(table, conversationId, now);
  const owner = await formerOwner(table, conversationId);
  await releaseFiles(table, owner, conversationId, now);
  await rowsIndex(table).remove({ owner, conversationId }, now);
  // From now on, only a rollback adds rows.
  const ttl = ttlAfter(now, keptDays);
  await expire(table, conversationId, ttl);
  const late = ttl + (metaKeptDays - keptDays) * day;
  const end = (current: Meta): Change<void> => {
    const isNew = current.deletedFor !== undefined && current.ttl === undefined;
    return { ...(isNew && { meta: { ...current, ttl: late } }), answer: undefined };
  };
  await changeConversation<void>(table, conversationId, end, { ends: true });
  return timers;
}

const formerOwner = async (table: Table, conversationId: string): Promise<string> =>
  (await readShownMeta(table, conversationId))!.deletedFor!;

/** Deletes the conversations of its sub-agents, which have its words too. Relay sweeps them. */
async function markChildren(table: Table, conversationId: string, now: Date): Promise<void> {
  const deletedFor = await formerOwner(table, conversationId);
  const callbacks = await readCallbacks(table, conversationId, '');
  for (const child of childrenOf(callbacks))
    await markDeleted(table, child, deletedFor, now).catch((error: Error) => {
      // The child's user has deleted it, and its rows have expired.
      if (error.name !== 'NotFound') throw error;
    });
}

/** Does all parts, for tests. */
export async function deleteConversation(
  table: Table,
  tools: ReadonlyMap<string, Tool>,
  conversationId: string,
  user: string,
  now: Date,
): Promise<{ meta: Meta; timers: StoredTimer[] }> {
  await markDeleted(table, conversationId, user, now);
  const meta = await endDeleted(table, tools, conversationId, now);
  return { meta, timers: await sweepDeleted(table, conversationId, now) };
}

const expiresHere = ({ pk, sk }: { pk: string; sk: string }): boolean =>
  [undefined, 'with its conversation'].includes(kindOf(pk, sk)?.expires);

/**
 * Marks all rows to expire that expire with their conversation, those of tools among them.
 *
 * - Rows that an earlier attempt marked are skipped, so each attempt gets further.
 * - Calls come first: once a call is marked, rows that its running tool still writes get the same expiry.
 * - Rows are written one by one, because a transaction is limited to 4 MB, including the rows' existing content.
 */
async function expire(table: Table, conversationId: string, ttl: number): Promise<void> {
  for (const [from, to] of [[prefix.call, `${prefix.call}~`] as const, [' ', '~'] as const]) {
    const rows = (await readRows(table, conversationId, from, to)) as { pk: string; sk: string; ttl?: number }[];
    const expiring = rows.filter(
      (row) => expiresHere(row) && (row.ttl === undefined || row.ttl > ttl || row.ttl < ttl - day),
    );
    for (let start = 0; start < expiring.length; start += rowsAtOnce) {
      const some = expiring.slice(start, start + rowsAtOnce);
      await Promise.all(some.map(({ sk }) => overwrite(table, conversationId, { sk, mark: { ttl } })));
    }
  }
}
