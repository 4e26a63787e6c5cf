import type { ConversationSummary, Timer } from '../../base/state/schemas';
import { NotFound } from '../../base/text/errors';
import { conversationOfTimer } from '../../base/text/ids';
import { isArranged, isOpenTimer, readTimer, readTimers } from '../../conversations/calls/timer';
import { conversationIn } from '../../conversations/rows/keys';
import type { Meta } from '../../conversations/rows/meta';
import { openList } from '../../conversations/rows/open-lists';
import { ifReadable } from '../../conversations/rows/readable';
import { StoredTimer } from '../../conversations/rows/rows';
import { cursorAfter, placeIn, readOpen } from '../../conversations/store/open';
import { readRow, readShownMeta, type Table } from '../../conversations/store/table';
import { shownSummary, shownTimer } from './shown';

/** An open timer and its conversation. */
interface Open {
  timer: StoredTimer;
  meta: Meta;
}

const entriesOfPage = 100;

/**
 * Returns a user's open timers, whatever their conversation, the next one first. The index may lag behind, so each timer is read: one
 * that has ended, or belongs to no conversation of the user, is left out. So a page may have few timers or none.
 *
 * @param cursor the opaque one of the previous page.
 */
export async function listTimers(
  table: Table,
  user: string,
  cursor?: string,
): Promise<{ timers: (Timer & { conversationId: string })[]; conversations: ConversationSummary[]; cursor?: string }> {
  const { open, cursor: next } = await readPage(table, user, cursor);
  const metas = new Map(open.map(({ meta }) => [meta.conversationId, meta]));
  return {
    timers: open.map(({ timer }) => ({ ...shownTimer(timer)!, conversationId: timer.conversationId })),
    conversations: [...metas.values()].map(shownSummary),
    ...(next && { cursor: next }),
  };
}

/** Returns the open timers of a user that an agent sees: all of its own conversation, then those of the others that come first. */
export async function timersFor(
  table: Table,
  { user, conversationId }: { user: string; conversationId: string },
): Promise<StoredTimer[]> {
  // The conversation's own are read consistently: the agent may just have created one.
  const [own, { open }] = await Promise.all([readTimers(table, conversationId), readPage(table, user)]);
  const others = open.map(({ timer }) => timer).filter((timer) => timer.conversationId !== conversationId);
  return [...own.filter(isShown), ...others];
}

/**
 * Finds a user's timer by its id alone: one that no call has made names its conversation, the others are looked up among the open ones, in an
 * index that lags by a moment.
 *
 * @returns its conversation.
 * @throws NotFound if the user has no such timer.
 */
export async function conversationOf(table: Table, user: string, timerId: string): Promise<string> {
  const named = conversationOfTimer(timerId);
  const [timer, meta] = await Promise.all([readTimer(table, named, timerId), readShownMeta(table, named)]);
  if (timer && meta?.owner === user) return named;
  for (let cursor: string | undefined; ; ) {
    const page = await readPage(table, user, cursor);
    const found = page.open.find((one) => one.timer.id === timerId);
    if (found) return found.timer.conversationId;
    cursor = page.cursor;
    if (!cursor) throw new NotFound(`You have no open timer ${timerId}.`);
  }
}

const isShown = (timer: StoredTimer): boolean => isOpenTimer(timer) && isArranged(timer);

async function readPage(table: Table, user: string, cursor?: string): Promise<{ open: Open[]; cursor?: string }> {
  const after = cursor === undefined ? undefined : placeIn(cursor);
  const entries = await readOpen(table, openList.timers(user), { after, limit: entriesOfPage });
  const metas = new Map<string, Promise<Meta | undefined>>();
  const metaOf = (id: string) => metas.get(id) ?? metas.set(id, readShownMeta(table, id)).get(id)!;
  const open = await Promise.all(
    entries.map(async ({ pk, sk }): Promise<Open | undefined> => {
      const conversationId = conversationIn(pk);
      const [row, meta] = await Promise.all([readRow(table, conversationId, sk), metaOf(conversationId)]);
      const timer = ifReadable(StoredTimer, row);
      return timer?.user === user && meta?.owner === user && isShown(timer) ? { timer, meta } : undefined;
    }),
  );
  return {
    open: open.filter((one) => one !== undefined),
    ...(entries.length === entriesOfPage && { cursor: cursorAfter(entries.at(-1)!) }),
  };
}
