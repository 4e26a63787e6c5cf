import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { ConversationSummary } from '../state/schemas';
import { cursorAfter, openList, placeIn, readOpen } from '../store/open';
import { conversationIn, key, metaRow } from '../store/rows';
import { readMeta, type Table } from '../store/table';
import { InvalidInput } from '../text/errors';
import { shownSummary } from './shown';

/** Returns a user's conversations, the last changed first. `cursor` is the opaque one of the previous page. */
export async function listConversations(table: Table, user: string, cursor?: string, limit = 30) {
  const page = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: 'byOwner',
      KeyConditionExpression: '#owner = :owner',
      ExpressionAttributeNames: { '#owner': 'owner' },
      ExpressionAttributeValues: { ':owner': user },
      ScanIndexForward: false,
      Limit: limit,
      ExclusiveStartKey: cursor ? decodeCursor(cursor, user) : undefined,
    }),
  );
  const conversations = (page.Items ?? []).map(({ conversationId, ...row }) =>
    ConversationSummary.parse({ ...row, id: conversationId }),
  );
  return { conversations, cursor: page.LastEvaluatedKey && encodeCursor(page.LastEvaluatedKey) };
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
  const metas = await Promise.all(entries.map(({ pk }) => readMeta(table, conversationIn(pk))));
  const isListed = (meta: object) => 'openFor' in meta && meta.openFor === list;
  return {
    conversations: metas.filter((meta) => meta && isListed(metaRow(meta))).map((meta) => shownSummary(meta!)),
    ...(entries.length === limit && { cursor: cursorAfter(entries.at(-1)!) }),
  };
}

/** A cursor is a place in the index. The owner comes from the token, so a forged cursor cannot show other users' rows. */
const encodeCursor = ({ pk, updatedAt }: Record<string, unknown>) =>
  Buffer.from(JSON.stringify([pk, updatedAt])).toString('base64url');

/** As strict as what `encodeCursor` writes, because DynamoDB rejects an empty or too long key with an error that looks internal. */
const Place = z.tuple([z.string().regex(/^C#[\w-]{1,64}$/), z.iso.datetime()]);

function decodeCursor(cursor: string, owner: string) {
  try {
    const [pk, updatedAt] = Place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return { pk, sk: key.meta, owner, updatedAt };
  } catch {
    throw new InvalidInput('cursor', 'use the cursor of the previous page');
  }
}
