import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { ConversationSummary } from '../../base/state/schemas';
import { readSharedWith } from '../../conversations/members/members';
import { type Person, roleIn } from '../../conversations/members/role';
import { fromParentId } from '../../conversations/rows/family';
import { conversationIn, key } from '../../conversations/rows/keys';
import { type Meta, placesOf } from '../../conversations/rows/meta';
import { openList } from '../../conversations/rows/open-lists';
import { keptIn, lists, type OwnedList, ownedBy } from '../../conversations/rows/owned';
import { cursorOf, placeOf } from '../../conversations/store/cursor';
import { cursorAfter, placeIn, readOpen } from '../../conversations/store/open';
import { readShownMeta, type Table } from '../../conversations/store/table';
import { listedSummary, sharedSummary, shownSummary } from './shown';

/** The list as people see it: the pinned conversations first. */
const usualLists: readonly OwnedList[] = ['pinned', 'open'];

/**
 * Returns a user's conversations in these lists, one list after the other, in each the last changed first. `cursor` is the opaque one
 * of the previous page.
 */
export async function listConversations(
  table: Table,
  user: string,
  cursor?: string,
  { limit = 30, of = usualLists }: { limit?: number; of?: readonly OwnedList[] } = {},
): Promise<{ conversations: ConversationSummary[]; cursor?: string }> {
  const conversations: ConversationSummary[] = [];
  const after = cursor ? decodeCursor(cursor, user, of) : undefined;
  const remaining = after ? of.slice(of.indexOf(after.list)) : of;
  for (const list of remaining) {
    const page = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: 'byOwner',
        KeyConditionExpression: '#owner = :owner',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: { ':owner': ownedBy(user, list) },
        ScanIndexForward: false,
        Limit: limit - conversations.length,
        ExclusiveStartKey: after?.list === list ? after.place : undefined,
      }),
    );
    for (const { pk, sk, owner, parentId, ...row } of page.Items ?? []) {
      // What is no text is left to the summary, which says that it cannot be read.
      const family = typeof parentId === 'string' ? fromParentId(parentId) : { parentId };
      const kept = { ...keptIn(owner), ...family };
      conversations.push(listedSummary({ ...row, ...kept, pk, sk, id: conversationIn(pk) }));
    }
    if (page.LastEvaluatedKey) return { conversations, cursor: encodeCursor(page.LastEvaluatedKey, list) };
    // The next list begins on the next page.
    const next = remaining[remaining.indexOf(list) + 1];
    if (next && conversations.length === limit) return { conversations, cursor: encodeCursor(undefined, next) };
  }
  return { conversations };
}

const sharedOfPage = 50;

/** Returns the conversations that others share with a person, in the order of their ids. Roles are in their META alone, so that is read. */
export async function listShared(
  table: Table,
  person: Person,
  cursor?: string,
  limit = sharedOfPage,
): Promise<{ conversations: ConversationSummary[]; cursor?: string }> {
  const [after] = cursor === undefined ? [''] : placeOf(z.tuple([z.string().max(64)]), cursor);
  const left = (await readSharedWith(table, person)).sort().filter((id) => id > after);
  const ids = left.slice(0, limit);
  const metas = await Promise.all(ids.map((id) => readShownMeta(table, id)));
  return {
    conversations: metas.flatMap((meta) => {
      const role = meta && !meta.unreadable && roleIn(meta, person);
      return role && role !== 'owner' ? [sharedSummary(meta, role)] : [];
    }),
    ...(left.length > ids.length && { cursor: cursorOf([ids.at(-1)!]) }),
  };
}

/** `active`: the run is not over. `failed`: it failed or reached a limit, and can be retried. */
export const OpenState = z.enum(['active', 'failed']);

/**
 * Returns a user's conversations whose run is in this state, however long ago they changed, the last begun first. The index may lag
 * behind, so their rows are read, and a page may have few conversations or none.
 */
export async function listOpenConversations(
  table: Table,
  user: string,
  state: z.infer<typeof OpenState>,
  cursor?: string,
  limit = 50,
): Promise<{ conversations: ConversationSummary[]; cursor?: string }> {
  const after = cursor === undefined ? undefined : placeIn(cursor);
  const list = openList[state](user);
  const entries = await readOpen(table, list, { after, latestFirst: true, limit });
  const metas = await Promise.all(entries.map(({ pk }) => readShownMeta(table, conversationIn(pk))));
  const isListed = (meta: Meta) => meta.unreadable || placesOf(meta).openFor === list;
  return {
    conversations: metas.filter((meta) => meta?.owner === user && isListed(meta)).map((meta) => shownSummary(meta!)),
    ...(entries.length === limit && { cursor: cursorAfter(entries.at(-1)!) }),
  };
}

/** A cursor is a place in one of the lists. The owner comes from the token, so a forged cursor cannot show other users' rows. */
const encodeCursor = (place: Record<string, unknown> | undefined, list: OwnedList) =>
  cursorOf(place ? [list, place.pk, place.updatedAt] : [list]);

/** As strict as what `encodeCursor` writes, because DynamoDB rejects an empty or too long key with an error that looks internal. */
const Place = z.union([
  z.tuple([z.enum(lists)]),
  z.tuple([z.enum(lists), z.string().regex(/^C#[\w-]{1,64}$/), z.iso.datetime()]),
]);

function decodeCursor(cursor: string, user: string, of: readonly OwnedList[]) {
  const [list, pk, updatedAt] = placeOf(
    Place.refine(([one]) => of.includes(one)),
    cursor,
  );
  return { list, place: pk === undefined ? undefined : { pk, sk: key.meta, owner: ownedBy(user, list), updatedAt } };
}
